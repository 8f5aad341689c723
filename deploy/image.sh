#!/bin/sh
# Makes the file system of the image in the folder of the first argument, from the packages in the working folder.
set -eu
image="$1"
node="$(readlink -f "$(command -v node)")"

mkdir -p "$image/usr/local/bin" "$image/app" "$image/etc/countersign" "$image/tmp"
chmod 1777 "$image/tmp"
cp "$node" "$image/usr/local/bin/node"
# The linker and every library, at the paths under which they are looked for.
for library in $(ldd "$node" | grep -o '/[^ ]*'); do
  mkdir -p "$image$(dirname "$library")"
  cp -L "$library" "$image$library"
done
# For what reads the system's certificates; Node has its own.
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  mkdir -p "$image/etc/ssl/certs"
  cp -L /etc/ssl/certs/ca-certificates.crt "$image/etc/ssl/certs/"
fi
printf 'hosts: files dns\n' >"$image/etc/nsswitch.conf"

mkdir -p /app
cp -R node_modules package.json /app/
# Sources, types and maps are for programs that import the packages.
find /app/node_modules/@countersign \( -name '*.map' -o -name '*.d.ts' \) -delete
# Compiled code is kept by the path of its module, so it is made at the path that the image has.
XDG_CACHE_HOME=/app/cache node /app/node_modules/@countersign/cli/bin/countersign.js serve --help >/dev/null
chmod -R a+rX /app
cp -R /app/. "$image/app/"
