import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '@binnacle/backend-access';

/** The process that holds a directory: the start time distinguishes it from a later process with the same id. */
interface Holder {
  readonly pid: number;
  readonly startedAt: string;
}

/**
 * Locks a directory for this process, and returns the function that releases it.
 *
 * The lock of a process that ended without releasing it is taken over. Fails, naming the holder, while it lives.
 *
 * Holders are numbered: `lock.7` is taken over by the process that creates `lock.8`; only one can. The highest
 * number is never removed, a release only empties it, so a lower one that a late process makes is known to be late.
 */
export async function lockDirectory(directory: string, setting: string): Promise<() => Promise<void>> {
  const own = join(directory, `lock-${process.pid}-${process.hrtime.bigint()}`);
  const holder: Holder = { pid: process.pid, startedAt: await readStartTime(process.pid) };
  await writeFile(own, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (;;) {
      const highest = await highestLock(directory);
      const current = await readHolder(lockPath(directory, highest));
      if (current !== undefined && (await isAlive(current))) {
        throw new Refusal(
          `the data directory ${directory} is in use by process ${current.pid}: end it, or set ${setting} to another folder`,
        );
      }
      const mine = highest + 1;
      if (!(await tryLink(own, lockPath(directory, mine)))) continue;
      if ((await highestLock(directory)) === mine) {
        await removeLower(directory, mine);
        return () => release(directory, mine);
      }
      await rm(lockPath(directory, mine), { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Finds the id of the process that a directory is locked for, whether it lives or not; undefined when the lock was released. */
export async function findHolder(directory: string): Promise<number | undefined> {
  const holder = await readHolder(lockPath(directory, await highestLock(directory)));
  return holder === undefined || holder.pid === 0 ? undefined : holder.pid;
}

function lockPath(directory: string, number: number): string {
  return join(directory, `lock.${number}`);
}

/** Finds the number of the last lock, 0 when there is none. */
async function highestLock(directory: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(directory)));
}

async function lockNumbers(directory: string): Promise<number[]> {
  const names = await readdir(directory);
  return names.map(name => Number(/^lock\.(\d+)$/.exec(name)?.[1] ?? 0)).filter(number => number > 0);
}

async function removeLower(directory: string, mine: number): Promise<void> {
  for (const number of await lockNumbers(directory)) {
    if (number < mine) await rm(lockPath(directory, number), { force: true });
  }
}

async function release(directory: string, mine: number): Promise<void> {
  await writeFile(lockPath(directory, mine), '');
}

/** Creates a hard link, which appears complete or not at all; only one process can create it. */
async function tryLink(own: string, path: string): Promise<boolean> {
  try {
    await link(own, path);
    return true;
  } catch (thrown) {
    if (isErrno(thrown, 'EEXIST')) return false;
    throw thrown;
  }
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const { pid, startedAt } = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>; // Checked below.
    return typeof pid === 'number' && typeof startedAt === 'string'
      ? { pid, startedAt }
      : { pid: 0, startedAt: '' };
  } catch (thrown) {
    if (isErrno(thrown, 'ENOENT')) return undefined;
    if (thrown instanceof SyntaxError) return { pid: 0, startedAt: '' };
    throw thrown;
  }
}

async function isAlive({ pid, startedAt }: Holder): Promise<boolean> {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (thrown) {
    if (isErrno(thrown, 'ESRCH')) return false;
  }
  return startedAt === (await readStartTime(pid));
}

/** Reads the start time of a process, in the kernel's ticks since boot; empty where the system does not tell. */
async function readStartTime(pid: number): Promise<string> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the start time is the 22nd.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function isErrno(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
