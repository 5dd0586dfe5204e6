import { type RecordRefusal, recordRefusals } from '@binnacle/kafka';
import type { Metrics } from '@binnacle/telemetry';

/**
 * Counts records of the change feed that a service refuses: `binnacle_change_feed_refused_records_total`, 0 from the start for
 * each reason.
 */
export function countRefusedRecords(metrics: Metrics): (reason: RecordRefusal) => void {
  const refused = metrics.counter({
    name: 'binnacle_change_feed_refused_records_total',
    help: 'Records of the change feed that were refused because they are not encrypted as expected.',
    labelNames: ['reason'],
  });
  // The increase of a series that begins with its first record is none.
  for (const reason of recordRefusals) refused.labels(reason).inc(0);
  return reason => refused.labels(reason).inc();
}

/** Shows whether a service follows changes of storage because Kafka is silent: `binnacle_change_feed_direct`. */
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
