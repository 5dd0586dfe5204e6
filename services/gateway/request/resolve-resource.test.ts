import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { StatusError } from '@binnacle/status-errors';
import { PageNotFound } from './page-not-found.ts';
import { parseRequestTarget } from './parse-request-target.ts';
import { resolveResource } from './resolve-resource.ts';

const registry = createTypeRegistry();

function resolve(method: string, url: string) {
  const [path = '', query = ''] = url.split('?');
  const line = { method, path, query: new URLSearchParams(query) };
  const target = parseRequestTarget(line, group => registry.canonicalGroup(group));
  assert.equal(target.kind, 'resource');
  return resolveResource(registry, target, method);
}

const refused: [string, string, number][] = [
  ['PUT', '/api/v1/namespaces/t/configmaps', 405],
  ['PATCH', '/api/v1/namespaces/t/configmaps', 405],
  ['POST', '/api/v1/namespaces/t/configmaps/a', 405],
  ['POST', '/api/v1/configmaps', 405],
  ['DELETE', '/api/v1/configmaps', 405],
  ['DELETE', '/api/v1/namespaces', 405],
  ['DELETE', '/api/v1/namespaces/t/services/s/status', 405],
  ['HEAD', '/api/v1/namespaces/t/configmaps', 405],
  ['OPTIONS', '/api/v1/namespaces/t/configmaps', 405],
  ['GET', '/api/v1/namespaces/t/foos', 404],
  ['POST', '/api/v1/namespaces/t/foos', 404],
  ['GET', '/api/v9/namespaces/t/configmaps', 404],
  ['GET', '/apis/rbac.authorization.cluster.io/v9/clusterroles', 404],
  ['GET', '/api/v1/namespaces/t/services/s/foo', 404],
  ['GET', '/api/v1/namespaces/t/services/s/status/more', 404],
  ['GET', '/apis/rbac.authorization.cluster.io/v1/namespaces/t/clusterroles', 404],
  ['GET', '/api/v1/configmaps/a', 404],
];
for (const [method, url, code] of refused) {
  test(`${method} ${url} is a ${code} Status`, () => {
    assert.throws(
      () => resolve(method, url),
      (error: unknown) => error instanceof StatusError && error.code === code,
    );
  });
}

test('an unknown group is answered with a plain page', () => {
  assert.throws(() => resolve('GET', '/apis/nope.example/v1/things'), PageNotFound);
});

test('served resources are found, with a namespace where they have one', () => {
  const map = resolve('GET', '/api/v1/namespaces/t/configmaps/a');
  assert.equal(map.definition.kind, 'ConfigMap');
  assert.deepEqual([map.info.verb, map.info.namespace, map.info.name], ['get', 't', 'a']);
  const namespace = resolve('PUT', '/api/v1/namespaces/t/finalize');
  assert.deepEqual([namespace.info.namespace, namespace.info.subresource], ['', 'finalize']);
  const aliased = resolve('GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles?watch=1');
  assert.deepEqual(
    [aliased.definition.group, aliased.info.group, aliased.info.verb],
    ['rbac.authorization.cluster.io', 'rbac.authorization.k8s.io', 'watch'],
  );
});
