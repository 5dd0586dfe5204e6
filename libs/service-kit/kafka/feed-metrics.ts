import { type RecordRefusal, recordRefusals } from '@binnacle/kafka';
import type { Metrics } from '@binnacle/telemetry';

/**
 * Creates the counter `binnacle_change_feed_refused_records_total` of refused change feed records; it is 0 from the
 * start for each reason.
 */
export function countRefusedRecords(metrics: Metrics): (reason: RecordRefusal) => void {
  const refused = metrics.counter({
    name: 'binnacle_change_feed_refused_records_total',
    help: 'Records of the change feed that were refused because they are not encrypted as expected.',
    labelNames: ['reason'],
  });
  // Without the 0, the first record would start the series, and `increase()` would not show it.
  for (const reason of recordRefusals) refused.labels(reason).inc(0);
  return reason => refused.labels(reason).inc();
}

/**
 * Creates the gauge `binnacle_change_feed_direct`: 1 while the service receives changes directly from storage, because
 * Kafka is down, silent or behind.
 */
export function noteDirectFeed(metrics: Metrics): (isDirect: boolean) => void {
  const direct = metrics
    .gauge({
      name: 'binnacle_change_feed_direct',
      help: '1 while the service follows changes of storage directly because Kafka is down, silent or behind.',
    })
    .labels();
  direct.set(0);
  return isDirect => direct.set(Number(isDirect));
}
