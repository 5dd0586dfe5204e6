import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type ApiServer, startApiServer } from './api-server.ts';

const aggregated = (group: string) => `application/json;g=${group};v=v2beta1;as=APIGroupDiscoveryList`;
const toAlias = (name: string) => name.replace(/\.cluster\.io$/, '.k8s.io');

suite('discovery', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer();
  });
  after(() => server?.[Symbol.asyncDispose]());
  const get = (path: string, accept?: string) =>
    server.call('GET', path, accept === undefined ? {} : { headers: { Accept: accept } });

  test('each listed group is found, with its versions', async () => {
    const { groups } = JSON.parse((await get('/apis')).text);
    for (const group of groups) {
      assert.deepEqual(JSON.parse((await get(`/apis/${group.name}`)).text), {
        kind: 'APIGroup',
        apiVersion: 'v1',
        ...group,
      });
      assert.deepEqual(group.preferredVersion, group.versions[0]);
      for (const { groupVersion } of group.versions) {
        const list = JSON.parse((await get(`/apis/${groupVersion}`)).text);
        assert.deepEqual([list.kind, list.groupVersion], ['APIResourceList', groupVersion]);
      }
    }
  });

  test('groups are listed in order by their own name, and then once by their alias', ofCluster, async () => {
    const names = (await get('/apis')).json.groups.map(({ name }) => name);
    const own = names.filter(name => !name.endsWith('.k8s.io'));
    assert.deepEqual(own.slice(0, 3), ['apiregistration.cluster.io', 'apps', 'events.cluster.io']);
    const aliases = own.filter(name => name.endsWith('.cluster.io')).map(toAlias);
    assert.deepEqual(names, [...own, ...aliases]);
  });

  test('both names of a group have the same resources', ofCluster, async () => {
    const [own, other] = await Promise.all(
      ['cluster.io', 'k8s.io'].map(name => get(`/apis/networking.${name}/v1`)),
    );
    // A short name that two groups have is ambiguous.
    const withoutShortcuts = (resources: object[] | undefined) =>
      resources?.map(resource => ({ ...resource, shortNames: undefined, categories: undefined }));
    const [ours, theirs] = [own, other].map(one => one && [...one.json.resources]);
    assert.deepEqual(withoutShortcuts(theirs), withoutShortcuts(ours));
    assert.match(own?.text ?? '', /"shortNames":\["ing"\]/);
    assert.doesNotMatch(other?.text ?? '', /shortNames|categories/);
  });

  test('entries have all that clients need to build requests', async () => {
    const { resources } = JSON.parse((await get('/api/v1')).text);
    const entry = (name: string) => resources.find((resource: { name: string }) => resource.name === name);
    const services = entry('services');
    assert.deepEqual(services.verbs, services.verbs.toSorted());
    assert.deepEqual(services.shortNames, ['svc']);
    assert.deepEqual(services.categories, ['all']);
    assert.equal(Buffer.from(services.storageVersionHash, 'base64').length, 8);
    assert.equal(entry('services/status').storageVersionHash, undefined);
    const token = entry('serviceaccounts/token');
    assert.deepEqual(
      [token.group, token.version, token.kind, token.verbs],
      ['authentication.cluster.io', 'v1', 'TokenRequest', ['create']],
    );
  });

  test('every path of the root list is served', async () => {
    const { paths } = JSON.parse((await get('/')).text);
    assert.deepEqual(paths, paths.toSorted());
    // A folder is led to by its name.
    for (const path of paths) assert.equal((await get(path)).code, path === '/logs' ? 301 : 200, path);
  });

  test('aggregated discovery is off: refused without an alternative in Accept, otherwise ignored', async () => {
    const type = aggregated('apidiscovery.k8s.io');
    const refused = await get('/apis', type);
    assert.deepEqual([refused.code, refused.json.reason], [406, 'NotAcceptable']);
    const passed = await get('/apis', `${type},application/json`);
    assert.deepEqual([passed.code, passed.json.kind], [200, 'APIGroupList']);
    assert.equal(passed.headers['content-type'], 'application/json');
  });

  const unknown: [string, string, number, string][] = [
    ['an unknown group', '/apis/nope.example.com', 404, 'text/plain; charset=utf-8'],
    ['an unknown path', '/nope', 404, 'text/plain; charset=utf-8'],
    ['an unknown version of a known group', '/apis/apps/v9', 404, 'application/json'],
    [
      'an unknown version of a group by its other name',
      '/apis/networking.k8s.io/v9',
      404,
      'application/json',
    ],
    ['an unknown core version', '/api/v9', 404, 'application/json'],
  ];
  for (const [what, path, code, type] of unknown) {
    test(`${what} is answered with 404 in its form`, async () => {
      const answer = await get(path);
      assert.deepEqual([answer.code, answer.headers['content-type']], [code, type]);
      if (type.startsWith('text')) assert.equal(answer.text, '404 page not found\n');
      else assert.equal(answer.json.reason, 'NotFound');
    });
  }
});

suite('aggregated discovery', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer({ featureGates: featureGatesFrom('AggregatedDiscoveryEndpoint=true') });
  });
  after(() => server?.[Symbol.asyncDispose]());
  const get = (path: string, headers: Record<string, string>) => server.call('GET', path, { headers });

  for (const group of ['apidiscovery.k8s.io', 'apidiscovery.cluster.io']) {
    test(`is equivalent to the separate documents, as ${group}`, async () => {
      const type = aggregated(group);
      for (const [path, root] of [
        ['/api', '/api'],
        ['/apis', '/apis'],
      ] as const) {
        const answer = await get(path, { Accept: `${type},application/json` });
        assert.equal(answer.headers['content-type'], type);
        assert.match(String(answer.headers['vary']), /Accept/);
        const list = JSON.parse(answer.text);
        assert.deepEqual([list.kind, list.apiVersion], ['APIGroupDiscoveryList', `${group}/v2beta1`]);
        assert.ok(list.items.length > 0);
        for (const item of list.items) {
          for (const version of item.versions) {
            const name = item.metadata.name === undefined ? '' : `/${item.metadata.name}`;
            const plain = JSON.parse((await get(`${root}${name}/${version.version}`, {})).text);
            assert.deepEqual(
              listNames(version),
              plain.resources.map((entry: { name: string }) => entry.name),
            );
            assert.equal(version.freshness, 'Current');
          }
        }
      }
    });
  }

  test('is not sent again to clients with a current ETag', async () => {
    const accept = aggregated('apidiscovery.k8s.io');
    const first = await get('/apis', { Accept: accept });
    const tag = String(first.headers['etag']);
    assert.match(tag, /^"[0-9A-F]{128}"$/);
    const second = await get('/apis', { Accept: accept, 'If-None-Match': tag });
    assert.deepEqual([second.code, second.bytes.length], [304, 0]);
    assert.equal((await get('/apis', { Accept: accept, 'If-None-Match': '"other"' })).code, 200);
    const core = await get('/api', { Accept: accept });
    assert.notEqual(core.headers['etag'], tag);
  });

  test('is not used for a client that prefers the separate documents', async () => {
    const type = aggregated('apidiscovery.k8s.io');
    for (const accept of ['*/*', `application/json,${type}`, `${type};q=0.5,application/json`]) {
      assert.equal((await get('/apis', { Accept: accept })).json.kind, 'APIGroupList', accept);
    }
    const stranger = type.replace('v2beta1', 'v3');
    assert.equal((await get('/apis', { Accept: stranger })).code, 406);
    assert.equal((await get('/apis/apps', { Accept: type })).code, 406);
  });
});

/** The names of a version's resources as the plain documents have them: a subresource after its resource. */
function listNames(version: {
  readonly resources: readonly {
    readonly resource: string;
    readonly subresources?: readonly { readonly subresource: string }[];
  }[];
}): string[] {
  return version.resources.flatMap(({ resource, subresources = [] }) => [
    resource,
    ...subresources.map(({ subresource }) => `${resource}/${subresource}`),
  ]);
}
