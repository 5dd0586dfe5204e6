import { setTimeout as sleep } from 'node:timers/promises';
import { backendRefusalIn } from '@binnacle/backend-access';
import { Backoff } from '@binnacle/event-loop';
import type { RefusalStatus } from '@binnacle/kafka';
import { FailureLog, type Metrics } from '@binnacle/telemetry';
import { type PublisherOptions, publishSession } from './publish-session.ts';
import { PublisherLag } from './publisher-lag.ts';

/** Options of a publisher that runs for as long as this process leads. */
interface RunPublisherOptions extends Omit<PublisherOptions, 'onPublished'> {
  readonly metrics: Metrics;
  /** Status of refusals by Kafka, for readiness. */
  readonly refusal: RefusalStatus;
  /** Called once, when the first changes were published from here. */
  readonly onFirstPublished?: () => void;
}

const firstWaitMs = 200;
const longestWaitMs = 700;
/** The longest wait between attempts that Kafka refuses: only a change of its settings or of this service's helps. */
const longestRefusedWaitMs = 10_000;

/** Publishes until the signal aborts: a failed session is followed by another one after a growing wait. */
export async function runPublisher(options: RunPublisherOptions, signal: AbortSignal): Promise<void> {
  const { log, metrics, refusal } = options;
  const lag = new PublisherLag(options.storage, metrics);
  const published = metrics
    .counter({
      name: 'binnacle_storage_published_records_total',
      help: 'Changes, progress records and resets written to the change feed; several of them can share a record.',
    })
    .labels();
  const failures = metrics
    .counter({
      name: 'binnacle_storage_publisher_failures_total',
      help: 'Sessions of the publisher that failed.',
    })
    .labels();
  const failureLog = new FailureLog({
    log,
    failed: 'publishing failed, retrying from the end of the topic',
    worked: 'publishing resumed after failures',
  });
  const measuring = lag.measure(signal);
  const backoff = new Backoff({ firstMs: firstWaitMs, longestMs: longestWaitMs });
  let { onFirstPublished } = options;
  const onPublished: PublisherOptions['onPublished'] = (revision, records) => {
    onFirstPublished?.();
    onFirstPublished = undefined;
    lag.published(revision);
    published.inc(records);
    backoff.reset();
    if (records === 0) return;
    refusal.worked();
    failureLog.worked();
  };
  while (!signal.aborted) {
    try {
      await publishSession({ ...options, onPublished }, signal);
    } catch (thrown) {
      failures.inc();
      const isRefused = refusal.failed(thrown);
      // The connection to etcd logs a refusal of etcd once.
      if (!isRefused && backendRefusalIn(thrown) === undefined) failureLog.failed(thrown);
      const waitMs = isRefused ? backoff.next(longestRefusedWaitMs) : backoff.next();
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }
  await measuring;
}
