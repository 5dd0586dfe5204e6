import type { LogFields, Logger } from './logger.ts';

/** How often repeated warnings are summed up, and with which timers. */
interface RepeatedWarningsOptions {
  /** Milliseconds between two lines of one warning; default: 10 seconds. */
  readonly intervalMs?: number;
  /** Calls back each so many milliseconds until the result is called; default: a timer of this process. */
  readonly every?: (milliseconds: number, callback: () => void) => () => void;
}

interface Repeated {
  readonly message: string;
  /** Of the last one. */
  fields: LogFields;
  /** Since the last line. */
  count: number;
}

/** Warnings that are told apart; more count as one. */
const mostDifferent = 64;
const others = 'other warnings';

/**
 * Writes warnings that each request, or each attempt, would repeat while a backend is away: the first one of a kind at once, and
 * then a line every ten seconds that has the fields of the last one and, in `repeated`, how many came since the line before.
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

  /** Notes a warning; those of one message and one kind are the same, whatever their fields. */
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
