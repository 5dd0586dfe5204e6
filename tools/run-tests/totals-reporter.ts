import type { TestEvent } from 'node:test/reporters';
import type { Totals } from './totals.ts';

/** A reporter of node:test that writes the totals of a process as one JSON object, and nothing else. */
async function* totalsReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:summary') continue;
    const { counts } = event.data;
    const totals: Totals = {
      passed: counts.passed,
      failed: counts.tests - counts.passed - counts.skipped - counts.todo,
      skipped: counts.skipped + counts.todo,
    };
    yield JSON.stringify(totals);
  }
}

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from a module's default export.
export default totalsReporter;
