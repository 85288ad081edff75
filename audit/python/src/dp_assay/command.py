"""Where the command `assay` is."""

import os
import shutil
import sys
import sysconfig

from .errors import AssayError

#: The variable that names another command than the one of this package.
VARIABLE = "DP_ASSAY_COMMAND"


def find():
    """The path of the command: the one that the variable DP_ASSAY_COMMAND names, else the one that was installed with
    this package, else the first on the path."""
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        if found is None:
            raise AssayError("%s must name the command assay, got %r" % (VARIABLE, named))
        return found
    for folder in _folders():
        found = shutil.which("assay", path=folder)
        if found is not None:
            return found
    found = shutil.which("assay")
    if found is None:
        raise AssayError(
            "the command assay is not here: install the wheel of dp-assay for this system, "
            "or build the command and name it in %s" % VARIABLE
        )
    return found


def _folders():
    """Where an installer puts the scripts of this package."""
    yield sysconfig.get_path("scripts")
    # pip install --user, and pip install --target.
    user = "nt_user" if os.name == "nt" else "posix_user"
    if user in sysconfig.get_scheme_names():
        yield sysconfig.get_path("scripts", scheme=user)
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(beside, "Scripts" if os.name == "nt" else "bin")
    yield os.path.dirname(sys.executable or "")
