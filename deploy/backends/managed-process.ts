import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { executableOnPath } from './locations.ts';

/** Options of the start, readiness and end of a child process. */
export interface ManagedProcessOptions {
  /** The name in error messages, for example `etcd-1`. */
  readonly name: string;
  readonly command: string;
  readonly arguments: readonly string[];
  /** Added to the environment of this process; undefined takes a variable out of it. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory?: string;
  /** Standard output and standard error are appended to it. */
  readonly logFile: string;
  /** Holds the process id while the process runs. */
  readonly pidFile?: string;
  /** Resolves when the process serves; the signal ends the wait. Ready at once when absent. */
  ready?(signal: AbortSignal): Promise<void>;
  /** Ends a start that is under way; the process is then killed. */
  readonly signal?: AbortSignal;
  /** Milliseconds that `ready` may take; 60,000 by default. */
  readonly readyTimeoutMs?: number;
  /** Milliseconds between the stop signal and SIGKILL; 10,000 by default. */
  readonly stopTimeoutMs?: number;
  /** Called with the process when it ends by itself. */
  onUnexpectedExit?(description: string, managed: ManagedProcess): void;
}

/**
 * A child process with a life of its own that can be killed and started again with the same arguments.
 * It is in a session of its own, so that Ctrl-C in a terminal reaches only its parent, and the kernel
 * kills it when the parent dies, however that happens.
 */
export interface ManagedProcess extends AsyncDisposable {
  readonly name: string;
  readonly logFile: string;
  /** The current process id; undefined when it does not run. */
  readonly pid: number | undefined;
  readonly running: boolean;
  /** How the process ended, with its last log lines; undefined while it runs. */
  readonly ending: string | undefined;
  /** Sends the signal (SIGTERM by default), waits for the end, and sends SIGKILL after the stop timeout. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
  /** Kills the process where it still runs, starts it again and waits until it is ready. */
  restart(): Promise<void>;
}

/** Starts a process and waits until it is ready; the error of a failed start ends with its last log lines. */
export async function startManagedProcess(options: ManagedProcessOptions): Promise<ManagedProcess> {
  const managed = new ChildProcessWithLife(options);
  await managed.start();
  return managed;
}

class ChildProcessWithLife implements ManagedProcess {
  readonly #options: ManagedProcessOptions;
  #child: ChildProcess | undefined;
  #exited: Promise<string> = Promise.resolve('not started');
  #ending: string | undefined;
  #stopping = false;

  constructor(options: ManagedProcessOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get logFile(): string {
    return this.#options.logFile;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  get ending(): string | undefined {
    return this.running ? undefined : `${this.#ending}\n${this.#lastLogLines()}`;
  }

  async start(): Promise<void> {
    this.#stopping = false;
    this.#spawn();
    const startupEnd = new AbortController();
    const timeoutMs = this.#options.readyTimeoutMs ?? 60_000;
    const signal = AbortSignal.any([
      startupEnd.signal,
      AbortSignal.timeout(timeoutMs),
      ...(this.#options.signal ? [this.#options.signal] : []),
    ]);
    const exitedEarly = this.#exited.then(description => {
      throw new Error(description);
    });
    try {
      await Promise.race([this.#options.ready?.(signal) ?? Promise.resolve(), exitedEarly]);
    } catch (error) {
      await this.kill();
      throw new Error(`${this.name} did not start: ${messageWithCause(error)}\n${this.#lastLogLines()}`, {
        cause: error,
      });
    } finally {
      exitedEarly.catch(() => {});
      startupEnd.abort();
    }
    // An owner that forgets to stop it can still end; the kernel then ends the child.
    this.#child?.unref();
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#stopping = true;
    child.ref();
    child.kill(signal);
    const killTimer = setTimeout(() => child.kill('SIGKILL'), this.#options.stopTimeoutMs ?? 10_000);
    await this.#exited;
    clearTimeout(killTimer);
  }

  kill(): Promise<void> {
    return this.stop('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #spawn(): void {
    const { command, arguments: args, environment, workingDirectory, logFile, pidFile } = this.#options;
    mkdirSync(dirname(logFile), { recursive: true });
    const log = openSync(logFile, 'a');
    const guarded = [
      '--pdeathsig',
      'KILL',
      '--',
      'sh',
      '-c',
      unlessOrphaned,
      String(process.pid),
      command,
      ...args,
    ];
    const child = spawn(parentDeathGuard(), guarded, {
      stdio: ['ignore', log, log],
      detached: true,
      env: { ...process.env, ...environment },
      ...(workingDirectory === undefined ? {} : { cwd: workingDirectory }),
    });
    closeSync(log);
    this.#child = child;
    this.#exited = new Promise(resolve => {
      child.once('error', error => this.#ended(`could not be run: ${error.message}`, resolve));
      child.once('exit', (code, signal) => this.#ended(`ended with ${signal ?? `code ${code}`}`, resolve));
    });
    if (pidFile !== undefined && child.pid !== undefined) writeFileSync(pidFile, `${child.pid}\n`);
  }

  #ended(description: string, resolve: (description: string) => void): void {
    if (this.#child === undefined) return;
    this.#child = undefined;
    this.#ending = description;
    if (this.#options.pidFile !== undefined) rmSync(this.#options.pidFile, { force: true });
    resolve(description);
    if (!this.#stopping) this.#options.onUnexpectedExit?.(`${this.name} ${description}`, this);
  }

  #lastLogLines(): string {
    const lines = readFileSync(this.logFile, 'utf8').trimEnd().split('\n');
    return lines
      .slice(-15)
      .map(line => `  ${line.slice(0, 500)}`)
      .join('\n');
  }
}

/** Runs a command unless the parent, whose id comes first, has died before the kernel was told to watch it. */
const unlessOrphaned = '[ "$PPID" = "$0" ] || exit 1; exec "$@"';

function parentDeathGuard(): string {
  const file = executableOnPath('setpriv');
  if (file === undefined) throw new Error('setpriv is missing: install the package util-linux');
  return file;
}

function messageWithCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
