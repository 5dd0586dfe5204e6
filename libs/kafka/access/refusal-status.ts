import { type BackendRefusal, backendRefusalIn } from '@binnacle/backend-access';

/** Where changes of the status are logged. */
interface RefusalStatusLog {
  info(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** Failures of other kinds in a row after which nothing is known of a refusal any more: Kafka is away, or has another reason. */
const mostOtherFailures = 5;

/**
 * Whether Kafka refuses a service at present, for its log and its readiness. A refusal lasts until something works, or
 * attempts have failed for other reasons a few times in a row: that a broker is away in between does not end it.
 */
export class RefusalStatus {
  readonly #log: RefusalStatusLog;
  #told: BackendRefusal | undefined;
  #otherFailures = 0;

  constructor(log: RefusalStatusLog) {
    this.#log = log;
  }

  /** The refusal, as long as it lasts. */
  get current(): BackendRefusal | undefined {
    return this.#otherFailures < mostOtherFailures ? this.#told : undefined;
  }

  /** Notes a failure; says whether it is a refusal by Kafka. Logs one line for a refusal of another kind than was logged last. */
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

  /** Notes that the service gets what it needs. Logs the end of every refusal that was logged. */
  worked(): void {
    this.#otherFailures = 0;
    if (this.#told === undefined) return;
    this.#told = undefined;
    this.#log.info('kafka accepts this service again');
  }
}
