#!/bin/bash
# Ends with 0 when the broker serves its users: it opens their port once it is registered and not fenced, and closes a
# connection that does not begin like TLS. A program of Kafka's own would start a Java machine for each check.
set -u
exec 3<>/dev/tcp/127.0.0.1/9092 || exit 1
printf 'health\r\n\r\n' >&3
# The broker ends the connection, perhaps after an alert; one that hangs does not, which `read` says with more than 128.
read -r -t 4 -u 3 _
[ $? -le 128 ]
