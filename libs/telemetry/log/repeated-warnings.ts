import type { LogFields, Logger } from './logger.ts';

/** Options of repeated warnings. */
interface RepeatedWarningsOptions {
  /** Interval between two lines of one warning, in ms; default: 10,000. */
  readonly intervalMs?: number;
  /**
   * Calls back at an interval in ms until the returned function is called; default: a timer that does not keep the
   * process alive.
   */
  readonly every?: (milliseconds: number, callback: () => void) => () => void;
}

interface Repeated {
  readonly message: string;
  /** Fields of the last warning. */
  fields: LogFields;
  /** Number of warnings since the last line. */
  count: number;
}

/** Maximum number of warnings that are distinguished; further ones count as one. */
const mostDifferent = 64;
const others = 'other warnings';

/**
 * Writes warnings that every request or attempt would repeat while a backend is down: the first one of a kind at once,
 * then one line every 10 s with the fields of the last one and, in `repeated`, the number of warnings since the previous
 * line.
 */
export class RepeatedWarnings {
  readonly #log: Logger;
  readonly #intervalMs: number;
  readonly #every: NonNullable<RepeatedWarningsOptions['every']>;
  readonly #repeated = new Map<string, Repeated>();
  #stop: (() => void) | undefined;

  constructor(log: Logger, options: RepeatedWarningsOptions = {}) {
    this.#log = log;
    this.#intervalMs = options.intervalMs ?? 10_000;
    this.#every = options.every ?? everyByTimer;
  }

  /** Notes a warning; warnings with the same message and kind are the same, whatever their fields. */
  warn(message: string, kind: string, fields: LogFields): void {
    const wanted = `${message}\n${kind}`;
    const key = this.#repeated.has(wanted) || this.#repeated.size < mostDifferent ? wanted : others;
    const repeated = this.#repeated.get(key);
    if (repeated !== undefined) {
      repeated.count++;
      repeated.fields = fields;
      return;
    }
    this.#repeated.set(key, { message: key === others ? others : message, fields, count: 0 });
    this.#log.warn(message, fields);
    this.#stop ??= this.#every(this.#intervalMs, () => this.#sumUp());
  }

  #sumUp(): void {
    for (const [key, repeated] of this.#repeated) {
      const { message, fields, count } = repeated;
      if (count === 0) this.#repeated.delete(key);
      else this.#log.warn(message, { ...fields, repeated: count });
      repeated.count = 0;
    }
    if (this.#repeated.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}

function everyByTimer(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
}
