import { open } from 'node:fs/promises';

const privateFile = 0o600;

/**
 * Creates empty files that only their owner may access, or restricts existing ones, so that the library that opens them does not
 * create them with its own permissions.
 */
export async function makePrivateFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await using file = await open(path, 'a', privateFile);
    await file.chmod(privateFile);
  }
}
