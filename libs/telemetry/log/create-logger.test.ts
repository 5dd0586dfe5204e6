import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from './create-logger.ts';
import type { LogFields } from './logger.ts';

function lines(write: (log: ReturnType<typeof createLogger>) => void, options = {}): string[] {
  const written: string[] = [];
  write(createLogger({ sink: line => written.push(line), clock: () => 0, ...options }));
  return written;
}

function readLoggedFields(fields: LogFields): unknown {
  const [line = ''] = lines(log => log.info('m', fields));
  const { time: _time, level: _level, message: _message, ...rest } = JSON.parse(line);
  return rest;
}

test('a line is one JSON object with time, level, message and fields, those of parent loggers first', () => {
  const written = lines(log => log.child({ service: 'storage' }).warn('disk\nfull', { percent: 99 }));
  assert.deepEqual(written, [
    '{"time":"1970-01-01T00:00:00.000Z","level":"warn","message":"disk\\nfull","service":"storage","percent":99}',
  ]);
});

test('text lines are readable, and one line each', () => {
  const written = lines(log => log.error('disk\nfull', { path: '/x y', percent: 99 }), { format: 'text' });
  assert.deepEqual(written, ['1970-01-01T00:00:00.000Z ERROR disk full path="/x y" percent=99']);
});

test('lines below the level are not written', () => {
  const all = (log: ReturnType<typeof createLogger>) => {
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
  };
  assert.equal(lines(all, { level: 'warn' }).length, 2);
  assert.equal(lines(all, { level: 'debug' }).length, 4);
});

const secrets: LogFields[] = [
  { token: 'hunter2' },
  { bearerToken: 'hunter2' },
  { Authorization: 'Bearer hunter2' },
  { headers: { authorization: ['Bearer hunter2'], accept: '*/*' } },
  { options: [{ password: 'hunter2' }] },
  { clientSecret: { value: 'hunter2' } },
  { key: Buffer.from('hunter2') },
  { private_key: 'hunter2' },
];

test('the value of a field with the name of a secret is never logged', () => {
  for (const fields of secrets) assert.doesNotMatch(lines(log => log.info('m', fields))[0] ?? '', /hunter2/);
  assert.deepEqual(readLoggedFields({ token: 'a', tokens: 3, monkey: 'b' }), {
    token: '[redacted]',
    tokens: 3,
    monkey: 'b',
  });
});

test('errors are logged with their causes, and unusual values do not fail', () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const error = new Error('outer', { cause: new TypeError('inner') });
  const written = readLoggedFields({
    error,
    cycle,
    big: 1n,
    bytes: Buffer.alloc(5),
    call: () => {},
  }) as Record<string, unknown>;
  const outer = written['error'] as {
    message: string;
    stack: string;
    cause: { name: string; message: string };
  };
  assert.equal(outer.message, 'outer');
  assert.match(outer.stack, /create-logger\.test/);
  assert.equal(outer.cause.name, 'TypeError');
  assert.deepEqual(written['cycle'], { self: '[nested]' });
  assert.equal(written['big'], '1');
  assert.equal(written['bytes'], '[5 bytes]');
});

test('fields cannot forge the head of a line', () => {
  const [line = ''] = lines(log => log.info('m', { level: 'error', message: 'x' }));
  const { level, message } = JSON.parse(line);
  assert.deepEqual({ level, message }, { level: 'info', message: 'm' });
});
