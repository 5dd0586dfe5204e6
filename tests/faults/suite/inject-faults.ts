import { setTimeout as sleep } from 'node:timers/promises';
import { type ManagedProcess, pollUntil } from '@binnacle/backends';
import type { Distributed } from '@binnacle/compose';
import { allOf, type Injection, injectionOf } from '../injections/injection.ts';
import { freeze, freezeInRhythm, kill, stop } from '../injections/processes.ts';
import { publishingStorage } from '../publishing-storage.ts';
import type { FaultKind, PlannedFault } from './plan-faults.ts';
import type { HistoryRecorder } from './recording/recorder.ts';

const slowness = { frozenMs: 250, runningMs: 50 };
const begin = {
  kill,
  freeze,
  stop,
  slow: (target: ManagedProcess) => Promise.resolve(freezeInRhythm(target, slowness)),
};

/** Injects the planned faults one after the other until the signal; everything is put back when it resolves. */
export async function injectFaults(
  form: Distributed,
  plan: Iterable<PlannedFault>,
  recorder: HistoryRecorder,
  signal: AbortSignal,
): Promise<void> {
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  for (const { afterMs, kind, targets, forMs } of plan) {
    await wait(afterMs);
    if (signal.aborted) return;
    const start = recorder.now();
    const injection = await injectFault(form, kind, targets);
    await wait(forMs);
    await putBack(injection, form);
    recorder.add({ kind: 'fault', start, end: recorder.now(), what: injection.what });
  }
}

/** Ends a fault; on a machine that is busy otherwise a process may need more than one start. */
async function putBack(injection: Injection, form: Distributed): Promise<void> {
  try {
    await injection.end();
  } catch {
    await pollUntil(
      `the end of: ${injection.what}`,
      async () => {
        for (const managed of form.processes.values()) if (!managed.running) await managed.restart();
        return true;
      },
      { timeoutMs: 180_000 },
    );
  }
}

async function injectFault(
  form: Distributed,
  kind: FaultKind,
  targets: readonly string[],
): Promise<Injection> {
  if (kind === 'cut') {
    const others = form.etcdMembers.map(({ name }) => name).filter(name => !targets.includes(name));
    form.divide(...targets.map(target => [target]), others);
    return injectionOf(`cut off ${targets.join(', ')}`, () => form.divide());
  }
  const injections: Injection[] = [];
  for (const target of targets) {
    const name = target === 'publisher' ? await publishingStorage(form) : target;
    injections.push(await begin[kind](form.process(name)));
  }
  return allOf(injections);
}
