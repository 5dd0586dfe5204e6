import { createReadStream, createWriteStream } from 'node:fs';
import { access, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** Rules for the backups of a file. */
export interface BackupRules {
  /** Backups that are kept; 0: all. */
  readonly maxBackups: number;
  /** Time for which backups are kept; 0: for ever. */
  readonly maxAgeMs: number;
  readonly compress: boolean;
}

const fileMode = 0o600;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/;

/**
 * Chooses an unused name for the backup of a file, with the time before its extension, as in
 * `audit-2024-03-01T10-00-00.000.log`.
 */
export async function chooseBackupName(path: string, now: number): Promise<string> {
  const { folder, prefix, extension } = splitPath(path);
  for (let time = Math.floor(now); ; time++) {
    const text = new Date(time).toISOString().slice(0, -1).replaceAll(':', '-');
    const name = join(folder, `${prefix}${text}${extension}`);
    if (!(await exists(name)) && !(await exists(`${name}.gz`))) return name;
  }
}

/** Removes the backups of a file that are too many or too old, and compresses the others where the rules say so. */
export async function tidyBackups(path: string, rules: BackupRules, now: number): Promise<void> {
  const { maxBackups, maxAgeMs, compress } = rules;
  const newestFirst = (await listBackups(path)).sort((a, b) => b.time - a.time);
  for (const [index, { file, time }] of newestFirst.entries()) {
    const isTooMany = maxBackups > 0 && index >= maxBackups;
    const isTooOld = maxAgeMs > 0 && now - time > maxAgeMs;
    if (isTooMany || isTooOld) await rm(file, { force: true });
    else if (compress && !file.endsWith('.gz')) await compressed(file);
  }
}

interface Backup {
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

async function listBackups(path: string): Promise<Backup[]> {
  const { folder, prefix, extension } = splitPath(path);
  return (await readdir(folder)).flatMap(name => {
    const plain = name.endsWith('.gz') ? name.slice(0, -'.gz'.length) : name;
    if (!plain.startsWith(prefix) || !plain.endsWith(extension)) return [];
    const text = plain.slice(prefix.length, plain.length - extension.length);
    if (!timePattern.test(text)) return [];
    const [day = '', hours = ''] = text.split('T');
    return [{ file: join(folder, name), time: Date.parse(`${day}T${hours.replaceAll('-', ':')}Z`) }];
  });
}

/**
 * Compresses a file, under another name until it is complete: a process that ends in between leaves the backup as it
 * was.
 */
async function compressed(file: string): Promise<void> {
  const unfinished = `${file}.gz.tmp`;
  try {
    await pipeline(createReadStream(file), createGzip(), createWriteStream(unfinished, { mode: fileMode }));
    await rename(unfinished, `${file}.gz`);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await rm(file, { force: true });
}

function splitPath(path: string): { folder: string; prefix: string; extension: string } {
  const extension = extname(path);
  return { folder: dirname(path), prefix: `${basename(path, extension)}-`, extension };
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
