import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A storage pod as a process of its own, for tests. */
export interface PodProcess {
  readonly child: ChildProcess;
  readonly address: string;
  /** `http://host:port` of metrics and health. */
  readonly operations: string;
}

/** Starts a pod without TLS on two free ports, and waits for its first line of log. */
export async function startPod(
  [port, operationsPort]: readonly [number, number],
  flags: Readonly<Record<string, string | number>>,
): Promise<PodProcess> {
  const all = { ...flags, port, 'operations-port': operationsPort, insecure: true };
  const args = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, '../main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout!, 'data');
  return { child, address: `127.0.0.1:${port}`, operations: `http://127.0.0.1:${operationsPort}` };
}

/** Ends a pod that still runs, and waits until it has ended. */
export async function stopPod({ child }: PodProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
