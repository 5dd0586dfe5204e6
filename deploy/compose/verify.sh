#!/bin/sh
# Brings docker-compose.yml up for real where podman is at hand and no registry of images, and tries it from outside.
#   deploy/compose/verify.sh [all|images|up|check|down]
# VERIFY_PROFILE=ha takes that profile of the file instead of full, VERIFY_PROFILE=full,tracing several; the profiles of what is
# started by hand, tools and backup, are tried with each. VERIFY_ONLY=words runs only the checks with these words in
# their names. BINNACLE_PORT (here 16443) and DEBIAN_MIRROR are taken from the environment. As root, on Debian. Everything that runs comes from docker-compose.yml; the base
# images are stand-ins that tools/verify-compose makes from Debian's packages, npm and Maven.
set -eu
cd "$(dirname "$0")/../.."

packages='podman runc aardvark-dns netavark iptables catatonit debootstrap openjdk-17-jre-headless maven'
missing=
for package in $packages; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
if [ -n "$missing" ]; then
  echo "missing:$missing; install with: apt-get install --no-install-recommends$missing" >&2
  exit 2
fi
if [ "$(id -u)" != 0 ]; then
  echo "must run as root: rootless podman has no network between containers of its own" >&2
  exit 2
fi
[ -x node_modules/.bin/node ] || npm ci --no-fund --no-audit
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
exec node tools/verify-compose/main.ts "$@"
