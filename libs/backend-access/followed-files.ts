import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '@binnacle/telemetry';

/**
 * The certificate, key and password files that a process reads again while it runs, so that they can be exchanged without a
 * restart. Files that cannot be read or used, such as a certificate whose key has not been written yet, are logged once, and what was
 * read before stays in use.
 */
export class FollowedFiles implements Disposable {
  readonly #sources: ((log: Logger) => Promise<void>)[] = [];
  readonly #listeners: (() => void)[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;

  /**
   * Follows what `read` reads, and returns a function that gives the latest of it. `first` is what was read at the start, `name` says in
   * the log what it is. `onChange` is called after each change, once no listener has refused it.
   */
  follow<T>(name: string, { first, read, onChange }: Followed<T>): () => T {
    let current = first;
    let complaint = '';
    this.#sources.push(async log => {
      try {
        const found = await read();
        complaint = '';
        if (isDeepStrictEqual(found, current)) return;
        const before = current;
        current = found;
        try {
          for (const listener of this.#listeners) listener();
        } catch (refusal) {
          current = before;
          throw refusal;
        }
        onChange?.(found);
        log.info('changed files are in use', { files: name });
      } catch (error) {
        const text = String(error);
        if (text !== complaint)
          log.error('changed files cannot be used, the old ones stay', { files: name, error });
        complaint = text;
      }
    });
    return () => current;
  }

  /**
   * Adds a listener that is called at each change of anything that is followed, when functions give the new value. One that throws refuses
   * the change: a certificate may not be valid yet.
   */
  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Begins to look at the files, every so many milliseconds; 0 is never. */
  start(everyMs: number, log: Logger): void {
    if (everyMs > 0) this.#timer = setInterval(() => void this.look(log), everyMs).unref();
  }

  /** Looks at all files once; never rejects. A look that comes while one is under way does nothing. */
  async look(log: Logger): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const source of this.#sources) await source(log);
    this.#isLooking = false;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** A value that is followed. */
interface Followed<T> {
  readonly first: T;
  read(): Promise<T>;
  onChange?(value: T): void;
}
