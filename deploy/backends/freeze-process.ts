import { readdirSync, readFileSync } from 'node:fs';
import { pollUntil } from './poll-until.ts';

/**
 * Freezes a process with SIGSTOP: its connections stay open, the kernel accepts new ones, and nothing is answered. Resolves once every
 * thread stands still: on a busy machine they go on for a while after the signal. SIGCONT lets the process go on.
 */
export async function freezeProcess(pid: number | undefined): Promise<void> {
  if (pid === undefined) throw new Error('a process that does not run cannot be frozen');
  process.kill(pid, 'SIGSTOP');
  const states = () =>
    readdirSync(`/proc/${pid}/task`).map(thread =>
      readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8'),
    );
  await pollUntil(`process ${pid} to freeze`, () => states().every(status => /^State:\s+T/m.test(status)), {
    intervalMs: 5,
  });
}
