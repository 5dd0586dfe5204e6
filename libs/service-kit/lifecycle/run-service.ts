import { Refusal } from '@binnacle/backend-access';
import { FlagError, TextRequested } from '@binnacle/flags';
import { errorMessage, errorStack } from '@binnacle/status-errors';
import { createLogger } from '@binnacle/telemetry';

/** A running service. */
export interface RunningService {
  /** Line on standard output once the service runs; default: `<name> has started`, which may wait for its backends. */
  readonly readyLine?: string;
  /** Stops the service gracefully. */
  stop(): Promise<void>;
  /** Time after which a stop is aborted, in ms; default: the option of `runService`. */
  readonly stopTimeoutMs?: number;
  /** Settles when the service ends by itself; a rejection is reported as a failure. */
  readonly ended?: Promise<void>;
}

/** Options of running a service as a process. */
interface RunServiceOptions {
  readonly name: string;
  /** Starts the service; the signal aborts if the process receives SIGTERM or SIGINT. */
  readonly start: (signal: AbortSignal) => Promise<RunningService>;
  /** Time after which a stop is aborted with exit code 1, in ms; default: 30,000. */
  readonly stopTimeoutMs?: number;
}

const exitByKind = { usage: 2, failure: 1, interrupted: 130 };

/**
 * Runs a service until SIGTERM or SIGINT, then stops it and exits the process.
 *
 * Exit codes: 0 after a graceful stop and `--help`, 1 after a failure or a stop that timed out, 2 for an invalid command
 * line, 130 if a second signal aborts the stop. An unhandled rejection or exception is a failure. The reason is one line
 * on standard error, in the log format; an unexpected error is printed with its stack.
 */
export async function runService({ name, start, stopTimeoutMs = 30_000 }: RunServiceOptions): Promise<void> {
  logWarnings(name);
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
    if (!told.signal.aborted) process.stdout.write(`${service.readyLine ?? `${name} has started`}\n`);
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
  if (error instanceof TextRequested) {
    process.stdout.write(`${error.message}\n`);
    process.exit(0);
  }
  const isExplained = error instanceof FlagError || error instanceof Refusal || isAboutPath(error);
  if (isTextLog())
    process.stderr.write(`${name}: ${isExplained ? errorMessage(error) : errorStack(error)}\n`);
  else {
    const log = createLogger({ fields: { service: name } });
    if (isExplained) log.error(errorMessage(error));
    else log.error('the service failed', { error: errorStack(error) });
  }
  process.exit(error instanceof FlagError ? exitByKind.usage : exitByKind.failure);
}

/** Whether the error is a failed system call on a path: its message names the path, and a stack would not help an operator. */
function isAboutPath(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

/**
 * Whether this process logs text: by the flag or its environment variable, or because standard error is a terminal.
 * Reads the command line itself, because the flags may be invalid.
 */
function isTextLog(): boolean {
  const flag = '--log-format';
  const at = process.argv.findLastIndex(argument => argument === flag || argument.startsWith(`${flag}=`));
  const [given, next] = at < 0 ? [] : process.argv.slice(at, at + 2);
  const format = given === flag ? next : given?.slice(flag.length + 1);
  const chosen = format ?? process.env['BINNACLE_LOG_FORMAT'] ?? 'auto';
  return chosen === 'text' || (chosen !== 'json' && process.stderr.isTTY === true);
}

/** Logs Node's warnings as structured log entries, so that standard error holds nothing else. */
function logWarnings(name: string): void {
  if (isTextLog()) return;
  process.removeAllListeners('warning');
  const log = createLogger({ fields: { service: name } });
  process.on('warning', warning => log.warn(warning.message, { warning: warning.name }));
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
