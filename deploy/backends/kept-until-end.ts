import { after } from 'node:test';

/** Things that were started and are kept, the latest last. */
const kept: AsyncDisposable[] = [];
let isKeptBeyondFiles = false;

/**
 * A server, or another thing that takes long to start, for all test files that a process runs: it is started when a
 * test first asks for it, and disposed once the process has no more files. Called at the top of a module that those
 * files import; the function that it returns is called in a hook or a test.
 *
 * Files that use it leave it as they found it: they make objects in namespaces, groups and names of their own, and
 * stop nothing. A start that fails is retried at the next call.
 */
export function keptUntilEnd<T extends AsyncDisposable>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  // A file that is run by itself has no worker that would end it.
  if (!isKeptBeyondFiles) after(endKept);
  const startAndKeep = async () => {
    const thing = await start();
    kept.push(thing);
    return thing;
  };
  return () => {
    started ??= startAndKeep().catch(error => {
      started = undefined;
      throw error;
    });
    return started;
  };
}

/** Makes this process one that runs file after file: it calls `endKept` after the last one. */
export function keepBeyondFiles(): void {
  isKeptBeyondFiles = true;
}

/** Disposes all that is kept, the latest first, even when some of them fail. */
export async function endKept(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  for (const thing of kept.splice(0)) stack.use(thing);
}
