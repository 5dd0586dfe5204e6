#!/bin/bash
# Stands in for two programs of the Kafka distribution, which Maven does not have.
set -eu
case "$(basename "$0")" in
  kafka-storage.sh) main=kafka.tools.StorageTool ;;
  kafka-server-start.sh) main=kafka.Kafka ;;
esac
# The variables are lists of options.
# shellcheck disable=SC2086
exec java ${KAFKA_HEAP_OPTS:--Xmx256m} ${KAFKA_LOG4J_OPTS:--Dlog4j.configuration=file:/opt/kafka/config/tools-log4j.properties} \
  -cp '/opt/kafka/libs/*' "$main" "$@"
