import { setTimeout as sleep } from 'node:timers/promises';
import { type ManagedProcess, pollUntil } from '@binnacle/backends';
import { publishingStorage } from '@binnacle/compose';
import { findEtcdLeader } from '../injections/etcd-leader.ts';
import { combineInjections, createInjection, type Injection } from '../injections/injection.ts';
import { freeze, freezeInRhythm, kill, stop } from '../injections/processes.ts';
import { findTopicLeader } from '../injections/topic-leader.ts';
import type { FaultyForm } from './faulty-form.ts';
import { type FaultKind, type PlannedFault, type Role, roles } from './plan-faults.ts';
import type { HistoryRecorder } from './recording/recorder.ts';

const slowness = { frozenMs: 250, runningMs: 50 };
const ofOneProcess = {
  kill,
  freeze,
  stop,
  slow: (target: ManagedProcess) => Promise.resolve(freezeInRhythm(target, slowness)),
};

/**
 * Injects the planned faults one after the other until the signal; everything is put back when it resolves. What cannot be done
 * on this machine is left out.
 */
export async function injectFaults(
  at: FaultyForm,
  plan: Iterable<PlannedFault>,
  recorder: HistoryRecorder,
  signal: AbortSignal,
): Promise<void> {
  const wait = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
  for (const fault of plan) {
    await wait(fault.afterMs);
    if (signal.aborted) return;
    if (at.leftOut.has(fault.kind)) continue;
    const start = recorder.now();
    const injection = await injectFault(at, fault);
    await wait(fault.forMs);
    await putBack(injection, at);
    recorder.add({ kind: 'fault', start, end: recorder.now(), what: injection.what });
  }
}

/** Ends a fault; on a machine that is busy otherwise a process may need more than one start. */
async function putBack(injection: Injection, { form }: FaultyForm): Promise<void> {
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

async function injectFault(at: FaultyForm, fault: PlannedFault): Promise<Injection> {
  const names: string[] = [];
  for (const target of fault.targets) {
    const name = isRole(target) ? await findRole[target](at) : target;
    if (!names.includes(name)) names.push(name);
  }
  const injection = await begin(at, fault, names);
  const chosen = fault.targets.filter(isRole);
  return chosen.length === 0
    ? injection
    : createInjection(`${injection.what} (${chosen.join(', ')})`, injection.end);
}

async function begin(
  at: FaultyForm,
  { kind, stepMs = 0 }: PlannedFault,
  names: readonly string[],
): Promise<Injection> {
  if (kind === 'cut') return cutOff(at, names);
  const injections: Injection[] = [];
  for (const name of names) injections.push(await beginAt(at, name, { kind, stepMs }));
  return combineInjections(injections);
}

async function beginAt(
  at: FaultyForm,
  name: string,
  { kind, stepMs }: { readonly kind: Exclude<FaultKind, 'cut'>; readonly stepMs: number },
): Promise<Injection> {
  if (kind === 'fill') return at.fill(name);
  if (kind === 'clock') return at.stepClock(name, stepMs);
  return await ofOneProcess[kind](at.form.process(name));
}

function cutOff({ form }: FaultyForm, names: readonly string[]): Injection {
  const others = form.etcdMembers.map(({ name }) => name).filter(name => !names.includes(name));
  form.divide(...names.map(name => [name]), others);
  return createInjection(`cut off ${names.join(', ')}`, () => form.divide());
}

function isRole(target: string): target is Role {
  return roles.some(role => role === target);
}

/** Finds the process that has a role at the moment. */
const findRole: Readonly<Record<Role, (at: FaultyForm) => Promise<string>>> = {
  publisher: ({ form }) => publishingStorage(form),
  'etcd-leader': async ({ form, dataDirectory }) => (await findEtcdLeader(form, dataDirectory)).leader.name,
  async 'etcd-follower'({ form, dataDirectory }) {
    const { leader, others } = await findEtcdLeader(form, dataDirectory);
    return (others.find(({ running }) => running) ?? leader).name;
  },
  'topic-leader': ({ form, dataDirectory }) => findTopicLeader(form, dataDirectory),
};
