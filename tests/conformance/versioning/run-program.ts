import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

const services = resolve(import.meta.dirname, '../../../services');
/** Longest time that a program may take to say that it does not start. */
const patienceMs = 60_000;

/** How a program ended. */
export interface ProgramEnd {
  /** Null: it was still running and was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program of a service with these arguments to its end. */
export function runProgram(service: string, ...args: string[]): Promise<ProgramEnd> {
  const program = resolve(services, service, 'main.ts');
  return new Promise(end => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { timeout: patienceMs },
      (_, stdout, stderr) => end({ code: child.exitCode, stdout, stderr }),
    );
  });
}
