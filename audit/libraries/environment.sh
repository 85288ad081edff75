#!/bin/sh
# Makes the environment of a library: audit/libraries/environment.sh NAME
#
# It is target/libraries/NAME, with the packages that NAME/requirements.txt pins (Python), NAME/package.json (JavaScript), or
# NAME/Cargo.lock (Rust, where the adapter is built too).
# Nothing is done if it is there, and made of the same files. The last line on standard error says why it cannot be made.
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=${1:?the name of a library is needed: one of the folders of $here}
home=$(cd "$here/../.." && pwd)/target/libraries/$name
wanted=requirements.txt
[ -f "$here/$name/package.json" ] && wanted=package.json
[ -f "$here/$name/Cargo.toml" ] && wanted="Cargo.toml Cargo.lock src"
same=yes
for file in $wanted; do
    [ -e "$here/$name/$file" ] || { echo "$here/$name/$file is not there" >&2; exit 1; }
    diff -r "$here/$name/$file" "$home/made-of/$file" >/dev/null 2>&1 || same=no
done
[ $same = yes ] && exit 0
rm -rf "$home"
mkdir -p "$home" || exit 1
case $wanted in
package.json)
    command -v npm >/dev/null 2>&1 || { echo "npm is not here" >&2; exit 1; }
    cp "$here/$name/package.json" "$home/"
    (cd "$home" && npm install --silent --no-audit --no-fund >&2) || { echo "cannot install $name" >&2; exit 1; }
    ;;
Cargo*)
    cargo=${CARGO:-cargo}
    command -v "$cargo" >/dev/null 2>&1 || { echo "$cargo is not here" >&2; exit 1; }
    "$cargo" build --quiet --release --locked --manifest-path "$here/$name/Cargo.toml" --target-dir "$home" >&2 ||
        { echo "cannot build $name" >&2; exit 1; }
    ;;
*)
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null 2>&1 || { echo "$python is not here" >&2; exit 1; }
    "$python" -m venv "$home" || { echo "cannot make $home" >&2; exit 1; }
    "$home/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$here/$name/requirements.txt" >&2 ||
        { echo "cannot install $name" >&2; exit 1; }
    ;;
esac
# Last: an installation that was interrupted is made again.
mkdir "$home/made-of" && (cd "$here/$name" && cp -r $wanted "$home/made-of/")
