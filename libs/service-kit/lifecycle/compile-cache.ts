import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';

/** In the installation directory: a user who can write there can change the code itself. */
const besideTheCode = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

/**
 * Enables Node's compile cache for all modules imported afterwards; it halves the CPU time of a start. Without effect if
 * `NODE_COMPILE_CACHE` is set, or if the folder cannot be created or other users can write to it, because cached code is
 * executed.
 */
export function keepCompiledCode(folder: string = besideTheCode): void {
  if (getCompileCacheDir() === undefined && makePrivate(folder)) enableCompileCache(folder);
}

/** Creates a folder that only this user can read and write; returns whether it exists and no other user could write to it. */
export function makePrivate(folder: string): boolean {
  try {
    const parent = dirname(folder);
    mkdirSync(parent, { recursive: true });
    // A user who can write to the parent could replace the folder.
    if (!isSafe(lstatSync(parent))) return false;
    makeFolder(folder);
    const found = lstatSync(folder);
    if (!found.isDirectory() || !isOwn(found)) return false;
    if (!readdirSync(folder).every(name => isOwn(lstatSync(join(folder, name))))) return false;
    if ((found.mode & forOthers) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    return false;
  }
}

const forOthers = 0o077;
const writableByOthers = 0o022;
const rootUser = 0;

function isSafe(stats: Stats): boolean {
  return isOwn(stats) || (stats.uid === rootUser && (stats.mode & writableByOthers) === 0);
}

function isOwn({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & writableByOthers) === 0;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
