import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createLogger } from '@binnacle/service-kit';
import {
  badRequest,
  internalError,
  StatusError,
  serviceUnavailable,
  unauthorized,
} from '@binnacle/status-errors';
import { StorageError } from '@binnacle/storage-contract';
import { createExchange } from '../request/exchange.ts';
import { renderErrors } from './render-errors.ts';

/** The lines that are logged for a request that fails so. */
async function linesFor(thrown: unknown): Promise<string[]> {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    sink: line => void lines.push(line),
  });
  const handle = renderErrors(logger);
  const server = createServer((request, response) => {
    const exchange = createExchange(request, response, Date.now);
    void handle(exchange, async () => {
      throw thrown;
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // Listens on TCP.
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/pods`);
  await answer.arrayBuffer();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
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

test('a store that is away is a warning without a stack', async () => {
  const [line = '', ...more] = await linesFor(new StorageError('unavailable', 'connection refused'));
  assert.equal(more.length, 0);
  assert.match(line, /"level":"warn".*connection refused/);
  assert.doesNotMatch(line, /stack|\.ts:/);
});

test('a failure that was foreseen is an error without a stack', async () => {
  const [line = ''] = await linesFor(
    new StatusError({ reason: 'InternalError', code: 500, message: 'failed calling webhook "w"' }),
  );
  assert.match(line, /"level":"error".*failed calling webhook/);
  assert.doesNotMatch(line, /\.ts:/);
});

test('what the server was not prepared for has its stack in the log', async () => {
  for (const error of [new TypeError('slip'), internalError('slip', new TypeError('slip'))]) {
    const [line = ''] = await linesFor(error);
    assert.match(line, /"level":"error".*TypeError: slip.*render-errors\.test\.ts:/);
  }
});
