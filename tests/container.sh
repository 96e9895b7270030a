#!/usr/bin/env bash
# The Containerfile, proved without an image registry: its base is a bare Debian made here, its smoke study is compared with
# that of the checkout, which is made first if it is not there. Needs root, mmdebstrap and buildah; about 15 min and 4 GB.
set -euo pipefail
cd "$(dirname "$0")/.."
for needed in mmdebstrap buildah; do
    command -v "$needed" > /dev/null || { echo "container: not checked, as there is no $needed here"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "container: not checked, as it takes root"; exit 0; }

made=$(mktemp -d)
store() { buildah --root "$made/root" --runroot "$made/run" --storage-driver vfs "$@"; }
trap 'store rm --all > /dev/null; store rmi --all --force > /dev/null; rm -rf "$made"' EXIT

# pip reaches its index inside as it does outside.
mkdir "$made/pip"
{ echo "[global]"; pip config list | sed -n "s/^[^.]*\.\(extra-index-url\|index-url\|default-timeout\|timeout\)='\(.*\)'$/\1 = \2/p" | sort --unique --key 1,1; } \
    > "$made/pip/pip.conf"
certificates=$(pip config get global.cert 2> /dev/null || true)
if [ -n "$certificates" ]; then
    cp "$certificates" "$made/pip/certificates.pem"
    echo "cert = /run/pip/certificates.pem" >> "$made/pip/pip.conf"
fi
with=(--isolation chroot --volume "$made/pip:/run/pip:ro" --volume "$made/pip/pip.conf:/etc/pip.conf:ro")

mmdebstrap --quiet --variant=minbase bookworm "$made/debian.tar"
bare=$(store from scratch)
store add --quiet "$bare" "$made/debian.tar" / > /dev/null
store commit --quiet "$bare" "$(sed -n 's/^FROM //p' Containerfile)" > /dev/null
store build --quiet --pull-never "${with[@]}" --tag mnlbandits --file Containerfile . > /dev/null
inside=$(store from --pull-never localhost/mnlbandits)
store run "${with[@]}" "$inside" -- make smoke

make smoke
within=$(store mount "$inside")/mnlbandits
for folder in results figures; do
    diff --recursive --brief --exclude timings --exclude claims "$folder/smoke" "$within/$folder/smoke"
done
echo "container: the same bytes inside and outside"
