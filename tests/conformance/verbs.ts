import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import {
  assertRefused,
  createAll,
  freshCollection,
  freshConfigMaps,
  grant,
  listNames,
  readVersion,
} from './drivers/collections.ts';
import type { ConformanceTests } from './drivers/conformance-server.ts';
import { withOtherSwitches } from './drivers/variants.ts';

const applyPatch = 'application/apply-patch+yaml';

/** An HTTP server on loopback that answers with what it was asked. */
async function startEcho(): Promise<{ readonly port: number } & AsyncDisposable> {
  const server = createServer((request, response) => response.end(`${request.method} ${request.url}`));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

const actionTests: ConformanceTests = {
  '1/Verbs/get GET on an item': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    const got = await server.expect(200, 'GET', `${secrets}/a`);
    assert.deepEqual([got.at('kind'), got.at('metadata', 'name')], ['Secret', 'a']);
  },
  '1/Verbs/list GET on a collection': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), ['a']);
    // A namespace that is not there has a collection without items.
    const nowhere = await server.expect(200, 'GET', '/api/v1/namespaces/nowhere-at-all/secrets');
    assert.deepEqual(listNames(nowhere), []);
  },
  '1/Verbs/watch GET with watch set': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    for (const watch of ['1', 'true']) {
      using stream = await server.watch(`${secrets}?watch=${watch}`);
      assert.equal((await stream.heard(1))[0]?.type, 'ADDED');
    }
    const list = await server.expect(200, 'GET', `${secrets}?watch=false`);
    assert.equal(list.at('kind'), 'SecretList');
  },
  '1/Verbs/create POST on a collection, and nowhere else': async server => {
    const secrets = await freshCollection(server);
    const body = { metadata: { name: 'a' } };
    const created = await server.expect(201, 'POST', secrets, { body });
    assert.deepEqual([created.at('kind'), created.at('apiVersion')], ['Secret', 'v1']);
    assertRefused(await server.request('POST', `${secrets}/b`, { body }), 405, 'MethodNotAllowed');
    const nowhere = await server.request('POST', '/api/v1/namespaces/nowhere-at-all/secrets', { body });
    assertRefused(nowhere, 404, 'NotFound');
  },
  '1/Verbs/update PUT replaces what is there': async server => {
    const maps = await freshConfigMaps(server);
    await server.expect(201, 'POST', maps, { body: { metadata: { name: 'a' }, data: { k: '1', l: '2' } } });
    const body = { metadata: { name: 'a' }, data: { k: '3' } };
    const updated = await server.expect(200, 'PUT', `${maps}/a`, { body });
    assert.deepEqual(updated.at('data'), { k: '3' });
    const other = await server.request('PUT', `${maps}/b`, { body });
    assertRefused(other, 400, 'BadRequest');
  },
  '1/Verbs/update PUT creates what is not there, for the kinds that allow it': async server => {
    const namespace = `/api/v1/namespaces/${await server.namespace()}`;
    const body = { metadata: { name: 'a' } };
    await server.expect(201, 'PUT', `${namespace}/endpoints/a`, { body });
    await server.expect(200, 'PUT', `${namespace}/endpoints/a`, { body });
    assertRefused(await server.request('PUT', `${namespace}/secrets/a`, { body }), 404, 'NotFound');
  },
  '1/Verbs/update PUT that creates needs the right to create': async server => {
    const namespace = await server.namespace();
    const collection = `/api/v1/namespaces/${namespace}/endpoints`;
    const put = () =>
      server.request('PUT', `${collection}/a`, { user: 'bob', body: { metadata: { name: 'a' } } });
    await grant(server, { user: 'bob', namespace, resources: ['endpoints'], verbs: ['update'] });
    assertRefused(await put(), 403, 'Forbidden');
    await grant(server, { user: 'bob', namespace, resources: ['endpoints'], verbs: ['create'] });
    assert.deepEqual([(await put()).code, (await put()).code], [201, 200]);
  },
  '1/Verbs/patch PATCH changes what the patch says and leaves the rest': async server => {
    const maps = await freshConfigMaps(server);
    await server.expect(201, 'POST', maps, { body: { metadata: { name: 'a' }, data: { k: '1', l: '2' } } });
    const patch = { body: { data: { k: null, m: '3' } }, contentType: 'application/merge-patch+json' };
    const patched = await server.expect(200, 'PATCH', `${maps}/a`, patch);
    assert.deepEqual(patched.at('data'), { l: '2', m: '3' });
    assertRefused(await server.request('PATCH', `${maps}/b`, patch), 404, 'NotFound');
  },
  '1/Verbs/apply PATCH of an apply patch creates, then merges': async server => {
    const maps = await freshConfigMaps(server);
    const configuration = (key: string) => ({
      contentType: applyPatch,
      body: `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  ${key}: "1"\n`,
    });
    await server.expect(201, 'PATCH', `${maps}/a?fieldManager=m1`, configuration('k'));
    const merged = await server.expect(200, 'PATCH', `${maps}/a?fieldManager=m2`, configuration('l'));
    assert.deepEqual(merged.at('data'), { k: '1', l: '1' });
  },
  '1/Verbs/delete DELETE on an item': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b']);
    await server.expect(200, 'DELETE', `${secrets}/a`);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), ['b']);
    assertRefused(await server.request('DELETE', `${secrets}/a`), 404, 'NotFound');
  },
  '1/Verbs/deletecollection DELETE on a collection': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b']);
    const deleted = await server.expect(200, 'DELETE', secrets);
    assert.equal(deleted.at('kind'), 'SecretList');
    assert.deepEqual(listNames(deleted), ['a', 'b']);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), []);
  },
};

const scopeTests: ConformanceTests = {
  '1/Verbs/proxy a request to a node goes to its address and comes back': async server => {
    const other = await withOtherSwitches(server);
    await using echo = await startEcho();
    const name = `proxied-${Date.now()}`;
    await other.expect(201, 'POST', '/api/v1/nodes', { body: { metadata: { name } } });
    await other.expect(200, 'PATCH', `/api/v1/nodes/${name}/status`, {
      body: { status: { addresses: [{ type: 'InternalIP', address: '127.0.0.1' }] } },
      contentType: 'application/merge-patch+json',
    });
    for (const method of ['GET', 'DELETE']) {
      const answer = await other.expect(
        200,
        method,
        `/api/v1/nodes/${name}:${echo.port}/proxy/some/path?q=1`,
      );
      assert.equal(answer.text, `${method} /some/path?q=1`);
    }
  },
  '1/Verbs/proxy there is nothing behind a resource that does not exist': async server => {
    const namespace = `/api/v1/namespaces/${await server.namespace()}`;
    for (const type of ['services', 'pods']) {
      const answer = await server.request('GET', `${namespace}/${type}/none/proxy/`);
      assertRefused(answer, 404, 'NotFound');
      assert.deepEqual(answer.at('details'), { name: 'none', kind: type });
    }
  },
  '1/Verbs/a a body with several objects is no request': async server => {
    const secrets = await freshCollection(server);
    const item = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const list = { apiVersion: 'v1', kind: 'SecretList', items: [item, item] };
    assertRefused(await server.request('POST', secrets, { body: list }), 400, 'BadRequest');
    assertRefused(await server.request('POST', secrets, { body: [item] }), 400, 'BadRequest');
    for (const method of ['PUT', 'PATCH']) {
      const answer = await server.request(method, secrets, { body: item });
      assertRefused(answer, 405, 'MethodNotAllowed');
    }
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), []);
  },
  '1/Verbs/b list, watch and deletecollection cover all objects of a collection': async server => {
    const secrets = await freshCollection(server);
    const names = ['a', 'b', 'c'];
    const version = readVersion(await server.expect(200, 'GET', secrets));
    await createAll(server, secrets, names);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), names);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${version}`);
    await server.expect(200, 'DELETE', secrets);
    const events = await stream.heard(6);
    const seen = (type: string) =>
      events.filter(event => event.type === type).map(event => event.at('metadata', 'name'));
    assert.deepEqual([seen('ADDED'), seen('DELETED').sort()], [names, names]);
  },
  '1/Verbs/c merge patch, JSON patch, strategic merge patch and apply patch': async server => {
    const maps = await freshConfigMaps(server);
    await server.expect(201, 'POST', maps, { body: { metadata: { name: 'a' }, data: {} } });
    const patches: [type: string, body: unknown][] = [
      ['application/merge-patch+json', { data: { merge: '1' } }],
      ['application/json-patch+json', [{ op: 'add', path: '/data/json', value: '1' }]],
      ['application/strategic-merge-patch+json', { data: { strategic: '1' } }],
      [applyPatch, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { applied: '1' } }],
    ];
    for (const [contentType, body] of patches)
      await server.expect(200, 'PATCH', `${maps}/a?fieldManager=m`, { body, contentType });
    const got = await server.expect(200, 'GET', `${maps}/a`);
    assert.deepEqual(got.at('data'), { merge: '1', json: '1', strategic: '1', applied: '1' });
  },
  '1/Verbs/c other types are refused with what there is': async server => {
    const maps = await freshConfigMaps(server);
    await server.expect(201, 'POST', maps, { body: { metadata: { name: 'a' } } });
    for (const contentType of ['application/json', 'text/plain', null]) {
      const refused = await server.request('PATCH', `${maps}/a`, { body: '{}', contentType });
      assertRefused(refused, 415, 'UnsupportedMediaType');
    }
  },
};

/** 1, "Verbs". */
export const verbTests: ConformanceTests = { ...actionTests, ...scopeTests };
