import type { Metrics } from '@binnacle/telemetry';

/** Shows whether a service follows changes of storage because Kafka is silent: `binnacle_change_feed_direct`. */
export function noteDirectFeed(metrics: Metrics): (isDirect: boolean) => void {
  const direct = metrics
    .gauge({
      name: 'binnacle_change_feed_direct',
      help: '1 while the service follows changes of storage directly because Kafka is away, silent or behind.',
    })
    .labels();
  direct.set(0);
  return isDirect => direct.set(Number(isDirect));
}
