import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './create-logger.ts';
import { RepeatedWarnings } from './repeated-warnings.ts';

/** Creates repeated warnings, with the lines that were written and a function that ends an interval. */
function recorded() {
  const lines: { readonly message: string; readonly repeated?: number; readonly path?: string }[] = [];
  let tick: (() => void) | undefined;
  const log = createLogger({ sink: line => lines.push(JSON.parse(line)) });
  const warnings = new RepeatedWarnings(log, {
    every: (_, callback) => {
      tick = callback;
      return () => {
        tick = undefined;
      };
    },
  });
  return { lines, warnings, pass: () => tick?.(), isTicking: () => tick !== undefined };
}

test('the first of many equal warnings is logged at once, and the others as one line with their number', () => {
  const { lines, warnings, pass } = recorded();
  for (let count = 0; count < 2037; count++)
    warnings.warn('storage is away', 'refused', { path: `/${count}` });
  assert.deepEqual(
    lines.map(({ message, repeated, path }) => [message, repeated, path]),
    [['storage is away', undefined, '/0']],
  );
  pass();
  assert.deepEqual(
    lines.slice(1).map(({ repeated, path }) => [repeated, path]),
    [[2036, '/2036']],
  );
});

test('a warning that has stopped is forgotten, and logged at once when it comes back', () => {
  const { lines, warnings, pass, isTicking } = recorded();
  warnings.warn('away', 'refused', {});
  warnings.warn('away', 'refused', {});
  pass();
  pass();
  assert.equal(isTicking(), false);
  warnings.warn('away', 'refused', {});
  assert.deepEqual(
    lines.map(({ repeated }) => repeated),
    [undefined, 1, undefined],
  );
});

test('warnings of different kinds are counted separately', () => {
  const { lines, warnings } = recorded();
  warnings.warn('away', 'refused', {});
  warnings.warn('away', 'no answer', {});
  warnings.warn('gone', 'refused', {});
  assert.equal(lines.length, 3);
});

test('the memory for different warnings is limited', () => {
  const { lines, warnings, pass } = recorded();
  for (let count = 0; count < 10_000; count++) warnings.warn(`away ${count}`, '', {});
  assert.equal(lines.length, 65);
  pass();
  assert.deepEqual(
    lines.slice(65).map(({ message, repeated }) => [message, repeated]),
    [['other warnings', 10_000 - 65]],
  );
});
