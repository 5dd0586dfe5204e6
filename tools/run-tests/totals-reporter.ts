import type { TestEvent } from 'node:test/reporters';
import type { Totals } from './totals.ts';

/** A reporter of node:test that writes the totals of the whole run as one JSON object, and nothing else. */
async function* totalsReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    // The summary of a single file names it; the last one is of the whole run.
    if (event.type !== 'test:summary' || event.data.file !== undefined) continue;
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
