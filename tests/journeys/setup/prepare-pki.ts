import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalPki } from '@binnacle/standalone/testing';

/** Certificates and keys that the servers of this process share. */
let template: Promise<string> | undefined;

/**
 * Puts certificates and keys into the data folder of a server that has not been started: to make its RSA keys takes as much
 * processor time as all else of a start. A server whose names they do not hold makes what it lacks.
 */
export async function preparePki(dataDirectory: string): Promise<void> {
  const directory = join(dataDirectory, 'pki');
  if (existsSync(directory)) return;
  template ??= createTemplate();
  await cp(join(await template, 'pki'), directory, { recursive: true });
}

async function createTemplate(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'binnacle-test-pki-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await createLocalPki(directory, '127.0.0.1');
  return directory;
}
