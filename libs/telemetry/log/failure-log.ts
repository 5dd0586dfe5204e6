/** The target of a failure log; a `Logger` is one. */
interface FailureLogTarget {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
}

/** Options of a failure log. */
export interface FailureLogOptions {
  readonly log: FailureLogTarget;
  /** Log message of a failure. */
  readonly failed: string;
  /** Log message of the first success after failures; default: none. */
  readonly worked?: string;
  /**
   * Whether failures with the same error but other fields count as the same one, logged with the fields of the first.
   * Default: false.
   */
  readonly ignoresFields?: boolean;
  /** A monotonic clock, in ms; default: `performance.now`. */
  readonly now?: () => number;
}

const quietMs = 60_000;
/** Maximum number of failures that are distinguished; further ones count as one. */
const maxDifferent = 32;
/** Maximum number of errors in the text of one failure, and of errors searched for it. */
const maxTexts = 5;
const maxErrors = 20;

/**
 * Logs attempts that fail repeatedly, for example while a backend is down: each distinct failure once a minute, and one
 * line when an attempt succeeds. An error is logged as its message and those of its parts and causes; one that indicates
 * a bug is logged with its stack.
 */
export class FailureLog {
  readonly #options: FailureLogOptions;
  readonly #now: () => number;
  /** Time at which each failure of the last minute was logged. */
  readonly #loggedAt = new Map<string, number>();
  #failures = 0;

  constructor(options: FailureLogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Notes a failure. Failures with different fields are distinct, unless `ignoresFields`. */
  failed(thrown: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
    this.#failures++;
    const error = failureText(thrown);
    const { log, failed, ignoresFields = false } = this.#options;
    const now = this.#now();
    this.#forgetBefore(now - quietMs);
    const key = this.#chooseKey(ignoresFields ? error : `${error} ${JSON.stringify(fields)}`);
    if (this.#loggedAt.has(key)) return;
    this.#loggedAt.set(key, now);
    log.warn(failed, { ...fields, failures: this.#failures, error: isMistake(thrown) ? thrown : error });
  }

  /** Notes a successful attempt. */
  worked(): void {
    if (this.#failures === 0) return;
    const { log, worked } = this.#options;
    if (worked !== undefined) log.info(worked, { failures: this.#failures });
    this.#failures = 0;
    this.#loggedAt.clear();
  }

  #forgetBefore(time: number): void {
    for (const [key, loggedAt] of this.#loggedAt) if (loggedAt <= time) this.#loggedAt.delete(key);
  }

  #chooseKey(key: string): string {
    return this.#loggedAt.has(key) || this.#loggedAt.size < maxDifferent ? key : '';
  }
}

const isMistake = (thrown: unknown): boolean =>
  thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof ReferenceError;

function failureText(thrown: unknown): string {
  const texts = new Set<string>();
  const errors = [thrown];
  for (let looked = 0; looked < errors.length && looked < maxErrors && texts.size < maxTexts; looked++) {
    const error = errors[looked];
    const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
    // Node reports the addresses that refused a connection as an AggregateError without a message.
    if (parts.length === 0 || String(error) !== 'AggregateError') texts.add(String(error));
    errors.push(...parts);
    if (error instanceof Error && error.cause !== undefined) errors.push(error.cause);
  }
  return [...texts].join('; ');
}
