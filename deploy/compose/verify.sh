#!/bin/sh
# Brings docker-compose.yml up for real where podman is at hand and no registry of images, and tries it from outside.
#   deploy/compose/verify.sh [all|images|up|check|down]
# VERIFY_PROFILE=ha takes that profile of the file instead of full, VERIFY_PROFILE=full,tracing several; the profiles of what is
# started by hand, tools and backup, are tried with each. VERIFY_ONLY=words runs only the checks with these words in
# their names. BINNACLE_PORT (here 16443) and DEBIAN_MIRROR are taken from the environment. As root, on Debian. Everything that runs comes from docker-compose.yml; the base
# images are stand-ins that tools/verify-compose makes from Debian's packages, npm, Maven and Go modules.
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
case ",${VERIFY_PROFILE:-full}," in
  *,tracing,*)
    if ! command -v go >/dev/null; then
      echo "missing: Go 1.25 or later, with which the collector of the profile tracing is built" >&2
      exit 2
    fi
    ;;
esac
if [ "$(id -u)" != 0 ]; then
  echo "must run as root: rootless podman has no network between containers of its own" >&2
  exit 2
fi
# What images say of their sources; the date is that of the commit, so that nothing is built anew for a later one.
: "${GIT_COMMIT=$(git rev-parse HEAD)}"
: "${GIT_TREE_STATE=$(test -z "$(git status --porcelain --untracked-files=no)" && echo clean || echo dirty)}"
: "${BUILD_DATE=$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)}"
export GIT_COMMIT GIT_TREE_STATE BUILD_DATE
[ -x node_modules/.bin/node ] || npm ci --no-fund --no-audit
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
exec node tools/verify-compose/main.ts "$@"
