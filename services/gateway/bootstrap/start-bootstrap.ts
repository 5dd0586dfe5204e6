import { createCallContext, FailureLog, type Logger } from '@binnacle/service-kit';
import { type BootstrapObject, bootstrapObjects } from './bootstrap-objects.ts';
import { type EnsureServices, ensureObjects } from './ensure-objects.ts';

/** What the bootstrap works with. */
interface BootstrapOptions extends EnsureServices {
  readonly logger: Logger;
  /** What must exist beside the objects that every server has. */
  readonly added?: readonly BootstrapObject[];
  /** What must exist and may be another each time. */
  readonly changing?: () => readonly BootstrapObject[];
  /** Interval at which missing objects are looked for, in ms; default one minute. */
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
/** Longest wait after a failure. */
const longestRetryMs = 8_000;

/**
 * Creates what must exist and brings it up to date, as often as it takes until the store is there. Later it creates again
 * what is missing, but leaves alone what is there, unless its specification is kept: what an administrator changes stays
 * until the next start.
 */
export function startBootstrap(options: BootstrapOptions): Bootstrap {
  const { logger, added = [], changing = () => [], repeatMs = 60_000, retryMs = 500 } = options;
  let objects = [...bootstrapObjects(options.registry), ...added];
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isDone = false;
  let pauseMs = retryMs;
  const failures = new FailureLog({
    log: logger,
    failed: 'default objects cannot be written, retrying',
    worked: 'default objects were written after failures',
  });

  const attempt = async (): Promise<void> => {
    let next = repeatMs;
    try {
      using call = createCallContext({ timeoutMs: attemptTimeoutMs, signal: stop.signal });
      const written = await ensureObjects([...objects, ...changing()], options, call);
      if (written > 0) logger.info('default objects written', { written });
      objects = objects.map(object => ({ ...object, reconciled: undefined }));
      isDone = true;
      pauseMs = retryMs;
      failures.worked();
      resolve();
    } catch (error) {
      next = pauseMs * (0.5 + Math.random() / 2);
      pauseMs = Math.min(pauseMs * 2, longestRetryMs);
      if (!stop.signal.aborted) failures.failed(error);
    }
    if (stop.signal.aborted) return;
    timer = setTimeout(attempt, next);
    timer.unref();
  };

  void attempt();
  return {
    done,
    get isDone() {
      return isDone;
    },
    [Symbol.dispose]() {
      stop.abort();
      clearTimeout(timer);
    },
  };
}
