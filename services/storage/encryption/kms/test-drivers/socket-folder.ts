import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for sockets, which is removed with it. */
export interface SocketFolder extends Disposable {
  readonly path: string;
  /** Returns the endpoint of a socket in the folder. */
  endpoint(name?: string): string;
}

/** Makes a folder for sockets. */
export function makeSocketFolder(): SocketFolder {
  const path = mkdtempSync(join(tmpdir(), 'binnacle-kms-'));
  return {
    path,
    endpoint: (name = 'kms.sock') => `unix://${join(path, name)}`,
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}
