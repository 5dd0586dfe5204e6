import { type ManagedProcess, pollUntil } from '@binnacle/backends';
import { Backoff, pause } from '@binnacle/event-loop';
import { errorMessage } from '@binnacle/status-errors';
import type { Distributed } from './start-distributed.ts';

/** Options of the supervision of processes. */
interface SupervisorOptions {
  /** Called with a text about each action, for the user. */
  report(text: string): void;
  /** Milliseconds before the first of several restarts in a row; twice as many before each further one. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** Milliseconds that a process has to live for its restarts to be no longer in a row. */
  readonly steadyMs?: number;
}

/** Restarts processes that end by themselves, after a pause. */
export class Supervisor implements AsyncDisposable {
  readonly #options: Required<SupervisorOptions>;
  readonly #ending = new AbortController();
  readonly #restarts = new Map<string, Promise<void>>();
  readonly #inARow = new Map<string, { backoff: Backoff; startedAt: number }>();

  constructor(options: SupervisorOptions) {
    this.#options = { firstPauseMs: 1000, longestPauseMs: 30_000, steadyMs: 60_000, ...options };
  }

  /** Starts a process again that has ended; further ends before it is ready are the same restart. */
  ended(managed: ManagedProcess): void {
    if (this.#ending.signal.aborted || this.#restarts.has(managed.name)) return;
    this.#run(managed, () => this.#untilReady(managed));
  }

  /**
   * Stops a process as an operator does, starts it at once and waits until it is ready. One that does not start fails this, and
   * is started again as if it had ended by itself.
   */
  async restart(managed: ManagedProcess): Promise<void> {
    this.#ending.signal.throwIfAborted();
    // One that is being restarted already is waited for: it must not be started twice.
    await this.#restarts.get(managed.name);
    try {
      await this.#run(managed, async () => {
        await managed.stop();
        await managed.restart();
      });
    } finally {
      if (!managed.running) this.ended(managed);
    }
  }

  /** Waits for the restarts under way, and begins no more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await Promise.allSettled(this.#restarts.values());
  }

  #run({ name }: ManagedProcess, work: () => Promise<void>): Promise<void> {
    const running = work().finally(() => this.#restarts.delete(name));
    this.#restarts.set(name, running);
    running.catch(() => {}); // The caller of `restart` gets it.
    return running;
  }

  async #untilReady(managed: ManagedProcess): Promise<void> {
    const { report } = this.#options;
    while (!this.#ending.signal.aborted) {
      const backoff = this.#backoffOf(managed.name);
      const pauseMs = backoff.next();
      report(`${managed.name} is started again in ${pauseMs / 1000} s`);
      await pause(pauseMs, this.#ending.signal);
      if (this.#ending.signal.aborted) return;
      try {
        await managed.restart();
        this.#inARow.set(managed.name, { backoff, startedAt: performance.now() });
        // It may have ended in the instant after it was ready.
        if (!managed.running) continue;
        report(`${managed.name} runs again`);
        return;
      } catch (error) {
        report(errorMessage(error));
        this.#inARow.set(managed.name, { backoff, startedAt: performance.now() });
      }
    }
  }

  /** The pauses of a process, which begin anew after a restart that lasted. */
  #backoffOf(name: string): Backoff {
    const { firstPauseMs: firstMs, longestPauseMs: longestMs, steadyMs } = this.#options;
    const last = this.#inARow.get(name);
    if (last !== undefined && performance.now() - last.startedAt < steadyMs) return last.backoff;
    return new Backoff({ firstMs, longestMs, random: () => 0 });
  }
}

/**
 * Restarts the process of that name and waits until it is ready: a backend until it serves, a service until its
 * `/readyz` says so. Returns a sentence for the user; fails with one where there is no such process, or it does not
 * start.
 */
export async function restartByName(
  name: string,
  form: Pick<Distributed, 'processes' | 'operationsPort'>,
  supervisor: Supervisor,
): Promise<string> {
  const managed = form.processes.get(name);
  if (managed === undefined) {
    const names = [...form.processes.keys()].sort().join(', ');
    throw new Error(`there is no process ${JSON.stringify(name)}: there are ${names}`);
  }
  await supervisor.restart(managed);
  if (!/^(etcd|kafka|redis|balancer)-/.test(name)) {
    const readyz = `http://127.0.0.1:${form.operationsPort(name)}/readyz`;
    await pollUntil(`${name} to be ready`, async signal => (await fetch(readyz, { signal })).ok);
  }
  return `${name} is ready`;
}
