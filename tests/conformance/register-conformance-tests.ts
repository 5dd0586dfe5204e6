import { after, before, describe, test } from 'node:test';
import { lastTests, sharingTests } from './all-tests.ts';
import type { ConformanceServer, ConformanceTests } from './drivers/conformance-server.ts';
import type { StartForm } from './drivers/running-form.ts';
import { startConformanceServer } from './start-conformance-server.ts';

/** Tests under way at a time: most of what they do is to wait. */
const concurrency = 4;
/**
 * Most of it is for servers with other flags, which start within the first test that asks for them, and for programs
 * that are run to their end, on a machine that may be crowded.
 */
const timeout = 480_000;

/** Most of the time of the last ones is a wait for the same: for history to be forgotten. */
const lastConcurrency = 6;

/** Registers the whole suite against one form, which is started once and asked by all tests. */
export function registerConformanceTests(name: string, start: StartForm): void {
  describe(name, () => {
    let server: (ConformanceServer & AsyncDisposable) | undefined;
    before(async () => {
      server = await startConformanceServer(start);
    });
    after(() => server?.[Symbol.asyncDispose]());
    const register = (tests: ConformanceTests) => {
      for (const [title, run] of Object.entries(tests)) {
        test(title, { timeout }, () => {
          if (server === undefined) throw new Error('the form did not start');
          return run(server);
        });
      }
    };
    describe('as it is started', { concurrency }, () => sharingTests.forEach(register));
    describe('at the end', { concurrency: lastConcurrency }, () => lastTests.forEach(register));
  });
}
