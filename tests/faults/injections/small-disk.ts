import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInjection, type Injection } from './injection.ts';

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
  // Lazily: a process that has just been killed may still hold it.
  const unmount = () => void execFileSync('umount', ['--lazy', path]);
  // Its content is memory, and stays when the process ends early.
  process.once('exit', unmount);
  return {
    path,
    fill() {
      shrink(path);
      return createInjection(`fill ${path}`, () => resize(path, bytes));
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', unmount);
      unmount();
    },
  };
}

function mount(path: string, bytes: number): void {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], { stdio: 'pipe' });
}

function resize(path: string, bytes: number): void {
  execFileSync('mount', ['-o', `remount,size=${bytes}`, path], { stdio: 'pipe' });
}

const shrinkAttempts = 20;

/** Makes the file system as small as what is in it, which takes no memory as a file that fills it would. */
function shrink(path: string): void {
  for (let attempt = 1; ; attempt++) {
    const { blocks, bfree, bsize } = statfsSync(path);
    try {
      resize(path, (blocks - bfree) * bsize);
      return;
    } catch (error) {
      // It is refused where files have grown since.
      if (attempt === shrinkAttempts) throw error;
    }
  }
}
