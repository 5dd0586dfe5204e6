import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Refusal } from '@binnacle/backend-access';
import { errorMessage } from '@binnacle/status-errors';

/**
 * Makes a folder for the data of this process, and the folders above it that are missing, for their owner alone. Rejects with a
 * Refusal that names the setting, the path and the remedy where the folder cannot be made, or cannot be written to.
 *
 * Folders are made one by one: of a path such as one under `/proc`, where they cannot be made, Node's recursive `mkdir` never
 * comes back.
 */
export async function makeDataFolder(folder: string, setting: string): Promise<void> {
  const path = resolve(folder);
  const refuse = (reason: string, cause?: unknown): never => {
    throw new Refusal(`${setting}: ${reason}`, { cause });
  };
  const missing = await missingFolders(path, refuse);
  for (const each of missing) {
    try {
      await mkdir(each, { mode: 0o700 });
    } catch (error) {
      // Another process that starts may have made it meanwhile.
      if (codeOf(error) !== 'EEXIST')
        refuse(
          `the folder ${each} cannot be created: ${codeOf(error) === 'ENOENT' ? unmakeable : reasonOf(error)}`,
          error,
        );
    }
  }
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    refuse(`the folder ${path} cannot be written to: ${await ownerOrReason(path, error)}`, error);
  }
}

/**
 * Runs work on the files of a data folder. A file in it that the system keeps from this process, such as one that a start as another
 * user has left there, is a Refusal that names the setting, the path and the reason.
 */
export async function usingDataFolder<T>(
  folder: string,
  { setting, work }: { readonly setting: string; readonly work: () => Promise<T> },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'path' in error)) throw error;
    const path = resolve(String(error.path));
    if (!`${path}/`.startsWith(`${resolve(folder)}/`)) throw error;
    throw new Refusal(`${setting}: ${path} cannot be used: ${await ownerOrReason(path, error)}`, {
      cause: error,
    });
  }
}

/** Why a path cannot be used: who owns it instead of this process, or what the system says. */
async function ownerOrReason(path: string, error: unknown): Promise<string> {
  const own = process.getuid?.();
  if (own === undefined || (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM')) return reasonOf(error);
  const uid = await findOwner(path);
  if (uid === own) return reasonOf(error);
  return `it belongs to user ${uid}, and this process is user ${own}: run it as that user, or change the owner`;
}

/** The owner of a path, or of the lowest folder above it that can be looked at. */
async function findOwner(path: string): Promise<number> {
  try {
    return (await stat(path)).uid;
  } catch (error) {
    if (dirname(path) === path) throw error;
    return findOwner(dirname(path));
  }
}

/** The folders of a path that do not exist, the highest first. */
async function missingFolders(
  path: string,
  refuse: (reason: string, cause?: unknown) => never,
): Promise<string[]> {
  const missing: string[] = [];
  for (let each = path; ; each = dirname(each)) {
    try {
      if (!(await stat(each)).isDirectory()) refuse(`${each} is not a folder`);
      return missing.reverse();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      // Of a path below a file it is the file that is told.
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') missing.push(each);
      else refuse(`the folder ${each} cannot be read: ${reasonOf(error)}`, error);
    }
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a folder of the path is a file',
};

/** The reason of ENOENT for a folder whose parent exists. */
const unmakeable = 'the file system does not allow folders there';

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? errorMessage(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
