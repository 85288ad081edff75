# What the scripts share that install packages of others: `. scripts/packages.sh`. (For sh.)
#
# NO_INSTALL=1 in the environment: nothing is installed.

# An environment sees no packages that the machine's variables name.
unset PYTHONPATH PYTHONHOME

# may_install WHAT WHY: says what is installed and why, or that it is not, and fails then.
may_install() {
    if [ "${NO_INSTALL:-}" = 1 ]; then
        echo "NO_INSTALL=1: not installing $1 ($2)"
        return 1
    fi
    echo "installing $1 ($2)"
}

# python_environment HOME WHY PIN...: HOME is an environment of its own, in which nothing was installed but by these pins (files or
# NAME==VERSION) and for the Python that is here. What stands there of others is made again.
python_environment() {
    home=$1
    why=$2
    shift 2
    made_of=$(python3 --version && for pin in "$@"; do [ ! -e "$pin" ] && echo "$pin" || cat "$pin"; done)
    [ -x "$home/bin/python" ] && [ "$(cat "$home/made-of" 2>/dev/null)" = "$made_of" ] && return
    may_install "an environment of Python in $home" "$why" || return
    rm -rf "$home"
    python3 -m venv "$home" >/dev/null 2>&1 && echo "$made_of" >"$home/made-of"
}

# python_package HOME WHY NAME==VERSION [FILE]: this version is in HOME, or is installed there. FILE pins what it needs in turn.
python_package() {
    "$1/bin/python" -I -c 'import sys; from importlib.metadata import version; name, pinned = sys.argv[1].split("=="); sys.exit(version(name) != pinned)' "$3" >/dev/null 2>&1 && return
    may_install "$3" "$2" || return
    "$1/bin/python" -I -m pip install --quiet --disable-pip-version-check --only-binary :all: ${4:+--constraint "$4"} "$3" >/dev/null 2>&1
}

# pinned NAME FILE: NAME==VERSION, as FILE pins it.
pinned() {
    grep "^$1==[^;]*" -o "$2"
}
