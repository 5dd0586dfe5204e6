import { type FileHandle, open, rename } from 'node:fs/promises';
import type { AuditSink } from './audit-sink.ts';
import { type BackupRules, chooseBackupName, tidyBackups } from './backups.ts';

/** The file for events, and the rules of its rotation. */
export interface RotatingFileOptions extends BackupRules {
  readonly path: string;
  /** Bytes of the file, beyond which it becomes a backup. */
  readonly maxBytes: number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Called when a rotation or the removal of backups fails; events are still written. */
  readonly onBackupFailure: (error: unknown) => void;
}

/** Readable by the owner only: events hold names, addresses and, by some policies, bodies. */
const fileMode = 0o600;
const lineEnd = 0x0a;

/**
 * A file of lines that is rotated by size. It is opened with the first write, and anew after a write that failed. A line that was
 * cut off, by a full disk or the end of a process, is ended before the next one.
 */
export class RotatingFile implements AuditSink {
  readonly #options: RotatingFileOptions;
  #handle: FileHandle | undefined;
  #bytes = 0;
  #endsInLine = false;
  #tidying = Promise.resolve();

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  async write(events: readonly string[]): Promise<void> {
    const lines = Buffer.from(`${events.join('\n')}\n`);
    try {
      let handle = await this.#open();
      if (this.#bytes > 0 && this.#bytes + lines.length > this.#options.maxBytes)
        handle = await this.#rotate(handle);
      if (this.#endsInLine) await this.#append(handle, Buffer.from('\n'));
      await this.#append(handle, lines);
    } catch (error) {
      await this.#close();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
    await this.#tidying;
  }

  async #append(handle: FileHandle, bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      this.#endsInLine = true;
      const { bytesWritten } = await handle.write(bytes, written);
      written += bytesWritten;
      this.#bytes += bytesWritten;
    }
    this.#endsInLine = false;
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle !== undefined) return this.#handle;
    const handle = await open(this.#options.path, 'a+', fileMode);
    try {
      const found = await handle.stat();
      const { size } = found;
      if (found.isFile() && (found.mode & 0o777) !== fileMode) await handle.chmod(fileMode);
      this.#bytes = size;
      this.#endsInLine = size > 0 && (await readLastByte(handle, size)) !== lineEnd;
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.#handle = handle;
    return handle;
  }

  /** Renames the file to a backup. If that fails, the file goes on growing: events matter more than its size. */
  async #rotate(handle: FileHandle): Promise<FileHandle> {
    const { path, clock, onBackupFailure } = this.#options;
    try {
      await rename(path, await chooseBackupName(path, clock()));
    } catch (error) {
      onBackupFailure(error);
      return handle;
    }
    await this.#close();
    this.#tidying = this.#tidying
      .then(() => tidyBackups(path, this.#options, clock()))
      .catch(onBackupFailure);
    return await this.#open();
  }

  async #close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close().catch(() => {});
  }
}

async function readLastByte(handle: FileHandle, size: number): Promise<number | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 ? buffer[0] : lineEnd;
}
