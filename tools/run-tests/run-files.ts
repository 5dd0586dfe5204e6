import { resolve } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';

// The process of a test worker: each message names a file, and the answer, once its tests have ended, is the same name.
// An empty name is the end.
process.on('message', (file: string) => {
  if (file === '') process.disconnect();
  else runFile(file);
});
// Without it nothing would run that tests have registered for the exit of their process.
process.once('SIGTERM', () => process.exit(1));

/** Runs the tests of a file as a suite: hooks at the top of the file hold for its tests alone. */
function runFile(file: string): void {
  suite(file, async () => {
    after(() => process.send?.(file));
    try {
      await import(pathToFileURL(resolve(file)).href);
    } catch (error) {
      test('the file is loaded', () => {
        throw error;
      });
    }
  });
}
