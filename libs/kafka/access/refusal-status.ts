import { type BackendRefusal, backendRefusalIn } from '@binnacle/backend-access';

/** The log of status changes. */
interface RefusalStatusLog {
  info(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/**
 * Consecutive failures of other kinds after which a refusal no longer counts: Kafka is unreachable, or fails for another
 * reason.
 */
const mostOtherFailures = 5;

/**
 * The current refusal of a service by Kafka, for its log and its readiness check. A refusal lasts until an operation
 * succeeds, or until 5 consecutive attempts fail for other reasons; a broker that is unreachable for a moment does not
 * end it.
 */
export class RefusalStatus {
  readonly #log: RefusalStatusLog;
  #told: BackendRefusal | undefined;
  #otherFailures = 0;

  constructor(log: RefusalStatusLog) {
    this.#log = log;
  }

  /** The current refusal. */
  get current(): BackendRefusal | undefined {
    return this.#otherFailures < mostOtherFailures ? this.#told : undefined;
  }

  /** Notes a failure; returns whether it is a refusal by Kafka. Logs a refusal whose kind differs from the last logged one. */
  failed(thrown: unknown): boolean {
    const refusal = backendRefusalIn(thrown);
    if (refusal?.backend !== 'kafka') {
      this.#otherFailures++;
      return false;
    }
    this.#otherFailures = 0;
    if (refusal.kind !== this.#told?.kind) {
      const { kind, message, cause } = refusal;
      this.#log.error('kafka refuses this service, retrying', {
        kind,
        refusal: message,
        cause: String(cause),
      });
    }
    this.#told = refusal;
    return true;
  }

  /** Notes a successful operation; logs the end of a logged refusal. */
  worked(): void {
    this.#otherFailures = 0;
    if (this.#told === undefined) return;
    this.#told = undefined;
    this.#log.info('kafka accepts this service again');
  }
}
