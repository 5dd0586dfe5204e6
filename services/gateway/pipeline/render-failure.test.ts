import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import {
  badRequest,
  internalError,
  StatusError,
  serviceUnavailable,
  unauthorized,
} from '@binnacle/status-errors';
import { StorageError } from '@binnacle/storage-contract';
import { createLogger } from '@binnacle/telemetry';
import { createExchange } from '../request/exchange.ts';
import { createFailureRenderer } from './render-failure.ts';

interface AskedFor {
  readonly method?: string;
  /** Requests that fail so, one after the other. */
  readonly times?: number;
  /** The log lines that were written meanwhile. */
  readonly lines?: string[];
}

/** The answer to requests that fail so, the last one of them. */
async function answerTo(
  thrown: unknown,
  { method = 'GET', times = 1, lines = [] }: AskedFor = {},
): Promise<Response> {
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    sink: line => void lines.push(line),
  });
  const render = createFailureRenderer(logger);
  const server = createServer((request, response) => {
    const exchange = createExchange(request, response, Date.now);
    void render(exchange, thrown);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // Listens on TCP.
  const send = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/pods`, { method });
    await answer.arrayBuffer();
    return answer;
  };
  for (let count = 1; count < times; count++) await send();
  const last = await send();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  return last;
}

/** The lines that are logged for a request that fails so. */
async function linesFor(thrown: unknown): Promise<string[]> {
  const lines: string[] = [];
  await answerTo(thrown, { lines });
  return lines;
}

const withCause = (code: number) =>
  new StatusError({ reason: '', code, message: 'refused', cause: new TypeError('inner') });

const silent: readonly (readonly [what: string, error: unknown])[] = [
  ['a bad request', badRequest('no')],
  ['no credentials', unauthorized()],
  ['a refusal with a cause', withCause(422)],
  ['a conflict with a cause', withCause(409)],
  ['an object that the store does not take', new StorageError('too-large', 'large')],
  ['a version that has not come yet', new StorageError('future-revision', 'later')],
  ['history that is gone', new StorageError('compacted', 'gone')],
  [
    'a service of a client that does not answer',
    serviceUnavailable('error trying to reach service: refused'),
  ],
];
for (const [what, error] of silent)
  test(`${what} is not logged`, async () => assert.deepEqual(await linesFor(error), []));

test('an unavailable store is a warning without a stack', async () => {
  const [line = '', ...more] = await linesFor(new StorageError('unavailable', 'connection refused'));
  assert.equal(more.length, 0);
  assert.match(line, /"level":"warn".*connection refused/);
  assert.doesNotMatch(line, /stack|\.ts:/);
});

test('an expected failure is an error without a stack', async () => {
  const [line = ''] = await linesFor(
    new StatusError({ reason: 'InternalError', code: 500, message: 'failed calling webhook "w"' }),
  );
  assert.match(line, /"level":"error".*failed calling webhook/);
  assert.doesNotMatch(line, /\.ts:/);
});

test('an unexpected failure is logged with its stack', async () => {
  for (const error of [new TypeError('slip'), internalError('slip', new TypeError('slip'))]) {
    const [line = ''] = await linesFor(error);
    assert.match(line, /"level":"error".*TypeError: slip.*render-failure\.test\.ts:/);
  }
});

const pauses: readonly (readonly [what: string, error: unknown, method: string, isAsked: boolean])[] = [
  ['a read while the store is away', new StorageError('unavailable', 'refused'), 'GET', true],
  ['a write while the store is away', new StorageError('unavailable', 'refused'), 'POST', true],
  ['a read that was not answered in time', new StorageError('deadline', 'late'), 'GET', true],
  ['a write whose outcome is unknown', new StorageError('unknown-outcome', 'lost'), 'POST', false],
  ['a refusal', badRequest('no'), 'GET', false],
];
for (const [what, error, method, isAsked] of pauses)
  test(`${what} is answered ${isAsked ? 'with' : 'without'} Retry-After`, async () => {
    const seen = new Set<string | null>();
    for (let count = 0; count < 30; count++)
      seen.add((await answerTo(error, { method })).headers.get('retry-after'));
    if (isAsked) assert.deepEqual([...seen].toSorted(), ['1', '2', '3', '4']);
    else assert.deepEqual([...seen], [null]);
  });

test('the retry time of an error is used in the answer', async () => {
  const error = new StatusError({
    reason: 'ServiceUnavailable',
    code: 503,
    message: 'no',
    details: { retryAfterSeconds: 7 },
  });
  assert.equal((await answerTo(error)).headers.get('retry-after'), '7');
});

test('many failures of one kind are one log line', async () => {
  const lines: string[] = [];
  await answerTo(new StorageError('unavailable', 'refused'), { lines, times: 50 });
  assert.equal(lines.length, 1);
});
