import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import {
  assertRefused,
  createAll,
  freshCollection,
  freshConfigMaps,
  grant,
  listNames,
  readVersion,
  touch,
} from './drivers/collections.ts';
import { at, type ConformanceServer, type ConformanceTests } from './drivers/conformance-server.ts';
import { withOtherSwitches } from './drivers/variants.ts';

const jsonPatch = 'application/json-patch+json';

/** The kinds that discovery names, as `{group}/{version}/{kind}`, with the path of their group version. */
async function kindsInDiscovery(server: ConformanceServer): Promise<{ path: string; kinds: Set<string> }[]> {
  const groups = (await server.expect(200, 'GET', '/apis')).at('groups') as readonly JsonObject[]; // A list of groups.
  const versions = groups.flatMap(group => group['versions'] as readonly JsonObject[]); // Each has versions.
  const paths = ['/api/v1', ...versions.map(version => `/apis/${version['groupVersion']}`)];
  return Promise.all(
    paths.map(async path => {
      const resources = (await server.expect(200, 'GET', path)).at('resources');
      assert.ok(Array.isArray(resources) && resources.length > 0, path);
      // A path below an object may be an operation whose options are no body, such as proxy.
      const objects = resources.filter(resource => !String(at(resource, 'name')).includes('/'));
      return { path, kinds: new Set(objects.map(resource => String(at(resource, 'kind')))) };
    }),
  );
}

/** 1, "What the service does". */
export const whatTheServiceDoesTests: ConformanceTests = {
  '1/What the service does/a every kind that is discovered has a definition': async server => {
    for (const { path, kinds } of await kindsInDiscovery(server)) {
      const document = await server.expect(200, 'GET', `/openapi/v3${path}`);
      const schemas = document.at('components', 'schemas') as JsonObject; // A document has schemas.
      const defined = new Set(Object.keys(schemas).map(name => name.split('.').at(-1)));
      for (const kind of kinds) assert.ok(defined.has(kind), `${kind} of ${path}`);
    }
  },
  '1/What the service does/b an object outlives the process that stored it': async server => {
    const own = await server.variant({ 'request-timeout': '59s' }, { ofProcesses: true });
    const secrets = await freshCollection(own);
    const created = await own.expect(201, 'POST', secrets, { body: { metadata: { name: 'a' } } });
    for (const gateway of own.gateways.keys()) await own.restart(gateway);
    for (const gateway of own.gateways.keys()) {
      const got = await own.expect(200, 'GET', `${secrets}/a`, { gateway });
      assert.deepEqual(got.body, created.body);
    }
  },
  '1/What the service does/c the version is 1.26': async server => {
    const version = await server.expect(200, 'GET', '/version');
    assert.deepEqual([version.at('major'), version.at('minor')], ['1', '26']);
  },
  '1/What the service does/1 POST, GET, PUT, PATCH and DELETE': async server => {
    const maps = await freshConfigMaps(server);
    const body = { metadata: { name: 'a' }, data: { k: '1' } };
    await server.expect(201, 'POST', maps, { body });
    assert.equal((await server.expect(200, 'GET', `${maps}/a`)).at('data', 'k'), '1');
    await server.expect(200, 'PUT', `${maps}/a`, { body: { ...body, data: { k: '2' } } });
    assert.equal((await server.expect(200, 'GET', `${maps}/a`)).at('data', 'k'), '2');
    const patch = [{ op: 'replace', path: '/data/k', value: '3' }];
    await server.expect(200, 'PATCH', `${maps}/a`, { body: patch, contentType: jsonPatch });
    assert.equal((await server.expect(200, 'GET', `${maps}/a`)).at('data', 'k'), '3');
    await server.expect(200, 'DELETE', `${maps}/a`);
    assertRefused(await server.request('GET', `${maps}/a`), 404, 'NotFound');
  },
  '1/What the service does/2 the right to a subresource is not the right to its object': async server => {
    const namespace = await server.namespace();
    const services = `/api/v1/namespaces/${namespace}/services`;
    await server.expect(201, 'POST', services, {
      body: { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
    });
    await grant(server, { user: 'alice', namespace, resources: ['services/status'], verbs: ['patch'] });
    const patch = {
      user: 'alice',
      body: { metadata: { labels: { by: 'alice' } } },
      contentType: 'application/merge-patch+json',
    } as const;
    await server.expect(200, 'PATCH', `${services}/s/status`, patch);
    assertRefused(await server.request('PATCH', `${services}/s`, patch), 403, 'Forbidden');
  },
  '1/What the service does/2 a scale is another representation of a deployment': async server => {
    const deployments = `/apis/apps/v1/namespaces/${await server.namespace()}/deployments`;
    const labels = { app: 'a' };
    await server.expect(201, 'POST', deployments, {
      body: {
        metadata: { name: 'd' },
        spec: {
          replicas: 2,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      },
    });
    const scale = await server.expect(200, 'GET', `${deployments}/d/scale`);
    assert.deepEqual(
      [scale.at('kind'), scale.at('apiVersion'), scale.at('spec', 'replicas')],
      ['Scale', 'autoscaling/v1', 2],
    );
    await server.expect(200, 'PUT', `${deployments}/d/scale`, {
      body: { ...scale.body, spec: { replicas: 3 } },
    });
    assert.equal((await server.expect(200, 'GET', `${deployments}/d`)).at('spec', 'replicas'), 3);
  },
  '1/What the service does/3 a list in chunks, and a watch from it that misses nothing': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a', 'b', 'c']);
    const first = await server.expect(200, 'GET', `${secrets}?limit=2`);
    const changed = await touch(server, `${secrets}/a`, '1');
    const token = encodeURIComponent(String(first.at('metadata', 'continue')));
    const second = await server.expect(200, 'GET', `${secrets}?limit=2&continue=${token}`);
    assert.deepEqual([listNames(first), listNames(second)], [['a', 'b'], ['c']]);
    using stream = await server.watch(`${secrets}?watch=1&resourceVersion=${readVersion(first)}`);
    const [event] = await stream.heard(1);
    assert.deepEqual(
      [event?.type, event?.at('metadata', 'name'), event?.at('metadata', 'resourceVersion')],
      ['MODIFIED', 'a', changed],
    );
  },
  '1/What the service does/4 JSON by default, protobuf and Table when asked for': async server => {
    const secrets = await freshCollection(server);
    await createAll(server, secrets, ['a']);
    const json = await server.expect(200, 'GET', secrets);
    assert.equal(json.headers['content-type'], 'application/json');
    assert.equal(json.at('kind'), 'SecretList');
    const accept = 'application/vnd.cluster.protobuf';
    const protobuf = await server.expect(200, 'GET', secrets, { accept });
    assert.equal(protobuf.bytes.subarray(0, 4).toString('latin1'), 'k8s\0');
    const table = await server.expect(200, 'GET', secrets, {
      accept: 'application/json;as=Table;g=meta.cluster.io;v=v1',
    });
    assert.equal(table.at('kind'), 'Table');
  },
  '1/What the service does/5 a dry run, a strict write and an apply': async server => {
    const maps = await freshConfigMaps(server);
    const body = { metadata: { name: 'a' }, data: { k: '1' }, unknown: true };
    await server.expect(201, 'POST', `${maps}?dryRun=All`, { body });
    assertRefused(await server.request('GET', `${maps}/a`), 404, 'NotFound');
    const strict = await server.request('POST', `${maps}?fieldValidation=Strict`, { body });
    assertRefused(strict, 400, 'BadRequest');
    const applied = await server.expect(201, 'PATCH', `${maps}/a?fieldManager=m1`, {
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '1' } },
      contentType: 'application/apply-patch+yaml',
    });
    assert.equal(applied.at('metadata', 'managedFields', 0, 'manager'), 'm1');
    assert.equal(applied.at('metadata', 'managedFields', 0, 'operation'), 'Apply');
  },
  '1/What the service does/6 first terminating, then gone': async server => {
    const secrets = await freshCollection(server);
    const metadata = { name: 'a', finalizers: ['example.com/hold'] };
    await server.expect(201, 'POST', secrets, { body: { metadata } });
    await server.expect(200, 'DELETE', `${secrets}/a`);
    const terminating = await server.expect(200, 'GET', `${secrets}/a`);
    assert.ok(terminating.at('metadata', 'deletionTimestamp'));
    await server.expect(200, 'PATCH', `${secrets}/a`, {
      body: { metadata: { finalizers: null } },
      contentType: 'application/merge-patch+json',
    });
    assertRefused(await server.request('GET', `${secrets}/a`), 404, 'NotFound');
  },
  '1/What the service does/7 livez and readyz answer': async server => {
    for (const gateway of server.gateways.keys()) {
      for (const path of ['/livez', '/readyz'])
        assert.equal((await server.expect(200, 'GET', path, { gateway })).text, 'ok');
    }
  },
  '1/What the service does/8 a version that is switched off is gone from discovery and from its path':
    async server => {
      const other = await withOtherSwitches(server);
      const jobs = `/apis/batch/v1/namespaces/default/jobs`;
      await server.expect(200, 'GET', jobs);
      await other.expect(404, 'GET', jobs);
      const readGroups = async (asked: ConformanceServer) => (await asked.expect(200, 'GET', '/apis')).text;
      assert.ok((await readGroups(server)).includes('"batch/v1"'));
      assert.ok(!(await readGroups(other)).includes('"batch/v1"'));
    },
  '1/What the service does/8 versions in discovery are stable, or beta or alpha by name': async server => {
    const groups = (await server.expect(200, 'GET', '/apis')).at('groups') as readonly JsonObject[]; // A list of groups.
    const versions = groups.flatMap(group => group['versions'] as readonly JsonObject[]); // Each has versions.
    for (const { version } of versions)
      assert.match(String(version), /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/);
    // Alpha versions are disabled by default.
    assert.deepEqual(
      versions.filter(({ version }) => String(version).includes('alpha')),
      [],
    );
  },
};
