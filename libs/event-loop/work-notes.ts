import { AsyncLocalStorage } from 'node:async_hooks';

/** The request for which the event loop works. */
interface LoopHolder {
  /** HTTP method. */
  readonly method: string;
  /** Path of the URL, without the query. */
  readonly path: string;
  readonly auditId: string;
  readonly user: { readonly username: string };
}

/** A stretch of uninterrupted work for one request. */
export interface HeldStretch {
  readonly holder: LoopHolder;
  readonly milliseconds: number;
}

/**
 * Records for which request the event loop works, so that the request that blocks it can be named.
 *
 * A stretch of work begins when the request arrives, when its body has arrived, when another service has answered, and
 * when its slice begins. It lasts until the next note. Each note costs a clock read. The attribution is inexact if other
 * work follows in the same turn of the event loop without a note.
 */
export interface WorkNotes {
  /** Runs work for a holder; all asynchronous work that it starts belongs to the holder too. */
  run<T>(holder: LoopHolder, work: () => T): T;
  /** Returns the holder for which the caller works. */
  current(): LoopHolder | undefined;
  /** Starts a stretch; default: for the holder for which the caller works. */
  begin(holder?: LoopHolder): void;
  /** Calls back once, when the next stretch starts. */
  onNext(callback: () => void): void;
  /** Returns the longest stretch since the last call, and resets it. */
  takeLongest(): HeldStretch | undefined;
}

/** Creates separate notes, for tests; all other code uses `sharedNotes`. */
export function createWorkNotes(now: () => number = () => performance.now()): WorkNotes {
  const scope = new AsyncLocalStorage<LoopHolder>();
  let holder: LoopHolder | undefined;
  let since = 0;
  let longest: HeldStretch | undefined;
  let awaiting: (() => void) | undefined;
  const end = (time: number): void => {
    const milliseconds = time - since;
    if (holder !== undefined && milliseconds > (longest?.milliseconds ?? 0))
      longest = { holder, milliseconds };
  };
  const begin = (next: LoopHolder | undefined = scope.getStore()): void => {
    const time = now();
    end(time);
    holder = next;
    since = time;
    if (awaiting === undefined) return;
    const callback = awaiting;
    awaiting = undefined;
    callback();
  };
  return {
    run(next, work) {
      begin(next);
      return scope.run(next, work);
    },
    current: () => scope.getStore(),
    begin,
    onNext(callback) {
      awaiting = callback;
    },
    takeLongest() {
      end(now());
      const taken = longest;
      longest = undefined;
      holder = undefined;
      return taken;
    },
  };
}

/** The notes shared by the whole process. */
export const sharedNotes: WorkNotes = createWorkNotes();
