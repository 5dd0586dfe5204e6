import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** Whether a program could not be started because there is none of its name. */
export function isAbsentProgram(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Runs a program with the streams of this process, and resolves with its exit code, 128 and more for one that a signal has ended. */
export async function runProgram(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const [code, signal]: (number | NodeJS.Signals | null)[] = await once(child, 'close');
  if (typeof code === 'number') return code;
  return 128 + (typeof signal === 'string' ? constants.signals[signal] : 0);
}
