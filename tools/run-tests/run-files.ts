import { resolve } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endKept, keepBeyondFiles } from '@binnacle/backends/testing';
import { type FileEnd, processorTimeMs } from './file-times.ts';

// The process of a test worker: each message names a file, and the answer, once its tests have ended, says what it took.
// An empty name is the end.
process.on('message', (file: string) => {
  if (file === '') void end();
  else runFile(file);
});
keepBeyondFiles();
// Without it nothing would run that tests have registered for the exit of their process.
process.once('SIGTERM', () => process.exit(1));

/** Ends what the files shared. A failure of that ends the process with an error, which is a failed test. */
async function end(): Promise<void> {
  await endKept().finally(() => process.disconnect());
}

/** Runs the tests of a file as a suite: hooks at the top of the file hold for its tests alone. */
function runFile(file: string): void {
  const takenBefore = processorTimeMs();
  suite(file, async () => {
    after(() => process.send?.({ file, processorMs: processorTimeMs() - takenBefore } satisfies FileEnd));
    try {
      await import(pathToFileURL(resolve(file)).href);
    } catch (error) {
      test('the file is loaded', () => {
        throw error;
      });
    }
  });
}
