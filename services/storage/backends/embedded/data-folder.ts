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
        refuse(`the folder ${each} cannot be created: ${reasonOf(error)}`, error);
    }
  }
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { uid } = await stat(path);
    const owner = `it belongs to user ${uid}, and this process is user ${process.getuid?.()}`;
    const isOwn = codeOf(error) !== 'EACCES' || uid === process.getuid?.();
    refuse(`the folder ${path} cannot be written to: ${isOwn ? reasonOf(error) : owner}`, error);
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
  ENOENT: 'the file system does not allow folders there',
};

function reasonOf(error: unknown): string {
  return reasons[codeOf(error)] ?? errorMessage(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
