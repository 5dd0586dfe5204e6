import { pollUntil } from '@binnacle/backends';
import type { Distributed } from './start-distributed.ts';
import type { Supervisor } from './supervise.ts';

/**
 * Restarts the process of that name and waits until it is ready: a backend until it serves, a service until its `/readyz`
 * says so. Gives a sentence for people; fails with one where there is no such process, or it does not start.
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
