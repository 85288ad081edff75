#!/bin/sh
# Makes the environment of a library: experiments/libraries/environment.sh NAME
#
# It is target/libraries/NAME, with the packages that NAME/requirements.txt pins (Python), NAME/package-lock.json (JavaScript), or
# NAME/Cargo.lock (Rust, where the adapter is built too).
# Nothing is done if it is there, made of the same files and by the same version of Python,
# npm and Node, or Rust. The last line on standard error says why it cannot be made.
# pip installs what requirements.txt lists and nothing else: a library may ask for packages that its adapter does not load.
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=${1:?the name of a library is needed: one of the folders of $here}
home=$(cd "$here/../.." && pwd)/target/libraries/$name
wanted=requirements.txt
maker=${PYTHON:-python3}
[ -f "$here/$name/package.json" ] && wanted="package.json package-lock.json" && maker=npm
[ -f "$here/$name/Cargo.toml" ] && wanted="Cargo.toml Cargo.lock src" && maker=${CARGO:-cargo}
command -v "$maker" >/dev/null 2>&1 || { echo "$maker is not here" >&2; exit 1; }
made_by=$("$maker" --version) || { echo "$maker does not tell its version" >&2; exit 1; }
[ "$maker" != npm ] || made_by="$made_by, node $(node --version)" || { echo "node does not tell its version" >&2; exit 1; }
same=yes
[ "$(cat "$home/made-of/version" 2>/dev/null)" = "$made_by" ] || same=no
for file in $wanted; do
    [ -e "$here/$name/$file" ] || { echo "$here/$name/$file is not there" >&2; exit 1; }
    diff -r "$here/$name/$file" "$home/made-of/$file" >/dev/null 2>&1 || same=no
done
[ $same = yes ] && exit 0
. "$here/../../scripts/packages.sh"
may_install "the packages of $name in $home" "to audit $name" >&2 || exit 1
rm -rf "$home"
mkdir -p "$home" || exit 1
case $wanted in
package.json*)
    cp "$here/$name/package.json" "$here/$name/package-lock.json" "$home/"
    (cd "$home" && "$maker" ci --silent --no-audit --no-fund >&2) || { echo "cannot install $name" >&2; exit 1; }
    ;;
Cargo*)
    "$maker" build --quiet --release --locked --manifest-path "$here/$name/Cargo.toml" --target-dir "$home" >&2 ||
        { echo "cannot build $name" >&2; exit 1; }
    ;;
*)
    "$maker" -m venv "$home" || { echo "cannot make $home" >&2; exit 1; }
    "$home/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --requirement "$here/$name/requirements.txt" >&2 ||
        { echo "cannot install $name" >&2; exit 1; }
    ;;
esac
# Last: an installation that was interrupted is made again.
mkdir "$home/made-of" && echo "$made_by" >"$home/made-of/version" && (cd "$here/$name" && cp -r $wanted "$home/made-of/")
