import { chmod, mkdir, open } from 'node:fs/promises';

const privateDirectory = 0o700;
const privateFile = 0o600;

/** Makes a directory for its owner alone; one that exists is closed to others. */
export async function makePrivateDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: privateDirectory });
  await chmod(path, privateDirectory);
}

/**
 * Makes files for their owner alone, empty where they are missing; those that exist are closed to others. What opens them
 * then does not create them, with rights of its own choice.
 */
export async function makePrivateFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await using file = await open(path, 'a', privateFile);
    await file.chmod(privateFile);
  }
}
