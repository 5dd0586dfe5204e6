import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vocabulary } from '@binnacle/api-names';
import { refusalIn } from '@binnacle/backend-access';
import { createLogger } from '@binnacle/telemetry';
import { Metadata } from '@grpc/grpc-js';
import { connectRpc, type RpcClientOptions } from '../client/connect-rpc.ts';
import { PeerRefusals } from '../client/peer-refusals.ts';
import { type RpcServerOptions, startRpcServer } from '../server/start-rpc-server.ts';
import { callFor, TestService, testContract, until } from '../test-drivers/rpc-tests.ts';
import { apiNamesHeaders, refusalFromHeaders } from './exchange-api-names.ts';
import { implementService } from './service-implementation.ts';

/** Starts a pod for each of these API names, and a client with its own names; disposing stops all. */
async function connected(pods: readonly Vocabulary[], own: Vocabulary) {
  await using stack = new AsyncDisposableStack();
  const service = new TestService();
  const servers = await Promise.all(pods.map(apiNames => startPod({ apiNames, service })));
  for (const server of servers) stack.use(server);
  const lines: { level: string; message: string }[] = [];
  const log = createLogger({
    level: 'info',
    format: 'json',
    fields: {},
    sink: line => lines.push(JSON.parse(line)),
  });
  const peers = new PeerRefusals();
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  const options: RpcClientOptions = { insecure: true, addresses, apiNames: own, peers, log };
  const client = stack.use(connectRpc(testContract, options));
  const moved = stack.move();
  return { client, service, peers, lines, [Symbol.asyncDispose]: () => moved.disposeAsync() };
}

function startPod({ apiNames, service }: { apiNames: Vocabulary; service: TestService }) {
  const options: RpcServerOptions = {
    insecure: true,
    services: [implementService(testContract, service)],
    port: 0,
    apiNames,
    drainTimeoutMs: 1_000,
  };
  return startRpcServer(options);
}

const pairs: [Vocabulary, Vocabulary][] = [
  ['cluster', 'kubernetes'],
  ['kubernetes', 'cluster'],
];
for (const [own, theirs] of pairs) {
  test(`a client with the names ${own} is refused by a pod with ${theirs}, which is logged once`, async () => {
    await using connection = await connected([theirs], own);
    const message = `Storage has --api-names=${theirs}, this service --api-names=${own}; both need the same`;
    using call = callFor();
    for (let attempt = 0; attempt < 3; attempt++)
      await assert.rejects(connection.client.get({ key: 'a' }, call), error => {
        assert.equal(refusalIn(error)?.message, message);
        return true;
      });
    await until(() => connection.lines.length > 0, 'a line of the log');
    assert.deepEqual(
      connection.lines.map(line => [line.level, line.message]),
      [['error', message]],
    );
    assert.throws(() => connection.peers.assertNone(), { message });
    assert.deepEqual(connection.service.calls, []);
  });
}

test('of two pods only the one with the same names is called', async () => {
  await using connection = await connected(['cluster', 'kubernetes'], 'kubernetes');
  using call = callFor();
  for (let attempt = 0; attempt < 3; attempt++) await connection.client.get({ key: 'a' }, call);
  assert.equal(connection.service.calls.length, 3);
  connection.peers.assertNone();
});

test('a peer that announces no names has those of the previous release', () => {
  assert.equal(refusalFromHeaders('storage', new Metadata(), 'cluster'), undefined);
  assert.match(
    refusalFromHeaders('storage', new Metadata(), 'kubernetes')?.message ?? '',
    /has --api-names=cluster/,
  );
  assert.equal(refusalFromHeaders('storage', apiNamesHeaders('kubernetes'), 'kubernetes'), undefined);
});
