import { setTimeout as sleep } from 'node:timers/promises';
import type { RefusalStatus } from '@binnacle/kafka';
import type { KafkaOptions } from './kafka-options.ts';
import { readLastRecords } from './last-records.ts';

/** Options of the check, and the receiver of its result. */
interface AccessCheckOptions {
  readonly kafka: KafkaOptions;
  readonly refusal: RefusalStatus;
  /** False in the process that publishes, which sees for itself. */
  isNeeded(): boolean;
}

const intervalMs = 30_000;

/**
 * Checks now and then whether a process that does not lead could publish: a pod whose credentials or keys are wrong
 * says so before it is needed. That it may write shows only when it leads. Ends when the signal aborts; never rejects.
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
