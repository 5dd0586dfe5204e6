import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file of the user alone, in a folder of its own, which is removed at the end unless the file is kept. */
export interface EditFile extends Disposable {
  readonly path: string;
  readonly write: (text: string) => void;
  readonly read: () => string;
  /** Whether the file was changed after a write, this one or one before. */
  readonly isEdited: () => boolean;
  readonly keep: () => void;
}

/** Makes the folder; the file is there after the first write. */
export function createEditFile(form: 'json' | 'yaml'): EditFile {
  const folder = mkdtempSync(join(tmpdir(), 'binnaclectl-edit-'));
  const path = join(folder, `edit.${form}`);
  let written: string | undefined;
  let wasEdited = false;
  let isKept = false;
  const read = () => readFileSync(path, 'utf8');
  const isEdited = () => wasEdited || (written !== undefined && existsSync(path) && read() !== written);
  return {
    path,
    write(text) {
      wasEdited = isEdited();
      writeFileSync(path, text, { mode: 0o600 });
      written = text;
    },
    read,
    isEdited,
    keep() {
      isKept = true;
    },
    [Symbol.dispose]() {
      if (!isKept) rmSync(folder, { recursive: true, force: true });
    },
  };
}
