import assert from 'node:assert/strict';
import { createAll, freshCollection, listNames, readVersion, touch } from './drivers/collections.ts';
import type {
  Answer,
  ConformanceServer,
  ConformanceTests,
  WatchEvent,
} from './drivers/conformance-server.ts';
import { withOtherSwitches } from './drivers/variants.ts';

const readToken = (answer: Answer): string => String(answer.at('metadata', 'continue') ?? '');

/** All chunks of a collection, each from another gateway where there are several. */
async function readChunks(server: ConformanceServer, collection: string, limit: number): Promise<Answer[]> {
  const chunks = [await server.expect(200, 'GET', `${collection}?limit=${limit}`)];
  for (let token = readToken(chunks[0] as Answer); token !== ''; ) {
    // There is a first one.
    const path = `${collection}?limit=${limit}&continue=${encodeURIComponent(token)}`;
    const chunk = await server.expect(200, 'GET', path);
    chunks.push(chunk);
    token = readToken(chunk);
  }
  return chunks;
}

const summary = (event: WatchEvent) => [
  event.type,
  event.at('metadata', 'name'),
  event.at('metadata', 'resourceVersion'),
];

const names = ['a', 'b', 'c', 'd', 'e'];

const chunkTests: ConformanceTests = {
  '1/List in chunks/1 at most n items, and a token only when there are more': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, names);
    const part = await server.expect(200, 'GET', `${secrets}?limit=4`);
    assert.deepEqual(listNames(part), names.slice(0, 4));
    assert.notEqual(readToken(part), '');
    for (const limit of [5, 6]) {
      const whole = await server.expect(200, 'GET', `${secrets}?limit=${limit}`);
      assert.deepEqual([listNames(whole), readToken(whole)], [names, '']);
    }
  },
  '1/List in chunks/2 the chunks together are the whole list, nothing twice': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, names);
    for (const limit of [1, 2, 3]) {
      const chunks = await readChunks(server, secrets, limit);
      assert.deepEqual(chunks.flatMap(listNames), names);
      assert.equal(chunks.length, Math.ceil(names.length / limit));
    }
  },
  '1/List in chunks/3 what changes meanwhile is in no chunk, and in a fresh list': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, names);
    const first = await server.expect(200, 'GET', `${secrets}?limit=2`);
    await server.expect(200, 'DELETE', `${secrets}/d`);
    await touch(server, `${secrets}/e`, 'late');
    await createAll(server, secrets, ['c1']);
    const token = encodeURIComponent(readToken(first));
    const second = await server.expect(200, 'GET', `${secrets}?limit=2&continue=${token}`);
    const last = await server.expect(
      200,
      'GET',
      `${secrets}?limit=2&continue=${encodeURIComponent(readToken(second))}`,
    );
    assert.deepEqual([listNames(second), listNames(last)], [['c', 'd'], ['e']]);
    assert.deepEqual([readVersion(second), readVersion(last)], [readVersion(first), readVersion(first)]);
    assert.equal(last.at('items', 0, 'metadata', 'labels', 'touched'), undefined);
    const fresh = await server.expect(200, 'GET', secrets);
    assert.deepEqual(listNames(fresh), ['a', 'b', 'c', 'c1', 'e']);
  },
  '1/List in chunks/5 with the gate off a limit is not looked at': async server => {
    const other = await withOtherSwitches(server);
    const secrets = await freshCollection(other);
    await createAll(other, secrets, names);
    const whole = await other.expect(200, 'GET', `${secrets}?limit=2`);
    assert.deepEqual([listNames(whole), readToken(whole)], [names, '']);
  },
};

const watchTests: ConformanceTests = {
  '1/Watch/1 changes after the version of a list, in order, from every writer': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['before']);
    const version = readVersion(await server.expect(200, 'GET', secrets));
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`);
    const created = await createAll(server, secrets, ['a']);
    const changed = await touch(server, `${secrets}/a`, '1');
    await server.expect(200, 'DELETE', `${secrets}/a`);
    const events = await stream.heard(3);
    assert.deepEqual(events.slice(0, 2).map(summary), [
      ['ADDED', 'a', created],
      ['MODIFIED', 'a', changed],
    ]);
    assert.deepEqual([events[2]?.type, events[2]?.at('metadata', 'labels', 'touched')], ['DELETED', '1']);
    assert.ok(Number(events[2]?.at('metadata', 'resourceVersion')) > Number(changed));
  },
  '1/Watch/1 changes after the version of a get': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    const version = readVersion(await server.expect(200, 'GET', `${secrets}/a`));
    const changed = await touch(server, `${secrets}/a`, '1');
    const query = `watch=1&resourceVersion=${version}&fieldSelector=metadata.name%3Da`;
    using stream = await server.watch(`${secrets}?${query}`);
    assert.deepEqual((await stream.heard(1)).map(summary), [['MODIFIED', 'a', changed]]);
  },
  '1/Watch/1 an object that comes to match is ADDED, one that ceases to is DELETED': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    using stream = await server.watch(
      `${secrets}?watch=1&resourceVersion=${version}&labelSelector=touched%3Dyes`,
    );
    const came = await touch(server, `${secrets}/a`, 'yes');
    const left = await touch(server, `${secrets}/a`, 'no');
    await touch(server, `${secrets}/a`, 'never');
    const repeated = await touch(server, `${secrets}/a`, 'yes');
    const events = await stream.heard(3);
    assert.deepEqual(events.map(summary), [
      ['ADDED', 'a', came],
      ['DELETED', 'a', left],
      ['ADDED', 'a', repeated],
    ]);
    // The last state that matched, at the version of the change.
    assert.equal(events[1]?.at('metadata', 'labels', 'touched'), 'yes');
  },
  '1/Watch/2 a watch goes on from its last event at any gateway, without a gap': async server => {
    const secrets = await freshCollection(server);
    let version = readVersion(await server.expect(200, 'GET', secrets));
    const seen: unknown[] = [];
    for (const [round, gateway] of [...server.gateways.keys(), ...server.gateways.keys()].entries()) {
      using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`, { gateway });
      const before = `before-${round}`;
      await createAll(server, secrets, [before, `after-${round}`]);
      // Dropped after the first: the second belongs to the next watch.
      const wanted = round === 0 ? 1 : 2;
      const events = (await stream.heard(wanted)).slice(0, wanted);
      seen.push(...events.map(event => event.at('metadata', 'name')));
      version = String(events.at(-1)?.at('metadata', 'resourceVersion'));
    }
    const rounds = [...server.gateways.keys(), ...server.gateways.keys()].length;
    const all = Array.from({ length: rounds }, (_, round) => [`before-${round}`, `after-${round}`]).flat();
    assert.deepEqual(seen, all.slice(0, -1));
  },
  '1/Watch/2 the client can list again': async server => {
    const secrets = await freshCollection(server);
    using dropped = await server.watch(`${secrets}?watch=1`);
    await createAll(server, secrets, ['a']);
    await dropped.heard(1);
    dropped[Symbol.dispose]();
    await createAll(server, secrets, ['b']);
    const list = await server.expect(200, 'GET', secrets);
    assert.deepEqual(listNames(list), ['a', 'b']);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${readVersion(list)}`);
    const next = await createAll(server, secrets, ['c']);
    assert.deepEqual((await stream.heard(1)).map(summary), [['ADDED', 'c', next]]);
  },
  '1/Watch/3 an old version is good for a while': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    const versions: string[] = [];
    for (let i = 0; i < 20; i++) versions.push(await touch(server, `${secrets}/a`, String(i)));
    for (const gateway of server.gateways.keys()) {
      using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`, { gateway });
      const events = await stream.heard(versions.length);
      assert.deepEqual(
        events.map(event => event.at('metadata', 'resourceVersion')),
        versions,
      );
    }
  },
};

/** 1, "List in chunks" and "Watch". */
export const listAndWatchTests: ConformanceTests = { ...chunkTests, ...watchTests };
