import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

/** Dependents of one owner, by policy. */
const many: Readonly<Record<string, number>> = { Background: 600, Foreground: 150, Orphan: 150 };
/** How many are asked for at a time. */
const parallel = 20;
/** How often a test looks while dependents go, and while it waits for the next collector. */
const [lookMs, waitMs] = [100, 1000];
const maps = '/api/v1/namespaces/default/configmaps';

interface Item {
  readonly metadata: { readonly uid: string; readonly ownerReferences?: readonly unknown[] };
}

async function make(server: ApiServer, name: string, metadata: object = {}): Promise<Item> {
  const { code, text } = await server.call('POST', maps, { body: { metadata: { name, ...metadata } } });
  assert.equal(code, 201, text);
  return JSON.parse(text) as Item;
}

async function makeWithDependents(server: ApiServer, count: number): Promise<void> {
  const { metadata } = await make(server, 'owner');
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid };
  const owned = {
    labels: { owned: 'yes' },
    ownerReferences: [{ ...reference, blockOwnerDeletion: true }],
  };
  const names = Array.from({ length: count }, (_, i) => `dependent-${i}`).values();
  const worker = async (): Promise<void> => {
    for (const name of names) await make(server, name, owned);
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}

async function dependents(server: ApiServer): Promise<readonly Item[]> {
  const { code, text } = await server.call('GET', `${maps}?labelSelector=owned%3Dyes`);
  assert.equal(code, 200, text);
  return (JSON.parse(text) as { items: Item[] }).items;
}

const ownerGoes = (server: ApiServer): Promise<void> =>
  until('the owner goes', async () => (await server.call('GET', `${maps}/owner`)).code === 404);

/** How many config maps there are; the server writes none by itself. */
async function countMaps(server: ApiServer): Promise<number> {
  const { json } = await server.call('GET', `${maps}?limit=1`);
  return json.items.length + (json.metadata.remainingItemCount ?? 0);
}

async function countReferring(server: ApiServer): Promise<number> {
  const items = await dependents(server);
  return items.filter(({ metadata }) => (metadata.ownerReferences ?? []).length > 0).length;
}

/** How much of the work of a deletion is left, by policy. */
const left: Readonly<Record<string, (server: ApiServer) => Promise<number>>> = {
  Background: countMaps,
  Foreground: countMaps,
  Orphan: countReferring,
};

// Each server is one of its own, and waits for the lease of the one before it: these waits overlap.
suite('the garbage collector after a restart', { concurrency: true }, () => {
  for (const [policy, count] of Object.entries(many)) {
    test(`the work of a collector that ended among ${count} dependents is finished by another (${policy})`, async () => {
      await using directory = await createTemporaryDirectory();
      const workLeft = left[policy] ?? countMaps;
      {
        await using server = await startApiServer({ dataDir: directory.path });
        await makeWithDependents(server, count);
        const { code } = await server.call('DELETE', `${maps}/owner?propagationPolicy=${policy}`);
        assert.equal(code, 200);
        await until('some of the work is done', async () => (await workLeft(server)) < count - 20, lookMs);
      }
      await using server = await startApiServer({ dataDir: directory.path });
      for (let before = count; before > 0; ) {
        const now = before;
        await until(
          'more of the work is done',
          async () => {
            before = await workLeft(server);
            return before < now;
          },
          waitMs,
        );
        await pause(waitMs);
      }
      await ownerGoes(server);
      assert.equal((await dependents(server)).length, policy === 'Orphan' ? count : 0);
    });
  }

  test('a server without a garbage collector leaves the work to one with it', async () => {
    await using directory = await createTemporaryDirectory();
    {
      await using server = await startApiServer({ dataDir: directory.path, enableGarbageCollector: false });
      const { metadata } = await make(server, 'owner');
      const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid };
      await make(server, 'dependent', { ownerReferences: [reference] });
      await server.call('DELETE', `${maps}/owner`);
      // The controllers of this server work: they make the default service account of a namespace.
      await server.namespace('other');
      const account = '/api/v1/namespaces/other/serviceaccounts/default';
      await until('the controllers work', async () => (await server.call('GET', account)).code === 200);
      assert.equal((await server.call('GET', `${maps}/dependent`)).code, 200);
    }
    await using server = await startApiServer({ dataDir: directory.path });
    await until(
      'the dependent goes',
      async () => (await server.call('GET', `${maps}/dependent`)).code === 404,
    );
  });
});
