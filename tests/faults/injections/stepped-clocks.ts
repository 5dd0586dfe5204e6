import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInjection, type Injection } from './injection.ts';

const source = join(import.meta.dirname, 'stepped-clock.c');

/** Why clocks cannot be stepped here; undefined where they can. */
export function steppedClocksMissing(): string | undefined {
  if (process.platform !== 'linux') return 'only the loader of Linux takes the clock of tests';
  try {
    execFileSync('gcc', ['-fsyntax-only', source], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'gcc, or what it needs of the C library, is not installed';
  }
}

/**
 * Wall clocks of single processes, each as far ahead or behind as wanted. A program whose runtime does not ask the C library for
 * the time, such as one in Go, keeps the clock of the machine.
 */
export class SteppedClocks {
  readonly #directory: string;
  readonly #library: string;

  /** Compiles what is loaded into the processes. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#library = join(directory, 'stepped-clock.so');
    mkdirSync(directory, { recursive: true });
    execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', this.#library, source, '-ldl'], { stdio: 'pipe' });
  }

  /** The environment in which the process of that name has a clock of its own; it shows the time of the machine at first. */
  createEnvironment(name: string): Record<string, string> {
    const file = this.#findFile(name);
    writeFileSync(file, Buffer.alloc(8));
    return { LD_PRELOAD: this.#library, STEPPED_CLOCK_FILE: file };
  }

  /** Sets the clock of a process ahead, or back where the milliseconds are negative, until the end; also over restarts. */
  step(name: string, aheadMs: number): Injection {
    this.#write(name, aheadMs);
    const direction = aheadMs < 0 ? 'back' : 'ahead';
    return createInjection(`clock of ${name} ${Math.abs(aheadMs) / 1000} s ${direction}`, () =>
      this.#write(name, 0),
    );
  }

  #findFile(name: string): string {
    return join(this.#directory, name);
  }

  /** In place: the processes have mapped the file. */
  #write(name: string, aheadMs: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(aheadMs));
    const file = openSync(this.#findFile(name), 'r+');
    try {
      writeSync(file, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(file);
    }
  }
}
