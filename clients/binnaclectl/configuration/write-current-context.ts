import { existsSync, statSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { encodeYaml } from '@binnacle/codecs';
import { type Kubeconfig, readConfigurationFile } from './kubeconfig.ts';

/**
 * Writes the name of the current context into the file that has one, or into the first. The file is replaced as a whole and
 * keeps its mode; comments are lost.
 */
export async function writeCurrentContext({ paths }: Kubeconfig, name: string): Promise<void> {
  const existing = paths.filter(path => existsSync(path));
  const path = existing.find(candidate => hasCurrentContext(candidate)) ?? existing[0];
  if (path === undefined) return;
  const temporary = `${path}.${process.pid}.tmp`;
  const content = { ...readConfigurationFile(path), 'current-context': name };
  await writeFile(temporary, encodeYaml(content), { mode: statSync(path).mode & 0o777 });
  await rename(temporary, path);
}

function hasCurrentContext(path: string): boolean {
  return Boolean(readConfigurationFile(path)['current-context']);
}
