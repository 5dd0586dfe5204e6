import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Says in `run/standalone-1.pid` which process this is, until it is disposed of. */
export async function writePidFile(dataDirectory: string): Promise<AsyncDisposable> {
  const directory = join(dataDirectory, 'run');
  const file = join(directory, 'standalone-1.pid');
  await mkdir(directory, { recursive: true });
  await writeFile(file, `${process.pid}\n`);
  return { [Symbol.asyncDispose]: () => rm(file, { force: true }) };
}
