import assert from 'node:assert/strict';
import {
  assertRefused,
  createAll,
  freshCollection,
  freshConfigMaps,
  listCauses,
  listNames,
  readVersion,
} from './drivers/collections.ts';
import type { ConformanceServer, ConformanceTests, Sent } from './drivers/conformance-server.ts';

const mergePatch = 'application/merge-patch+json';

/** The four writes of a ConfigMap that is there before each of them, but for the create. */
const writes: readonly [method: string, name: string, sent: (name: string) => Sent][] = [
  ['POST', '', () => ({ body: { metadata: { generateName: 'new-' }, data: { k: '2' } } })],
  ['PUT', '/a', name => ({ body: { metadata: { name }, data: { k: '2' } } })],
  ['PATCH', '/a', () => ({ body: { data: { k: '2' } }, contentType: mergePatch })],
  ['DELETE', '/a', () => ({})],
];

const readTests: ConformanceTests = {
  '1/Query parameters/watch a list becomes a watch; on an item it means nothing': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    using stream = await server.watch(`${secrets}?watch=1`);
    assert.equal((await stream.heard(1))[0]?.type, 'ADDED');
    assert.equal((await server.expect(200, 'GET', `${secrets}/a?watch=1`)).at('kind'), 'Secret');
  },
  '1/Query parameters/resourceVersion what is no version is refused everywhere': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    for (const path of [`${secrets}/a?`, `${secrets}?`, `${secrets}?watch=1&`]) {
      assertRefused(await server.request('GET', `${path}resourceVersion=abc`), 400, 'BadRequest');
      const answer = await server.open('GET', `${path}resourceVersion=${version}`);
      assert.equal(answer.statusCode, 200, path);
      answer.destroy();
    }
  },
  '1/Query parameters/resourceVersionMatch other values and other verbs are refused': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    for (const match of ['Exact', 'NotOlderThan'])
      await server.expect(200, 'GET', `${secrets}?resourceVersion=${version}&resourceVersionMatch=${match}`);
    const unknown = await server.request('GET', `${secrets}?resourceVersion=1&resourceVersionMatch=Newest`);
    assertRefused(unknown, 422, 'Invalid');
    assert.deepEqual(listCauses(unknown), ['resourceVersionMatch FieldValueNotSupported']);
    const watch = await server.request(
      'GET',
      `${secrets}?watch=1&resourceVersion=${version}&resourceVersionMatch=Exact&timeoutSeconds=1`,
    );
    assertRefused(watch, 422, 'Invalid');
    // A get does not know it.
    await server.expect(200, 'GET', `${secrets}/a?resourceVersionMatch=Exact`);
  },
  '1/Query parameters/allowWatchBookmarks without it there are no bookmarks': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    const listTypes = async (query: string): Promise<string[]> => {
      const path = `${secrets}?watch=1&resourceVersion=${version}&timeoutSeconds=1${query}`;
      using stream = await server.watch(path);
      await stream.ended;
      return stream.events.map(event => event.type);
    };
    assert.deepEqual(await listTypes(''), []);
    const types = await listTypes('&allowWatchBookmarks=true');
    assert.deepEqual([...new Set(types)], ['BOOKMARK']);
  },
  '1/Query parameters/limit no more items than that; other text is refused': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b', 'c']);
    assert.deepEqual(listNames(await server.expect(200, 'GET', `${secrets}?limit=2`)), ['a', 'b']);
    for (const none of ['0', '-1', ''])
      assert.equal(listNames(await server.expect(200, 'GET', `${secrets}?limit=${none}`)).length, 3);
    assertRefused(await server.request('GET', `${secrets}?limit=abc`), 400, 'BadRequest');
  },
  '1/Query parameters/continue what is no token is refused': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b']);
    const token = (await server.expect(200, 'GET', `${secrets}?limit=1`)).at('metadata', 'continue');
    const rest = await server.expect(200, 'GET', `${secrets}?continue=${encodeURIComponent(String(token))}`);
    assert.deepEqual(listNames(rest), ['b']);
    const escaping = { v: 'meta.cluster.io/v1', rv: 1, start: '../../secrets/x\0' };
    for (const wrong of ['garbage', Buffer.from(JSON.stringify(escaping)).toString('base64url')])
      assertRefused(await server.request('GET', `${secrets}?limit=1&continue=${wrong}`), 400, 'BadRequest');
  },
  '1/Query parameters/timeoutSeconds a watch ends with it, in good order': async server => {
    const secrets = await freshCollection(server);
    using stream = await server.watch(`${secrets}?watch=1&timeoutSeconds=1`);
    await stream.ended;
    assert.deepEqual([stream.code, stream.events], [200, []]);
    await server.expect(200, 'GET', `${secrets}?timeoutSeconds=10`);
    for (const path of [`${secrets}?`, `${secrets}?watch=1&`])
      assertRefused(await server.request('GET', `${path}timeoutSeconds=abc`), 400, 'BadRequest');
  },
  '1/Query parameters/pretty what is answered is indented': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    const plain = await server.expect(200, 'GET', `${secrets}/a`);
    assert.ok(!plain.text.trimEnd().includes('\n'));
    for (const path of [`${secrets}/a?pretty=1`, `${secrets}?pretty=true`, `${secrets}/none?pretty=true`])
      assert.match((await server.request('GET', path)).text, /^\{\n {2}"kind": "/, path);
    const pretty = await server.expect(200, 'GET', `${secrets}/a?pretty=true`);
    assert.deepEqual(pretty.body, plain.body);
  },
};

/** The objects that each operator of a label selector chooses of a (tier=front, n=1), b (tier=back, n=2) and c (no labels). */
const labelSelectors: readonly [selector: string, names: string[]][] = [
  ['tier=front', ['a']],
  ['tier==front', ['a']],
  ['tier!=front', ['b', 'c']],
  ['tier in (front,back)', ['a', 'b']],
  ['tier notin (front)', ['b', 'c']],
  ['tier', ['a', 'b']],
  ['!tier', ['c']],
  ['n>1', ['b']],
  ['n<2', ['a']],
  ['tier,n=2', ['b']],
];

const fieldSelectors: readonly [selector: string, names: string[]][] = [
  ['metadata.name=a', ['a']],
  ['metadata.name==b', ['b']],
  ['metadata.name!=a', ['b', 'c']],
  ['metadata.name!=a,metadata.name!=b', ['c']],
  ['metadata.namespace=elsewhere', []],
  ['type=Opaque', ['a', 'b', 'c']],
];

async function selectable(server: ConformanceServer): Promise<string> {
  const secrets = await freshCollection(server);
  await createAll(server, secrets, ['a'], { tier: 'front', n: '1' });
  await createAll(server, secrets, ['b'], { tier: 'back', n: '2' });
  await createAll(server, secrets, ['c']);
  return secrets;
}

const selectorTests: ConformanceTests = {
  '1/Query parameters/labelSelector every operator, in lists': async server => {
    const secrets = await selectable(server);
    for (const [selector, names] of labelSelectors) {
      const query = `labelSelector=${encodeURIComponent(selector)}`;
      assert.deepEqual(listNames(await server.expect(200, 'GET', `${secrets}?${query}`)), names, selector);
    }
    const refused = await server.request('GET', `${secrets}?labelSelector=tier%20in%20(`);
    assertRefused(refused, 400, 'BadRequest');
  },
  '1/Query parameters/labelSelector in deletecollection': async server => {
    const secrets = await selectable(server);
    const refused = await server.request('DELETE', `${secrets}?labelSelector=tier%20in%20(`);
    assertRefused(refused, 400, 'BadRequest');
    const deleted = await server.expect(200, 'DELETE', `${secrets}?labelSelector=tier`);
    assert.deepEqual(listNames(deleted), ['a', 'b']);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), ['c']);
  },
  '1/Query parameters/fieldSelector every operator, in lists': async server => {
    const secrets = await selectable(server);
    for (const [selector, names] of fieldSelectors) {
      const query = `fieldSelector=${encodeURIComponent(selector)}`;
      assert.deepEqual(listNames(await server.expect(200, 'GET', `${secrets}?${query}`)), names, selector);
    }
    for (const wrong of ['data.k%3Dv', 'foo']) {
      const refused = await server.request('GET', `${secrets}?fieldSelector=${wrong}`);
      assertRefused(refused, 400, 'BadRequest');
    }
  },
  '1/Query parameters/fieldSelector in deletecollection': async server => {
    const secrets = await selectable(server);
    const refused = await server.request('DELETE', `${secrets}?fieldSelector=data.k%3Dv`);
    assertRefused(refused, 400, 'BadRequest');
    await server.expect(200, 'DELETE', `${secrets}?fieldSelector=metadata.name!%3Db`);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), ['b']);
  },
};

const writeTests: ConformanceTests = {
  '1/Query parameters/dryRun All on create, update, patch and delete stores nothing': async server => {
    const maps = await freshConfigMaps(server);
    const stored = await server.expect(201, 'POST', maps, {
      body: { metadata: { name: 'a' }, data: { k: '1' } },
    });
    for (const [method, name, sent] of writes) {
      const code = method === 'POST' ? 201 : 200;
      await server.expect(code, method, `${maps}${name}?dryRun=All`, sent('a'));
      assert.deepEqual((await server.expect(200, 'GET', `${maps}/a`)).body, stored.body, method);
    }
  },
  '1/Query parameters/dryRun other values are refused on every write': async server => {
    const maps = await freshConfigMaps(server);
    await createAll(server, maps, ['a']);
    for (const [method, name, sent] of writes) {
      const refused = await server.request(method, `${maps}${name}?dryRun=Some`, sent('a'));
      assertRefused(refused, 422, 'Invalid');
      assert.deepEqual(listCauses(refused), ['dryRun FieldValueNotSupported'], method);
    }
  },
  '1/Query parameters/fieldManager the manager of what create, update and patch set': async server => {
    const maps = await freshConfigMaps(server);
    await server.expect(201, 'POST', maps, { body: { metadata: { name: 'a' }, data: { k: '1' } } });
    for (const [method, name, sent] of writes.slice(0, 3)) {
      const manager = `manager-${method}`;
      const answer = await server.request(method, `${maps}${name}?fieldManager=${manager}`, {
        ...sent('a'),
        // A change of its own for each write.
        body: { metadata: { name: name === '' ? 'new' : 'a' }, data: { [method]: '1' } },
      });
      assert.ok(answer.code < 300, answer.text);
      assert.ok(answer.text.includes(`"manager":"${manager}"`), answer.text);
      const long = await server.request(method, `${maps}${name}?fieldManager=${'x'.repeat(129)}`, sent('a'));
      assertRefused(long, 422, 'Invalid');
      assert.deepEqual(listCauses(long), ['fieldManager FieldValueTooLong']);
    }
  },
  '1/Query parameters/fieldValidation the three levels on create, update and patch, and no other':
    async server => {
      const maps = await freshConfigMaps(server);
      await createAll(server, maps, ['a']);
      for (const [method, name, sent] of writes.slice(0, 3)) {
        const { body, ...rest } = sent('a');
        const unknown = { ...rest, body: { ...(body as object), unknown: 1 } }; // Every write has a body.
        const send = (value: string) =>
          server.request(method, `${maps}${name}?fieldValidation=${value}`, unknown);
        const ignored = await send('Ignore');
        assert.deepEqual([ignored.code < 300, ignored.warnings], [true, []], method);
        const warned = await send('Warn');
        assert.deepEqual([warned.code < 300, warned.warnings], [true, ['unknown field "unknown"']], method);
        assertRefused(await send('Strict'), 400, 'BadRequest');
        const other = await send('Lenient');
        assertRefused(other, 422, 'Invalid');
        assert.deepEqual(listCauses(other), ['fieldValidation FieldValueNotSupported']);
      }
    },
  '1/Query parameters/force an apply patch takes a field that is in conflict': async server => {
    const maps = await freshConfigMaps(server);
    const apply = (manager: string, k: string, more = '') =>
      server.request('PATCH', `${maps}/a?fieldManager=${manager}${more}`, {
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k } },
        contentType: 'application/apply-patch+yaml',
      });
    assert.equal((await apply('m1', '1')).code, 201);
    assertRefused(await apply('m2', '2'), 409, 'Conflict');
    const forced = await apply('m2', '2', '&force=true');
    assert.deepEqual([forced.code, forced.at('data', 'k')], [200, '2']);
    const other = await server.request('PATCH', `${maps}/a?force=true`, {
      body: {},
      contentType: mergePatch,
    });
    assertRefused(other, 422, 'Invalid');
    assert.deepEqual(listCauses(other), ['force FieldValueForbidden']);
  },
};

const deleteTests: ConformanceTests = {
  '1/Query parameters/gracePeriodSeconds a number of seconds on delete and deletecollection':
    async server => {
      const secrets = await freshCollection(server);
      await createAll(server, secrets, ['a', 'b']);
      for (const path of [`${secrets}/a`, secrets]) {
        const refused = await server.request('DELETE', `${path}?gracePeriodSeconds=soon`);
        assertRefused(refused, 400, 'BadRequest');
        await server.expect(200, 'DELETE', `${path}?gracePeriodSeconds=5`);
      }
      assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), []);
    },
  '1/Query parameters/propagationPolicy Orphan and Foreground leave a finalizer, Background none':
    async server => {
      const secrets = await freshCollection(server);
      const metadata = { name: 'a', finalizers: ['example.com/hold'] };
      for (const [policy, finalizer] of [
        ['Orphan', 'orphan'],
        ['Foreground', 'foregroundDeletion'],
        ['Background', undefined],
      ] as const) {
        await server.expect(201, 'POST', secrets, { body: { metadata } });
        const deleted = await server.expect(200, 'DELETE', `${secrets}/a?propagationPolicy=${policy}`);
        const expected = finalizer === undefined ? metadata.finalizers : [...metadata.finalizers, finalizer];
        assert.deepEqual(deleted.at('metadata', 'finalizers'), expected, policy);
        await server.expect(200, 'PATCH', `${secrets}/a`, {
          body: { metadata: { finalizers: null } },
          contentType: mergePatch,
        });
      }
    },
  '1/Query parameters/propagationPolicy others are refused, on delete and deletecollection': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    for (const path of [`${secrets}/a`, secrets]) {
      const refused = await server.request('DELETE', `${path}?propagationPolicy=Foo`);
      assertRefused(refused, 422, 'Invalid');
      assert.deepEqual(listCauses(refused), ['propagationPolicy FieldValueNotSupported']);
    }
    await server.expect(200, 'DELETE', `${secrets}?propagationPolicy=Background`);
  },
  '1/Query parameters/a a body of DeleteOptions goes before the parameters': async server => {
    const secrets = await freshCollection(server);
    const version = await createAll(server, secrets, ['a']);
    const stale = { preconditions: { resourceVersion: String(Number(version) - 1) } };
    assertRefused(await server.request('DELETE', `${secrets}/a`, { body: stale }), 409, 'Conflict');
    const uid = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'another' } };
    assertRefused(await server.request('DELETE', `${secrets}/a`, { body: uid }), 409, 'Conflict');
    const dry = { body: { dryRun: ['All'] } };
    await server.expect(200, 'DELETE', `${secrets}/a`, dry);
    await server.expect(200, 'DELETE', secrets, dry);
    assert.equal(readVersion(await server.expect(200, 'GET', `${secrets}/a`)), version);
    const held = { body: { propagationPolicy: 'Background' } };
    await server.expect(200, 'DELETE', `${secrets}/a?propagationPolicy=Orphan`, held);
    assertRefused(await server.request('GET', `${secrets}/a`), 404, 'NotFound');
  },
};

/** 1, "Query parameters used across resource types". */
export const queryParameterTests: ConformanceTests = {
  ...readTests,
  ...selectorTests,
  ...writeTests,
  ...deleteTests,
};
