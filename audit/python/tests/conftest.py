"""The tests of the package. `../run-tests` makes an environment for them, with the command that was built."""

pytest_plugins = ["pytester"]
