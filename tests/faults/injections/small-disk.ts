import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Injection, injectionOf } from './injection.ts';

/** A file system of its own, in memory, small enough to be filled. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Takes all the room that is left; the end gives it back. */
  fill(): Injection;
}

/** Why no small disk can be made here; undefined where one can. */
export function smallDisksMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may mount a file system';
  const directory = join(tmpdir(), `binnacle-mount-${process.pid}`);
  try {
    mount(directory, 65_536);
    execFileSync('umount', [directory]);
    return undefined;
  } catch {
    return 'this machine lets nothing be mounted';
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Mounts a file system of that many bytes at a path; disposing unmounts it, with all that it holds. */
export function createSmallDisk(path: string, bytes: number): SmallDisk {
  mount(path, bytes);
  return {
    path,
    fill() {
      const file = join(path, 'ballast');
      const { bavail, bsize } = statfsSync(path);
      fillWith(file, bavail * bsize);
      return injectionOf(`fill ${path}`, () => rmSync(file, { force: true }));
    },
    async [Symbol.asyncDispose]() {
      // Lazily: a process that has just been killed may still hold it.
      execFileSync('umount', ['--lazy', path]);
    },
  };
}

function mount(path: string, bytes: number): void {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'pipe' });
}

/** A file that is written takes room, one that is only made long does not. */
function fillWith(file: string, bytes: number): void {
  const piece = Buffer.alloc(65_536);
  try {
    for (let written = 0; written <= bytes; written += piece.length)
      writeFileSync(file, piece, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error; // A system error has a code.
  }
}
