#!/bin/sh
# Makes the environment of a library: audit/libraries/environment.sh NAME
#
# It is target/libraries/NAME, with the packages that NAME/requirements.txt pins (Python), or NAME/package.json (JavaScript).
# Nothing is done if it is there, and made of the same file. The last line on standard error says why it cannot be made.
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=${1:?the name of a library is needed: one of the folders of $here}
home=$(cd "$here/../.." && pwd)/target/libraries/$name
wanted=requirements.txt
[ -f "$here/$name/package.json" ] && wanted=package.json
[ -f "$here/$name/$wanted" ] || { echo "$here/$name/$wanted is not there" >&2; exit 1; }
cmp -s "$here/$name/$wanted" "$home/made-of/$wanted" && exit 0
rm -rf "$home"
mkdir -p "$home" || exit 1
case $wanted in
package.json)
    command -v npm >/dev/null 2>&1 || { echo "npm is not here" >&2; exit 1; }
    cp "$here/$name/package.json" "$home/"
    (cd "$home" && npm install --silent --no-audit --no-fund >&2) || { echo "cannot install $name" >&2; exit 1; }
    ;;
*)
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 || { echo "$python is not here" >&2; exit 1; }
    "$python" -m venv "$home" || { echo "cannot make $home" >&2; exit 1; }
    "$home/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$here/$name/$wanted" >&2 ||
        { echo "cannot install $name" >&2; exit 1; }
    ;;
esac
# Last: an installation that was interrupted is made again.
mkdir "$home/made-of" && cp "$here/$name/$wanted" "$home/made-of/"
