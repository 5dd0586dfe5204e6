import type { TestEvent } from 'node:test/reporters';

/** The outcome of one test. */
export interface TestResult {
  readonly title: string;
  readonly passed: boolean;
}

/** A reporter of node:test that writes the outcome of each test as a line of JSON, and nothing else. */
async function* resultsReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const passed = type === 'test:pass' && !data.skip && !data.todo;
    const result: TestResult = { title: data.name, passed };
    yield `${JSON.stringify(result)}\n`;
  }
}

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from a module's default export.
export default resultsReporter;
