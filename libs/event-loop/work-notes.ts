import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that work on the event loop is done for. */
interface LoopHolder {
  /** Of HTTP. */
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly auditId: string;
  readonly user: { readonly username: string };
}

/** The longest stretch of work for one holder. */
export interface HeldStretch {
  readonly holder: LoopHolder;
  readonly milliseconds: number;
}

/**
 * Notes for whom the event loop works, so that what held it can be named.
 *
 * A request is noted where a stretch of its work begins: when it comes, when its body has come, when another service
 * has answered it, when its turn for a slice has come. A stretch lasts until the next note. Each note costs a clock read. The
 * attribution is not exact where other work follows in the same turn of the loop without a note.
 */
export interface WorkNotes {
  /** Runs work for a holder; all that it leads to belongs to the holder too. */
  run<T>(holder: LoopHolder, work: () => T): T;
  /** The holder that the caller works for. */
  current(): LoopHolder | undefined;
  /** Notes that a stretch begins, by default for the holder that the caller works for. */
  begin(holder?: LoopHolder): void;
  /** Calls back once, when the next stretch begins. */
  onNext(callback: () => void): void;
  /** The longest stretch since the last call, and a new beginning. */
  takeLongest(): HeldStretch | undefined;
}

/** Creates notes of their own, for tests; everything else uses `sharedNotes`. */
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

/** The notes of the process. */
export const sharedNotes: WorkNotes = createWorkNotes();
