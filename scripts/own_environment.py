"""An environment of its own for a script in Python, as python_environment in packages.sh makes it for one in sh."""

import os
import platform
import subprocess
import sys
import venv
from pathlib import Path

SKIPPED = 77  # the exit status where nothing may be, or can be, installed
# What of the machine an environment must not see.
OF_THE_MACHINE = ("PYTHONPATH", "PYTHONHOME")


def enter(home, why, *pins, out=sys.stdout):
    """Runs the script again in `home`, in which nothing was installed but these pins, and for the Python that is here. What stands
    there of others is made again. `out` is told what is installed, and why; where it can't be, the script ends there."""
    home = Path(home).resolve()
    seen = [name for name in OF_THE_MACHINE if name in os.environ]
    if Path(sys.prefix).resolve() == home and not seen:
        return
    for name in seen:
        del os.environ[name]
    python, made_of = home / "bin" / "python", home / "made-of"
    wanted = "\n".join(["Python " + platform.python_version(), *pins]) + "\n"
    if not (python.exists() and made_of.exists() and made_of.read_text() == wanted):
        what = ", ".join(pins)
        if os.environ.get("NO_INSTALL") == "1":
            end("NO_INSTALL=1, not installing %s (%s)" % (what, why), out)
        print("installing %s in %s (%s)" % (what, home, why), file=out, flush=True)
        try:
            venv.create(home, with_pip=True, clear=True)
            install = [str(python), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *pins]
            subprocess.run(install, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError):
            end("cannot install " + what, out)
        # Last: an installation that was interrupted is made again.
        made_of.write_text(wanted)
    os.execv(str(python), [str(python), "-B", *sys.argv])


def end(why, out):
    print("skipped: " + why, file=out, flush=True)
    sys.exit(SKIPPED)
