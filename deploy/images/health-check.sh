#!/bin/bash
# Ends with 0 when an HTTP server on this machine answers a path with 200: health-check.sh PORT PATH. Needs nothing but
# bash, so that a check every few seconds starts no Node process.
set -u
port=${1:?usage: health-check.sh PORT PATH} path=${2:?usage: health-check.sh PORT PATH}
exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$path" >&3
read -r -t 4 line <&3 || exit 1
[[ $line == 'HTTP/1.'?' 200'* ]]
