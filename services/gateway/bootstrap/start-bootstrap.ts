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
  /** Returns further objects that must exist, which may differ from call to call. */
  readonly changing?: () => readonly BootstrapObject[];
  /** The last known revision of an object, read without a call to storage; 0: it does not exist; undefined: not known. */
  readonly seenRevision?: (object: BootstrapObject) => Revision | undefined;
  /** Interval at which missing objects are looked for in storage, in ms; default one minute. */
  readonly repeatMs?: number;
  /** Delay before the first retry, in ms; it doubles with each further failure. Default: half a second. */
  readonly retryMs?: number;
}

/** The bootstrap of one server. */
export interface Bootstrap extends Disposable {
  /** Resolves once every object has existed. */
  readonly done: Promise<void>;
  readonly isDone: boolean;
}

const attemptTimeoutMs = 10_000;
/** Interval at which the last known revisions are checked. */
const checkMs = 2_000;
/** Longest wait after a failure. */
const longestRetryMs = 8_000;

/**
 * Creates the objects that must exist and brings them up to date; retries until the store answers. Later it creates
 * objects with `comesBack` again when they are missing, within seconds when `seenRevision` shows it, and leaves
 * existing ones alone unless their specification is kept. An administrator's changes to other objects, and their
 * deletion, stay until the next start.
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

  const stale = new StaleObjects(seenRevision);
  const check = async (): Promise<void> => {
    const found = stale.findAmong([...objects, ...changing()]);
    if (found.length === 0) return;
    try {
      await ensure(found.map(({ object }) => object));
      stale.settle(found);
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
 * Finds objects that may need work: those that are seen to be missing, and those with `bring` that were seen to
 * change. Kept specifications wait for the next pass: servers of two releases that differ in one would otherwise
 * overwrite each other all the time.
 */
class StaleObjects {
  readonly #seenRevision: NonNullable<BootstrapOptions['seenRevision']>;
  /** The revision at which each object was last found correct. */
  readonly #settled = new Map<string, Revision>();

  constructor(seenRevision: NonNullable<BootstrapOptions['seenRevision']>) {
    this.#seenRevision = seenRevision;
  }

  findAmong(objects: readonly BootstrapObject[]): SeenObject[] {
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
