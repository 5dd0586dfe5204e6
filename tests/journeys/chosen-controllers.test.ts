import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StandaloneOptions } from '@binnacle/standalone/testing';
import { startApiServer, until } from './api-server.ts';
import { createDefinition, establish } from './custom-widget.ts';

type Controllers = NonNullable<StandaloneOptions['controllers']>;

async function startWith(...controllers: readonly (Controllers extends ReadonlySet<infer N> ? N : never)[]) {
  return await startApiServer({ controllers: new Set(controllers) });
}

const service = (name: string) => ({
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }] },
});

test('disabled controllers do nothing, so that others can replace them', async () => {
  await using server = await startWith('endpoint', 'namespace');
  await server.namespace('t');
  const path = '/api/v1/namespaces/t';
  assert.equal((await server.call('POST', `${path}/services`, { body: service('web') })).code, 201);
  await until(
    'there are endpoints',
    async () => (await server.call('GET', `${path}/endpoints/web`)).code === 200,
  );
  const slices = await server.call('GET', '/apis/discovery.cluster.io/v1/namespaces/t/endpointslices');
  assert.deepEqual(slices.json.items, []);
  assert.equal((await server.call('GET', `${path}/serviceaccounts/default`)).code, 404);
});

test('definitions are served although most controllers are disabled', async () => {
  await using server = await startWith('serviceaccount');
  await server.namespace('t');
  await establish(server, createDefinition('gizmos', 'Gizmo', { type: 'object' }));
  await until(
    'there is a service account',
    async () => (await server.call('GET', '/api/v1/namespaces/t/serviceaccounts/default')).code === 200,
  );
  // A namespace stays until a controller that was not chosen empties it.
  assert.equal((await server.call('DELETE', '/api/v1/namespaces/t')).code, 200);
  await server.namespace('u');
  await until(
    'the next one has its own',
    async () => (await server.call('GET', '/api/v1/namespaces/u/serviceaccounts/default')).code === 200,
  );
  assert.equal((await server.call('GET', '/api/v1/namespaces/t')).code, 200);
});

test('the information for extension servers is published', async () => {
  await using server = await startWith('namespace');
  const path = '/api/v1/namespaces/cluster-system/configmaps/extension-apiserver-authentication';
  await until('it is there', async () => (await server.call('GET', path)).code === 200);
  const { data } = (await server.call('GET', path)).json;
  assert.match(data['client-ca-file'] ?? '', /^-----BEGIN CERTIFICATE-----/);
  const rbac = '/apis/rbac.authorization.cluster.io/v1/namespaces/cluster-system';
  for (const object of [
    'roles/extension-apiserver-authentication-reader',
    'rolebindings/system::extension-apiserver-authentication-reader',
  ])
    assert.equal((await server.call('GET', `${rbac}/${object}`)).code, 200, object);
});
