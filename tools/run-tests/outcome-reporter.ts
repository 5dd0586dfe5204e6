import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import type { OutcomeLine } from './outcome.ts';
import type { Totals } from './totals.ts';

/**
 * A reporter of node:test that writes a JSON object a line: the totals so far whenever a file has ended, and each
 * failure when it happens, and the end. Reports for people come at the end, and are lost if the process does not reach
 * it.
 */
async function* outcomeReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const totals = { passed: 0, failed: 0, skipped: 0 } satisfies Totals;
  for await (const event of events) {
    if (event.type === 'test:summary') yield formatLine({ isWhole: true });
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    if (event.type === 'test:fail' && !isOfSubtests(event)) yield formatLine({ failure: failureText(event) });
    const { details, skip, todo, nesting } = event.data;
    if (details.type !== 'suite') totals[outcomeFromEvent(event.type, Boolean(skip ?? todo ?? false))]++;
    if (nesting === 0) yield formatLine({ totals });
  }
}

type Failure = Extract<TestEvent, { type: 'test:fail' }>;

function outcomeFromEvent(type: 'test:pass' | 'test:fail', isLeftOut: boolean): keyof Totals {
  if (isLeftOut) return 'skipped';
  return type === 'test:pass' ? 'passed' : 'failed';
}

/** Whether it failed because of tests that are reported themselves. */
function isOfSubtests({ data }: Failure): boolean {
  const error: Error & { failureType?: string } = data.details.error;
  return error.failureType === 'subtestsFailed';
}

function failureText({ data: { name, file, line, details } }: Failure): string {
  return `✖ ${name} (${file}:${line})\n${inspect(details.error.cause ?? details.error)}\n`;
}

function formatLine(line: OutcomeLine): string {
  return `${JSON.stringify(line)}\n`;
}

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from a module's default export.
export default outcomeReporter;
