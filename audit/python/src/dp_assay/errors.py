"""What an assertion raises, and what it warns of."""


class Refuted(AssertionError):
    """The claim is false. `report` is the report of the audit: its keys are those of `assay audit --format json`."""

    def __init__(self, text, report):
        super().__init__(text)
        self.report = report


class NothingTested(UserWarning):
    """Every answer on both datasets was the same, so that nothing was tested."""


class AssayError(Exception):
    """The audit could not be carried out, so that nothing is known."""


class Inconclusive(AssayError):
    """The audit ended without a verdict, so that nothing is known."""


class CommandTooOld(AssayError):
    """The command `assay` that was found does not know an option or a question."""
