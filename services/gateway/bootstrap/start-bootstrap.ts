import { Backoff } from '@binnacle/event-loop';
import { createCallContext } from '@binnacle/rpc';
import type { Revision } from '@binnacle/storage-contract';
import { FailureLog, type Logger } from '@binnacle/telemetry';
import { bootstrapObjects } from './bootstrap-objects.ts';
import { type BootstrapObject, type EnsureServices, ensureObjects } from './ensure-objects.ts';

/** Options of the bootstrap. */
interface BootstrapOptions extends EnsureServices {
  readonly logger: Logger;
  /** Objects that must exist beside those that every server has. */
  readonly added?: readonly BootstrapObject[];
  /** Objects that must exist and may be others each time. */
  readonly changing?: () => readonly BootstrapObject[];
  /** The revision of an object as it was last seen without asking storage, 0 for none; undefined: it is not known. */
  readonly seenRevision?: (object: BootstrapObject) => Revision | undefined;
  /** Interval at which missing objects are looked for in storage, in ms; default one minute. */
  readonly repeatMs?: number;
  /** Delay before the first retry, in ms; it doubles with each further failure. Default: half a second. */
  readonly retryMs?: number;
}

/** The bootstrap of one server. */
export interface Bootstrap extends Disposable {
  /** Resolves once everything has been there. */
  readonly done: Promise<void>;
  readonly isDone: boolean;
}

const attemptTimeoutMs = 10_000;
/** Interval at which it is checked what has been seen of the objects. */
const checkMs = 2_000;
/** Longest wait after a failure. */
const longestRetryMs = 8_000;

/**
 * Creates what must exist and brings it up to date, as often as it takes until the store is there. Later it keeps the objects that
 * come back: it creates again what is missing, within seconds where it is seen to be, but leaves alone what is there, unless its
 * specification is kept. What an administrator changes in others, or deletes of them, stays so until the next start.
 */
export function startBootstrap(options: BootstrapOptions): Bootstrap {
  const { logger, added = [], changing = () => [], repeatMs = 60_000, retryMs = 500 } = options;
  const { seenRevision = () => undefined } = options;
  let objects = [...bootstrapObjects(options.registry), ...added];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let checkTimer: NodeJS.Timeout | undefined;
  let isDone = false;
  const backoff = new Backoff({ firstMs: retryMs, longestMs: longestRetryMs });
  const failures = new FailureLog({
    log: logger,
    failed: 'default objects cannot be written, retrying',
    worked: 'default objects were written after failures',
  });

  const ensure = async (wanted: readonly BootstrapObject[]): Promise<void> => {
    using call = createCallContext({ timeoutMs: attemptTimeoutMs, signal: stop.signal });
    const written = await ensureObjects(wanted, options, call);
    if (written > 0) logger.info('default objects written', { written });
  };

  const attempt = async (): Promise<void> => {
    let next = repeatMs;
    try {
      await ensure([...objects, ...changing()]);
      objects = objects
        .filter(({ comesBack }) => comesBack)
        .map(object => ({ ...object, reconciled: undefined }));
      isDone = true;
      backoff.reset();
      failures.worked();
      resolve();
    } catch (error) {
      next = backoff.next();
      if (!stop.signal.aborted) failures.failed(error);
    }
    if (stop.signal.aborted) return;
    timer = setTimeout(attempt, next);
    timer.unref();
  };

  const doubts = new Doubts(seenRevision);
  const check = async (): Promise<void> => {
    const doubtful = doubts.among([...objects, ...changing()]);
    if (doubtful.length === 0) return;
    try {
      await ensure(doubtful.map(({ object }) => object));
      doubts.settle(doubtful);
      failures.worked();
    } catch (error) {
      if (!stop.signal.aborted) failures.failed(error);
    }
  };
  const keepChecking = async (): Promise<void> => {
    if (isDone) await check();
    if (!stop.signal.aborted) checkTimer = setTimeout(keepChecking, checkMs).unref();
  };

  void attempt();
  void keepChecking();
  return {
    done,
    get isDone() {
      return isDone;
    },
    [Symbol.dispose]() {
      stop.abort();
      clearTimeout(timer);
      clearTimeout(checkTimer);
    },
  };
}

/** An object at the revision at which it was seen. */
interface SeenObject {
  readonly object: BootstrapObject;
  readonly revision: Revision;
}

/**
 * Which objects may not be as they must: those that are seen to be missing, and those that are brought to what they must be and were
 * seen to change. Specifications that are kept wait for the next pass: servers of two releases that differ in one would otherwise
 * overwrite each other all the time.
 */
class Doubts {
  readonly #seenRevision: NonNullable<BootstrapOptions['seenRevision']>;
  /** The revision of each object when it was last found to be as it must. */
  readonly #settled = new Map<string, Revision>();

  constructor(seenRevision: NonNullable<BootstrapOptions['seenRevision']>) {
    this.#seenRevision = seenRevision;
  }

  among(objects: readonly BootstrapObject[]): SeenObject[] {
    return objects.flatMap(object => {
      const revision = this.#seenRevision(object);
      if (revision === undefined) return [];
      const isChanged = object.bring !== undefined && this.#settled.get(objectPath(object)) !== revision;
      return revision === 0 || isChanged ? [{ object, revision }] : [];
    });
  }

  settle(seen: readonly SeenObject[]): void {
    for (const { object, revision } of seen) this.#settled.set(objectPath(object), revision);
  }
}

function objectPath({ group, resource, namespace = '', name }: BootstrapObject): string {
  return `${group}/${resource}/${namespace}/${name}`;
}
