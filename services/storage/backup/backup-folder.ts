import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupHeader } from './backup-file.ts';
import { partialMark } from './write-backup.ts';

/** The names of the backups of a folder, which sort by time. */
const backupName = /^binnacle-\d{8}T\d{6}Z-\d+\.backup$/;

/** Milliseconds after which a file that was not finished is one of a process that was killed. */
const abandonedMs = 24 * 3_600_000;

/** Finds the path of a new backup in a folder, which is made when it is missing: `binnacle-20261127T165317Z-1234.backup`. */
export async function findBackupName(folder: string, { takenAt, revision }: BackupHeader): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date(takenAt).toISOString().replace(/[-:]|\.\d+/g, '');
  return join(folder, `binnacle-${time}-${revision}.backup`);
}

/**
 * Removes the oldest backups of a folder beyond those to keep, and what killed processes left unfinished there a day ago; returns the
 * paths of the backups. Files with other names stay.
 */
export async function pruneBackups(folder: string, keep: number): Promise<readonly string[]> {
  const names = await readdir(folder);
  const backups = names.filter(name => backupName.test(name)).toSorted();
  const surplus = backups.slice(0, Math.max(0, backups.length - keep)).map(name => join(folder, name));
  for (const path of surplus) await rm(path);
  for (const name of names) {
    const [whole = '', ...rest] = name.split(partialMark);
    if (rest.length !== 1 || !backupName.test(whole)) continue;
    const path = join(folder, name);
    if (Date.now() - (await stat(path)).mtimeMs > abandonedMs) await rm(path, { force: true });
  }
  return surplus;
}
