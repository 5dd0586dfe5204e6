import { Refusal } from '@binnacle/backend-access';
import { FlagError, HelpRequested } from '@binnacle/flags';
import { errorStack } from '@binnacle/status-errors';

/** A service that runs. */
export interface RunningService {
  /** Line on standard output once the service is ready; default: `<name> is ready`. */
  readonly readyLine?: string;
  /** Stops gracefully. */
  stop(): Promise<void>;
  /** A stop that takes longer is cut off; default: what the service is run with. */
  readonly stopTimeoutMs?: number;
  /** Settles when the service ends by itself; a rejection is a failure. */
  readonly ended?: Promise<void>;
}

/** How a service is run as a process. */
interface RunServiceOptions {
  readonly name: string;
  /** Starts the service; the signal is aborted when the process is told to stop meanwhile. */
  readonly start: (signal: AbortSignal) => Promise<RunningService>;
  /** A stop that takes longer is cut off, with exit code 1; default: 30 s. */
  readonly stopTimeoutMs?: number;
}

const exitByKind = { usage: 2, failure: 1, interrupted: 130 };

/**
 * Runs a service until SIGTERM or SIGINT, then stops it and ends the process.
 *
 * Exit codes: 0 after a graceful stop and `--help`, 1 after a failure or a stop that took too long, 2 for a bad
 * command line, 130 when a second signal cuts the stop short. An unhandled rejection or exception is a failure.
 */
export async function runService({ name, start, stopTimeoutMs = 30_000 }: RunServiceOptions): Promise<void> {
  const told = new AbortController();
  const { promise: stopRequested, resolve: requestStop } = Promise.withResolvers<void>();
  const onSignal = () => {
    if (told.signal.aborted) process.exit(exitByKind.interrupted);
    told.abort();
    requestStop();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', error => fail(name, error));
  process.on('unhandledRejection', error => fail(name, error));
  try {
    const service = await start(told.signal);
    if (!told.signal.aborted) process.stdout.write(`${service.readyLine ?? `${name} is ready`}\n`);
    const failure = await Promise.race([stopRequested, service.ended ?? stopRequested]).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    told.abort();
    const timeoutMs = service.stopTimeoutMs ?? stopTimeoutMs;
    setTimeout(() => fail(name, new Error(`the stop took longer than ${timeoutMs} ms`)), timeoutMs).unref();
    await service.stop();
    if (failure) fail(name, failure.error);
    process.exit(0);
  } catch (error) {
    if (told.signal.aborted && isAbort(error)) process.exit(0);
    fail(name, error);
  }
}

function fail(name: string, error: unknown): never {
  if (error instanceof HelpRequested) {
    process.stdout.write(`${error.message}\n`);
    process.exit(0);
  }
  if (error instanceof FlagError) {
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(exitByKind.usage);
  }
  if (error instanceof Refusal) {
    process.stderr.write(`${name}: ${error.message}\n`);
    process.exit(exitByKind.failure);
  }
  process.stderr.write(`${name}: ${errorStack(error)}\n`);
  process.exit(exitByKind.failure);
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
