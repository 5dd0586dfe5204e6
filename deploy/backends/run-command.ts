import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

/** Options of a command of the installation. */
interface CommandOptions {
  readonly workingDirectory?: string;
  /** Milliseconds after which the command is ended; 10 minutes by default. */
  readonly timeoutMs?: number;
}

/** Runs a command to its end and returns its output; the error of a failure holds the last lines of both streams. */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  try {
    const { stdout } = await runFile(command, args, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' },
      timeout: options.timeoutMs ?? 10 * 60_000,
      maxBuffer: 64 * 1024 * 1024,
      ...(options.workingDirectory === undefined ? {} : { cwd: options.workingDirectory }),
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}\n${stderr}`.trim().split('\n').slice(-12).join('\n  ');
    throw new Error(`"${[command, ...args].join(' ')}" failed:\n  ${output}`, { cause: error });
  }
}
