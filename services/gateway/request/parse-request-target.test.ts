import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { parseRequestTarget } from './parse-request-target.ts';
import type { ResourceTarget } from './request-target.ts';

const canonical = (group: string) => group.replace(/\.k8s\.io$/, '.cluster.io');

function parse(method: string, url: string) {
  const [path = '', query = ''] = url.split('?');
  return parseRequestTarget({ method, path, query: new URLSearchParams(query) }, canonical);
}

const resources: [string, string, Partial<ResourceTarget>][] = [
  ['GET', '/api/v1/configmaps', { verb: 'list', resource: 'configmaps', namespace: '' }],
  ['GET', '/api/v1/namespaces', { verb: 'list', resource: 'namespaces', name: '' }],
  ['GET', '/api/v1/namespaces/x', { verb: 'get', resource: 'namespaces', name: 'x', namespace: 'x' }],
  [
    'PUT',
    '/api/v1/namespaces/x/finalize',
    { verb: 'update', resource: 'namespaces', subresource: 'finalize' },
  ],
  ['GET', '/api/v1/namespaces/x/configmaps', { verb: 'list', resource: 'configmaps', namespace: 'x' }],
  ['GET', '/api/v1/namespaces/x/configmaps?watch=1', { verb: 'watch' }],
  ['GET', '/api/v1/namespaces/x/configmaps?watch', { verb: 'watch' }],
  ['GET', '/api/v1/namespaces/x/configmaps?watch=false', { verb: 'list' }],
  ['GET', '/api/v1/namespaces/x/configmaps/a?watch=1', { verb: 'get', name: 'a' }],
  ['GET', '/api/v1/watch/namespaces/x/configmaps', { verb: 'watch', resource: 'configmaps', namespace: 'x' }],
  ['GET', '/api/v1/watch/namespaces/x/configmaps/b', { verb: 'watch', name: 'b', requestedName: 'b' }],
  ['POST', '/api/v1/namespaces/x/configmaps', { verb: 'create' }],
  ['PUT', '/api/v1/namespaces/x/configmaps/a', { verb: 'update', name: 'a' }],
  ['PATCH', '/api/v1/namespaces/x/configmaps/a', { verb: 'patch' }],
  ['DELETE', '/api/v1/namespaces/x/configmaps/a', { verb: 'delete' }],
  ['DELETE', '/api/v1/namespaces/x/configmaps', { verb: 'deletecollection' }],
  ['OPTIONS', '/api/v1/namespaces/x/configmaps', { verb: 'options' }],
  ['constructor', '/api/v1/namespaces/x/configmaps', { verb: 'constructor' }],
  ['PUT', '/api/v1/namespaces/x/services/s/status', { subresource: 'status', name: 's', excess: false }],
  ['GET', '/api/v1/namespaces/x/services/s/status/more', { excess: true }],
  [
    'GET',
    '/apis/apps/v1/namespaces/x/deployments/d',
    { group: 'apps', version: 'v1', resource: 'deployments' },
  ],
  [
    'GET',
    '/apis/networking.k8s.io/v1/ingressclasses',
    { group: 'networking.k8s.io', canonicalGroup: 'networking.cluster.io' },
  ],
  [
    'GET',
    '/api/v1/namespaces/x/configmaps?fieldSelector=metadata.name%3Da',
    { verb: 'list', name: '', requestedName: 'a' },
  ],
  ['GET', '/api/v1/namespaces/x/roles/system%3Aa', { name: 'system:a' }],
];

for (const [method, url, expected] of resources) {
  test(`${method} ${url} is parsed`, () => {
    const target = parse(method, url);
    assert.equal(target.kind, 'resource');
    for (const [key, value] of Object.entries(expected)) {
      assert.equal(target[key as keyof typeof target], value, key);
    }
  });
}

for (const url of [
  '/',
  '/api',
  '/api/',
  '/api/v1',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/version',
  '/healthz/ping',
  '/apix/v1/pods',
]) {
  test(`${url} is a non-resource path`, () => assert.equal(parse('GET', url).kind, 'path'));
}

for (const url of [
  '/api/v1/namespaces/x/configmaps/a%2Fb',
  '/api/v1/namespaces/..%2F/configmaps',
  '/api/v1/namespaces/x/configmaps/..',
  '/api/v1/namespaces/x/configmaps/%zz',
]) {
  test(`${url} is refused`, () => {
    assert.throws(
      () => parse('GET', url),
      (error: unknown) => error instanceof StatusError && error.code === 400,
    );
  });
}
