import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** Options of a podman command. */
interface PodmanOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The output of a command in a container, and how it ended. */
export interface CommandResult {
  readonly code: number;
  readonly output: string;
  /** Standard output and standard error. */
  readonly text: string;
}

/**
 * Containers do not start everywhere with the limits of the machine, so that containers and builds without limits of
 * their own get these.
 */
export const defaultLimits: readonly string[] = [
  '--ulimit',
  'nofile=4096:4096',
  '--ulimit',
  'nproc=8192:8192',
];

const mostOutputBytes = 64 * 1024 * 1024;

/** Runs a podman command with runc and returns what it writes; throws with its messages when it fails. */
export async function podman(args: readonly string[], options: PodmanOptions = {}): Promise<string> {
  const { code, output, text } = await tryPodman(args, options);
  if (code !== 0)
    throw new Error(`podman ${args.slice(0, 2).join(' ')} failed (${code}):\n${text.slice(-4000)}`);
  return output.trim();
}

/** Runs a podman command and returns what it writes and its exit code. */
export async function tryPodman(
  args: readonly string[],
  { timeoutMs = 60_000, signal }: PodmanOptions = {},
): Promise<CommandResult> {
  try {
    const { stdout, stderr } = await runFile('podman', ['--runtime', 'runc', ...args], {
      // Health checks are run by this program: podman would need systemd's timers.
      env: { ...process.env, DISABLE_HC_SYSTEMD: 'true' },
      maxBuffer: mostOutputBytes,
      timeout: timeoutMs,
      ...(signal && { signal }),
    });
    return { code: 0, output: stdout, text: `${stdout}${stderr}` };
  } catch (thrown) {
    const { code, stdout = '', stderr = '' } = thrown as { code?: unknown; stdout?: string; stderr?: string };
    if (typeof code === 'number') return { code, output: stdout, text: `${stdout}${stderr}` };
    // It did not start, or took too long.
    return { code: -1, output: stdout, text: `${stdout}${stderr}${String(thrown)}` };
  }
}
