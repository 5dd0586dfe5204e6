import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FailureLog, type FailureLogOptions } from './failure-log.ts';

function create(options: Partial<FailureLogOptions> = {}) {
  const state = { now: 0 };
  const lines: unknown[][] = [];
  const log = {
    info: (message: string, fields?: object) => void lines.push([message, fields]),
    warn: (message: string, fields?: object) => void lines.push([message, fields]),
  };
  const failures = new FailureLog({
    log,
    failed: 'no way',
    worked: 'a way',
    now: () => state.now,
    ...options,
  });
  return { state, lines, failures };
}

const away = new Error('away', { cause: new Error('refused') });

test('a lasting failure is logged once a minute with its causes and count', () => {
  const { state, lines, failures } = create();
  for (; state.now < 130_000; state.now += 1000) failures.failed(away);
  const error = 'Error: away; Error: refused';
  assert.deepEqual(lines, [
    ['no way', { failures: 1, error }],
    ['no way', { failures: 61, error }],
    ['no way', { failures: 121, error }],
  ]);
});

test('different failures are logged each, up to a limit', () => {
  const { lines, failures } = create();
  for (let turn = 0; turn < 3; turn++) {
    failures.failed(away, { type: 'a' });
    failures.failed(away, { type: 'b' });
  }
  assert.equal(lines.length, 2);
  for (let number = 0; number < 1000; number++) failures.failed(new Error(`number ${number}`));
  assert.equal(lines.length, 33);
});

test('a success after failures is logged once, and the next failure at once', () => {
  const { lines, failures } = create();
  failures.worked();
  failures.failed(away);
  failures.failed(away);
  failures.worked();
  failures.worked();
  failures.failed(away);
  assert.deepEqual(
    lines.map(([message]) => message),
    ['no way', 'a way', 'no way'],
  );
});

test('a programming error is logged with its stack', () => {
  const { lines, failures } = create();
  const mistake = new TypeError('x is undefined');
  failures.failed(mistake);
  assert.deepEqual(lines, [['no way', { failures: 1, error: mistake }]]);
});

test('a flood of different failures hides new ones for at most a minute', () => {
  const { state, lines, failures } = create();
  for (let number = 0; number < 1000; number++) failures.failed(new Error(`number ${number}`));
  lines.length = 0;
  state.now = 60_000;
  failures.failed(new Error('new'));
  failures.failed(new Error('newer'));
  assert.deepEqual(
    lines.map(([, fields]) => fields),
    [
      { failures: 1001, error: 'Error: new' },
      { failures: 1002, error: 'Error: newer' },
    ],
  );
});

test('fields that do not distinguish failures are those of the first one', () => {
  const { lines, failures } = create({ ignoresFields: true });
  failures.failed(away, { resource: 'pods' });
  failures.failed(away, { resource: 'nodes' });
  assert.deepEqual(lines, [
    ['no way', { failures: 1, error: 'Error: away; Error: refused', resource: 'pods' }],
  ]);
});

test('the errors of several addresses are logged instead of an error without a message', () => {
  const { lines, failures } = create();
  const refused = ['::1', '127.0.0.1'].map(address => new Error(`connect ECONNREFUSED ${address}:1`));
  failures.failed(new AggregateError(refused));
  failures.failed(new Error('cannot connect', { cause: new AggregateError(refused, 'all refused') }));
  failures.failed(new AggregateError([]));
  const texts = 'Error: connect ECONNREFUSED ::1:1; Error: connect ECONNREFUSED 127.0.0.1:1';
  assert.deepEqual(
    lines.map(([, fields]) => fields),
    [
      { failures: 1, error: texts },
      { failures: 2, error: `Error: cannot connect; AggregateError: all refused; ${texts}` },
      { failures: 3, error: 'AggregateError' },
    ],
  );
});

test('an error that is its own cause is logged', () => {
  const { lines, failures } = create();
  const circle = new Error('circle');
  circle.cause = circle;
  failures.failed(circle);
  assert.deepEqual(lines, [['no way', { failures: 1, error: 'Error: circle' }]]);
});
