import { statSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import type { ConfigurationFiles } from '@binnacle/client';
import { encodeYaml } from '@binnacle/codecs/texts';

/**
 * Writes the name of the current context into the file that has one, or into the first. The file is replaced as a whole and
 * keeps its mode; comments are lost.
 */
export async function writeCurrentContext({ files }: ConfigurationFiles, name: string): Promise<void> {
  const file = files.find(({ content }) => Boolean(content['current-context'])) ?? files[0];
  if (file === undefined) return;
  const temporary = `${file.path}.${process.pid}.tmp`;
  const content = { ...file.content, 'current-context': name };
  await writeFile(temporary, encodeYaml(content), { mode: statSync(file.path).mode & 0o777 });
  await rename(temporary, file.path);
}
