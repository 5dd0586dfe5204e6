import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { enableCompileCache, getCompileCacheDir } from 'node:module';
import { dirname, join } from 'node:path';

/** Beside the code: a user who can write there can change the code itself. */
const besideTheCode = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

/**
 * Has Node keep what it compiles of the modules that are imported from now on, and use what it has kept: a start costs half of the
 * processor time. Without effect where `NODE_COMPILE_CACHE` says where that is, and where the folder cannot be made or is not this
 * user's alone, such as on a read-only file system: what is kept there is run as code.
 */
export function keepCompiledCode(folder: string = besideTheCode): void {
  if (getCompileCacheDir() === undefined && makePrivate(folder)) enableCompileCache(folder);
}

/** Makes a folder that this user alone can read and write; gives whether it is there and no other user could write there. */
export function makePrivate(folder: string): boolean {
  try {
    const parent = dirname(folder);
    mkdirSync(parent, { recursive: true });
    // Others could put a folder of theirs in its place.
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
