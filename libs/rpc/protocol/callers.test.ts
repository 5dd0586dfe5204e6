import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { StorageService } from '@binnacle/proto';
import { StatusError } from '@binnacle/status-errors';
import { createPki, loadTls } from '@binnacle/tls';
import { connectRpc } from '../client/connect-rpc.ts';
import { createCallContext } from '../deadline/call-context.ts';
import { startRpcServer } from '../server/start-rpc-server.ts';
import { TestService, testContract } from '../test-drivers/rpc-tests.ts';
import { withoutHotMethods } from '../test-drivers/without-hot-methods.ts';
import { type AllowedCallers, implementService } from './service-implementation.ts';

const directory = await mkdtemp(join(tmpdir(), 'binnacle-callers-'));
after(() => rm(directory, { recursive: true, force: true }));
const pki = await createPki(directory, { services: ['storage', 'gateway', 'admission'] });
const loadPeerTls = (service: string) => loadTls(pki.serviceDirectory(service));
const callers: AllowedCallers<StorageService> = { gateway: ['get', 'changes'], admission: ['list'] };

const ways = { 'a call of its own': withoutHotMethods(testContract), 'the call stream': testContract };

for (const [way, contract] of Object.entries(ways)) {
  test(`over ${way} a service may call only what its name allows`, async () => {
    await using stack = new AsyncDisposableStack();
    const services = [implementService(testContract, new TestService(), callers)];
    const server = await startRpcServer({ tls: await loadPeerTls('storage'), services, port: 0 });
    stack.defer(() => server.stop());
    const outcomes: string[] = [];
    for (const name of ['gateway', 'admission', 'storage']) {
      const tls = await loadPeerTls(name);
      const addresses = [`localhost:${server.port}`];
      const client = stack.use(connectRpc(contract, { tls, addresses, serverName: 'storage' }));
      using call = createCallContext({ timeoutMs: 10_000 });
      const findOutcome = (answer: Promise<unknown>): Promise<string> =>
        answer.then(
          () => 'answered',
          (error: unknown) => (isRefusal(error) ? 'refused' : String(error)),
        );
      outcomes.push(await findOutcome(client.get({ key: '/x' }, call)));
      outcomes.push(
        await findOutcome(takeFirst(client.changes({ afterRevision: 1, fromWindowStart: false }, call))),
      );
    }
    assert.deepEqual(outcomes, ['answered', 'answered', 'refused', 'refused', 'refused', 'refused']);
  });
}

function isRefusal(error: unknown): boolean {
  return error instanceof StatusError && /may not call/.test(error.message);
}

async function takeFirst(stream: AsyncIterable<unknown>): Promise<unknown> {
  for await (const item of stream) return item;
  return undefined;
}
