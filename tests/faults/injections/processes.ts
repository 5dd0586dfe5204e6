import { setTimeout as sleep } from 'node:timers/promises';
import { freezeProcess, type ManagedProcess } from '@binnacle/backends';
import { createInjection, type Injection } from './injection.ts';

/** Kills a process at once; the end starts it again and waits until it is ready. */
export async function kill(target: ManagedProcess): Promise<Injection> {
  await target.kill();
  return createInjection(`kill ${target.name}`, () => target.restart());
}

/** Asks a process to end, as a rolling update does, and waits until it has; the end starts it again and waits until it is ready. */
export async function stop(target: ManagedProcess): Promise<Injection> {
  await target.stop();
  return createInjection(`stop ${target.name}`, () => target.restart());
}

/**
 * Stops a process with SIGSTOP: connections to it stay open, new ones are accepted by the kernel, and nothing is answered.
 * Resolves when it stands still. The end lets it go on; a process that was killed meanwhile is left alone.
 */
export async function freeze(target: ManagedProcess): Promise<Injection> {
  const pid = getPid(target);
  await freezeProcess(pid);
  return createInjection(`freeze ${target.name}`, () => thaw(target, pid));
}

/** How long a process stands still, and how long it runs in between. */
interface Rhythm {
  readonly frozenMs: number;
  readonly runningMs: number;
}

/** Freezes a process again and again: a machine that swaps, or a disk on which every write takes its time. */
export function freezeInRhythm(target: ManagedProcess, { frozenMs, runningMs }: Rhythm): Injection {
  const ending = new AbortController();
  const wait = (ms: number) => sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  const running = (async () => {
    while (!ending.signal.aborted && target.pid !== undefined) {
      const { pid } = target;
      process.kill(pid, 'SIGSTOP');
      await wait(frozenMs);
      thaw(target, pid);
      await wait(runningMs);
    }
  })();
  return createInjection(`freeze ${target.name} ${frozenMs} ms of ${frozenMs + runningMs}`, async () => {
    ending.abort();
    await running;
  });
}

function thaw(target: ManagedProcess, pid: number): void {
  if (target.pid === pid) process.kill(pid, 'SIGCONT');
}

function getPid({ name, pid }: ManagedProcess): number {
  if (pid === undefined) throw new Error(`${name} does not run`);
  return pid;
}
