import { resolve } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endKept, keepBeyondFiles } from '@binnacle/backends/testing';
import { type FileCost, type FileEnd, processorTimeMs } from './file-times.ts';

// Part of the process of a test worker: each message names a file, and the answer, once its tests have ended, says what it took.
// An empty name is the end.
process.on('message', (file: string) => {
  if (file === '') void end();
  else runFile(file);
});
keepBeyondFiles();
// Without it nothing would run that tests have registered for the exit of their process.
process.once('SIGTERM', () => process.exit(1));
// The run that it belongs to has ended, and reads no outcome.
process.once('disconnect', () => {
  if (running !== undefined) process.exit(1);
});

/** The file whose tests run, or have run last, and the processor time that had been taken before them. */
let running: { readonly file: string; readonly takenBefore: number } | undefined;

/** Ends what the files shared, which counts as part of the last one. A failure of that ends the process with an error, which is a failed test. */
async function end(): Promise<void> {
  await endKept().finally(() => tellCost(() => process.disconnect()));
}

/** Runs the tests of a file as a suite: hooks at the top of the file hold for its tests alone. */
function runFile(file: string): void {
  suite(file, async () => {
    before(() => {
      // Only now have the hooks of the file before ended, and the servers that they stop.
      tellCost();
      running = { file, takenBefore: processorTimeMs() };
    });
    // Not after those of the file: one of them that fails is the last that runs.
    after(() => process.send?.({ ended: file } satisfies FileEnd));
    try {
      await import(pathToFileURL(resolve(file)).href);
    } catch (error) {
      test('the file is loaded', () => {
        throw error;
      });
    }
  });
}

/** Tells what the file has taken that runs, or ran last; there may be none. */
function tellCost(told = () => {}): void {
  if (running === undefined) {
    told();
    return;
  }
  const { file, takenBefore } = running;
  running = undefined;
  process.send?.({ file, processorMs: processorTimeMs() - takenBefore } satisfies FileCost, told);
}
