import { setTimeout as sleep } from 'node:timers/promises';
import type { RefusalStatus } from '@binnacle/kafka';
import type { KafkaOptions } from './kafka-options.ts';
import { readLastRecords } from './last-records.ts';

/** Options of the access check. */
interface AccessCheckOptions {
  readonly kafka: KafkaOptions;
  readonly refusal: RefusalStatus;
  /** Whether to check; false in the process that publishes, which finds refusals itself. */
  isNeeded(): boolean;
}

const intervalMs = 30_000;

/**
 * Checks periodically whether a process that does not lead could publish, so that wrong credentials or keys are reported before the pod
 * is needed. The permission to write shows only when it leads. Ends when the signal aborts; never rejects.
 */
export async function checkAccess(options: AccessCheckOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (options.isNeeded()) await checkOnce(options);
    await sleep(intervalMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => {});
  }
}

async function checkOnce({ kafka, refusal, isNeeded }: AccessCheckOptions): Promise<void> {
  try {
    await readLastRecords(kafka);
    if (isNeeded()) refusal.worked();
  } catch (thrown) {
    if (isNeeded()) refusal.failed(thrown);
  }
}
