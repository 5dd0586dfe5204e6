import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const waitLimitMs = 15 * 60_000;

/**
 * Runs an action while no other process on this machine runs one under the same folder's lock. The lock is
 * a file that names its holder's process id; a lock whose holder is dead is taken over.
 */
export async function withInstallLock<T>(directory: string, action: () => Promise<T>): Promise<T> {
  mkdirSync(directory, { recursive: true });
  const lockFile = join(directory, 'install.lock');
  const end = performance.now() + waitLimitMs;
  while (!tryLock(lockFile)) {
    if (performance.now() > end) throw new Error(`another installation has held ${lockFile} for 15 minutes`);
    await delay(200);
  }
  try {
    return await action();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function tryLock(lockFile: string): boolean {
  const ownFile = `${lockFile}.${process.pid}`;
  writeFileSync(ownFile, String(process.pid));
  try {
    // A link appears together with its content, so that no process reads a lock without a holder.
    linkSync(ownFile, lockFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (!holderIsAlive(lockFile)) rmSync(lockFile, { force: true });
    return false;
  } finally {
    rmSync(ownFile, { force: true });
  }
}

function holderIsAlive(lockFile: string): boolean {
  try {
    process.kill(Number(readFileSync(lockFile, 'utf8')), 0);
    return true;
  } catch (error) {
    // EPERM is a living process of another user; anything else is a holder or a lock that is gone.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
