import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A server's data folder, and its removal. */
interface DataDirectory {
  readonly path: string;
  /** Removes a folder that was made here; leaves one that the caller named. */
  remove(): void;
}

/** The folder that the caller named, made where missing, or else a new temporary one. */
export function createDataDirectory(name: string, wanted: string | undefined): DataDirectory {
  if (wanted !== undefined) {
    mkdirSync(wanted, { recursive: true });
    return { path: wanted, remove: () => {} };
  }
  const path = mkdtempSync(join(tmpdir(), `binnacle-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
