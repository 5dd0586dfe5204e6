import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { until } from '../journeys/api-server.ts';
import { objectAt } from '../journeys/setup/json-parts.ts';
import {
  assertRefused,
  createAll,
  freshCollection,
  grant,
  listCauses,
  listNames,
} from './drivers/collections.ts';
import {
  type Answer,
  at,
  type ConformanceServer,
  type ConformanceTests,
} from './drivers/conformance-server.ts';

const reviews = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';
const review = { spec: { nonResourceAttributes: { path: '/x', verb: 'get' } } };

/** The entry of a resource in the discovery document of its group version. */
async function discovered(server: ConformanceServer, path: string, name: string): Promise<JsonObject> {
  const resources = (await server.expect(200, 'GET', path)).at('resources');
  assert.ok(Array.isArray(resources));
  const found = resources.find(resource => at(resource, 'name') === name);
  assert.ok(found, `${name} in ${path}`);
  return objectAt(found);
}

/** Every gateway is asked to create the same object at the same time. */
async function createdOnce(server: ConformanceServer, collection: string, body: object): Promise<void> {
  const attempts = Array.from({ length: 8 }, () => server.request('POST', collection, { body }));
  const codes = (await Promise.all(attempts)).map(answer => answer.code).sort();
  assert.deepEqual(codes, [201, ...Array(7).fill(409)]);
}

async function pod(server: ConformanceServer): Promise<{ pods: string; created: Answer }> {
  const namespace = await server.namespace();
  // Pods are admitted once their account is there.
  await until('the account of the namespace', async () => {
    const account = await server.request('GET', `/api/v1/namespaces/${namespace}/serviceaccounts/default`);
    return account.code === 200;
  });
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const created = await server.expect(201, 'POST', pods, { body: { metadata: { name: 'p' }, spec } });
  return { pods, created };
}

/** 1, "Terms" and "Names and scope". */
export const nameAndScopeTests: ConformanceTests = {
  '1/Terms/resource type discovery names the types that paths use': async server => {
    const services = await discovered(server, '/api/v1', 'services');
    assert.deepEqual([services['kind'], services['namespaced']], ['Service', true]);
    await server.expect(200, 'GET', `/api/v1/namespaces/${await server.namespace()}/${services['name']}`);
    assertRefused(await server.request('GET', '/api/v1/service'), 404, 'NotFound');
  },
  '1/Terms/kind every object of a type is of its kind': async server => {
    const { kind } = await discovered(server, '/api/v1', 'secrets');
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    assert.equal((await server.expect(200, 'GET', `${secrets}/a`)).at('kind'), kind);
    const wrong = await server.request('POST', secrets, { body: { kind: 'ConfigMap', apiVersion: 'v1' } });
    assertRefused(wrong, 400, 'BadRequest');
  },
  '1/Terms/collection a collection lists the instances of its type': async server => {
    const secrets = await freshCollection(server);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), []);
    await createAll(server, secrets, ['b', 'a']);
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), ['a', 'b']);
  },
  '1/Terms/resource an object is at its name below the collection': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b']);
    assert.equal((await server.expect(200, 'GET', `${secrets}/b`)).at('metadata', 'name'), 'b');
    const none = await server.request('GET', `${secrets}/c`);
    assertRefused(none, 404, 'NotFound');
    assert.deepEqual(none.at('details'), { name: 'c', kind: 'secrets' });
  },
  '1/Terms/subresource subresources are discovered below their types, and only some have them':
    async server => {
      const status = await discovered(server, '/api/v1', 'services/status');
      assert.deepEqual(status['verbs'], ['get', 'patch', 'update']);
      const resources = (await server.expect(200, 'GET', '/api/v1')).at('resources');
      assert.ok(Array.isArray(resources));
      assert.ok(!resources.some(resource => String(at(resource, 'name')).startsWith('secrets/')));
    },
  '1/Terms/virtual resource type an access review is answered and not stored': async server => {
    const answer = await server.expect(201, 'POST', reviews, { body: review });
    assert.equal(answer.at('status', 'allowed'), true);
    assert.equal(answer.at('metadata', 'uid'), undefined);
    assertRefused(await server.request('GET', reviews), 405, 'MethodNotAllowed');
    const named = '/apis/authorization.cluster.io/v1/subjectaccessreviews';
    const body = { spec: { user: 'bob', nonResourceAttributes: { path: '/metrics', verb: 'get' } } };
    assert.equal((await server.expect(201, 'POST', named, { body })).at('status', 'allowed'), false);
  },
  '1/Terms/virtual resource type an eviction deletes its pod and is no object': async server => {
    const { pods } = await pod(server);
    const answer = await server.expect(201, 'POST', `${pods}/p/eviction`, {
      body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
    });
    assert.deepEqual([answer.at('kind'), answer.at('status')], ['Status', 'Success']);
    assertRefused(await server.request('GET', `${pods}/p`), 404, 'NotFound');
    assertRefused(await server.request('GET', `${pods}/p/eviction`), 405, 'MethodNotAllowed');
  },
  '1/Names and scope/1 an object without a name is refused': async server => {
    const refused = await server.request('POST', await freshCollection(server), { body: {} });
    assertRefused(refused, 422, 'Invalid');
    assert.deepEqual(listCauses(refused), ['metadata.name FieldValueRequired']);
  },
  '1/Names and scope/1 a name is held once in a namespace, and free again after deletion': async server => {
    const secrets = await freshCollection(server);
    const body = { metadata: { name: 'a' } };
    await createdOnce(server, secrets, body);
    const repeated = await server.request('POST', secrets, { body });
    assertRefused(repeated, 409, 'AlreadyExists');
    assert.deepEqual(repeated.at('details'), { name: 'a', kind: 'secrets' });
    assert.match(String(repeated.at('message')), /"a" already exists/);
    await server.expect(200, 'DELETE', `${secrets}/a`);
    await server.expect(201, 'POST', secrets, { body });
  },
  '1/Names and scope/1 the name is free for other kinds and in other namespaces': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    await createAll(server, secrets.replace(/secrets$/, 'configmaps'), ['a']);
    await createAll(server, await freshCollection(server), ['a']);
  },
  '1/Names and scope/2 one node of a name in the cluster': async server => {
    const body = { metadata: { name: `node-${Date.now()}` } };
    await createdOnce(server, '/api/v1/nodes', body);
    await server.expect(200, 'DELETE', `/api/v1/nodes/${body.metadata.name}`);
  },
  '1/Names and scope/3 reviews without a name are answered each time': async server => {
    for (let i = 0; i < 2; i++) await server.expect(201, 'POST', reviews, { body: review });
  },
  '1/Names and scope/4 discovery tells the scope of every type, and paths keep to it': async server => {
    assert.equal((await discovered(server, '/api/v1', 'nodes'))['namespaced'], false);
    assert.equal((await discovered(server, '/api/v1', 'secrets'))['namespaced'], true);
    const path = `/api/v1/namespaces/${await server.namespace()}/nodes`;
    assertRefused(await server.request('GET', path), 404, 'NotFound');
  },
  '1/Names and scope/4 what is in a namespace is deleted with it': async server => {
    const namespace = await server.namespace();
    const secrets = `/api/v1/namespaces/${namespace}/secrets`;
    await createAll(server, secrets, ['a', 'b']);
    const deleted = await server.expect(200, 'DELETE', `/api/v1/namespaces/${namespace}`);
    assert.equal(deleted.at('status', 'phase'), 'Terminating');
    await until('the namespace is gone', async () => {
      return (await server.request('GET', `/api/v1/namespaces/${namespace}`)).code === 404;
    });
    assert.deepEqual(listNames(await server.expect(200, 'GET', secrets)), []);
  },
  '1/Names and scope/4 rights in one namespace are none in another': async server => {
    const [mine, theirs] = [await server.namespace(), await server.namespace()];
    await grant(server, { user: 'alice', namespace: mine, resources: ['secrets'], verbs: ['list'] });
    const list = (namespace: string) =>
      server.request('GET', `/api/v1/namespaces/${namespace}/secrets`, { user: 'alice' });
    assert.equal((await list(mine)).code, 200);
    assertRefused(await list(theirs), 403, 'Forbidden');
    assertRefused(await server.request('GET', '/api/v1/secrets', { user: 'alice' }), 403, 'Forbidden');
  },
  '1/Names and scope/5 text for a number, a value for a list and a list for a value are refused':
    async server => {
      const services = `/api/v1/namespaces/${await server.namespace()}/services`;
      const specs: object[] = [
        { ports: [{ port: 'eighty' }] },
        { ports: { port: 80 } },
        { ports: [{ port: 80 }], type: ['ClusterIP'] },
        { ports: [{ port: 80 }], publishNotReadyAddresses: 'yes' },
      ];
      for (const spec of specs) {
        const refused = await server.request('POST', services, { body: { metadata: { name: 's' }, spec } });
        assertRefused(refused, 400, 'BadRequest');
      }
    },
  '1/Names and scope/5 a required field that is missing is named': async server => {
    const services = `/api/v1/namespaces/${await server.namespace()}/services`;
    const refused = await server.request('POST', services, {
      body: { metadata: { name: 's' }, spec: { ports: [{ protocol: 'TCP' }] } },
    });
    assertRefused(refused, 422, 'Invalid');
    assert.ok(
      listCauses(refused).some(cause => cause.startsWith('spec.ports[0].port ')),
      refused.text,
    );
  },
};
