import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  annotations,
  components,
  groups,
  labels,
  namespaces,
  objects,
  users,
  vocabulary,
} from '@binnacle/api-names';
import { type ApiObject, formatApiVersion, type JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { comparable, completed, nameFromObject, releaseObjects } from '@binnacle/gateway/testing';
import { type AdminServer, at, startAdminServer } from './admin-server.ts';
import { until } from './api-server.ts';
import { objectAt } from './setup/json-parts.ts';
import { createTemporaryDirectory } from './setup/temporary-directory.ts';

const runtimeConfig = `${groups.admissionregistration}/v1alpha1=true`;
const registry = createTypeRegistry({ runtimeConfig });

/** The path of an object, or of its collection. */
function createPath(
  { apiVersion, kind, metadata: { namespace, name } }: ApiObject,
  collection = false,
): string {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const definition = registry.kind(group, version, kind);
  assert.ok(definition, `${kind} ${apiVersion}`);
  const root = group === '' ? '/api/v1' : `/apis/${formatApiVersion(definition)}`;
  const scope = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${root}${scope}/${definition.resource}${collection ? '' : `/${encodeURIComponent(name ?? '')}`}`;
}

async function exists(server: AdminServer, path: string): Promise<boolean> {
  return (await server.send('GET', path)).code === 200;
}

suite(
  'a new server has the objects of release 1.26.5',
  { skip: vocabulary !== 'kubernetes' && 'the names are those of the vocabulary kubernetes' },
  () => {
    test('there are few other objects', async () => {
      await using server = await startAdminServer({ runtimeConfig });
      const different = {
        Service: comparableService,
        ConfigMap: comparableConfigMap,
        Lease: comparableLease,
      };
      for (const object of releaseObjects) {
        if (object.kind === 'Lease') continue;
        const own = (await server.expect(200, 'GET', createPath(object))) as ApiObject; // Of its path.
        const part = different[object.kind as keyof typeof different] ?? comparable; // Most have none.
        assert.deepEqual(part(own), part(completed(object)), nameFromObject(object));
      }
      const [lease] = releaseObjects.filter(({ kind }) => kind === 'Lease');
      assert.ok(lease);
      await until('there is a lease of the server', async () => {
        const { items } = await server.expect(200, 'GET', createPath(lease, true));
        return (items as ApiObject[]).some(item =>
          item.metadata.name?.startsWith(`${components.apiserver}-`),
        ); // Leases.
      });
      const { items } = await server.expect(200, 'GET', createPath(lease, true));
      const leases = (items as ApiObject[]).filter(item => labels.component in (item.metadata.labels ?? {}));
      assert.deepEqual(
        leases.map(item => comparableLease({ ...lease, ...item })),
        [comparableLease(lease)],
      );

      const kinds = [
        'ClusterRole',
        'ClusterRoleBinding',
        'FlowSchema',
        'PriorityLevelConfiguration',
        'APIService',
      ];
      for (const kind of kinds) {
        const [some] = releaseObjects.filter(object => object.kind === kind);
        assert.ok(some);
        const all = await server.expect(200, 'GET', createPath(some, true));
        const known = releaseObjects
          .filter(object => object.kind === kind)
          .map(({ metadata }) => metadata.name ?? '');
        const others = (all['items'] as ApiObject[]).map(({ metadata }) => metadata.name ?? ''); // A list.
        for (const name of others.filter(other => !known.includes(other)))
          assert.match(name, /^(system:)?binnacle-controller-manager/, kind);
      }
    });
  },
);

/** The parts of the Service that do not depend on the port of the server. */
function comparableService(object: ApiObject): JsonObject {
  const { spec, ...rest } = comparable(object) as { spec: { ports: object[] } };
  const ports = spec.ports.map(port => ({ ...port, targetPort: 0 }));
  return { ...rest, spec: { ...spec, clusterIP: '', clusterIPs: [], ports } } as unknown as JsonObject; // JSON in parts.
}

/** A server without authenticating proxies publishes nothing of them. */
function comparableConfigMap(object: ApiObject): JsonObject {
  const { data: _, ...rest } = comparable(object);
  return rest;
}

/** The lease of a server but for its host and times. */
function comparableLease(object: ApiObject): JsonObject {
  const { spec, metadata, ...rest } = comparable(object) as { spec: JsonObject; metadata: JsonObject };
  const name = /^[a-z-]+-[a-z2-7]{26}$/;
  assert.match(String(metadata['name']), name);
  assert.match(String(spec['holderIdentity']), /^[a-z2-7-]+_[0-9a-f-]{36}$/);
  assert.ok(Date.parse(String(spec['renewTime'])) > 0);
  const ownLabels = { ...objectAt(metadata, 'labels'), [labels.hostname]: '' };
  return {
    ...rest,
    metadata: { namespace: metadata['namespace'] ?? '', labels: ownLabels },
    spec: { leaseDurationSeconds: spec['leaseDurationSeconds'] ?? 0 },
  };
}

const configMap = `/api/v1/namespaces/${namespaces.system}/configmaps/extension-apiserver-authentication`;
const service = `/api/v1/namespaces/default/services/${objects.apiService}`;
const nodeLeases = `/api/v1/namespaces/${namespaces.nodeLease}`;
const flowSchemas = `/apis/${groups.flowcontrol}/v1beta3/flowschemas`;
const clusterRoles = `/apis/${groups.rbac}/v1/clusterroles`;
const apiServices = `/apis/${groups.apiregistration}/v1/apiservices`;

test('objects that kube-apiserver restores are restored after a deletion or change, and others at a start', async () => {
  await using directory = await createTemporaryDirectory();
  const dataDir = directory.path;
  const stayAway = [`${clusterRoles}/${encodeURIComponent(users.scheduler)}`, `${apiServices}/v1.apps`];
  {
    await using server = await startAdminServer({ dataDir });
    const comeBack = [configMap, service, nodeLeases, `${flowSchemas}/probes`];
    const before = new Map<string, JsonObject>();
    for (const path of comeBack) before.set(path, await server.expect(200, 'GET', path));
    for (const path of stayAway) await server.expect(200, 'DELETE', path);
    for (const path of comeBack) await server.expect(200, 'DELETE', path);
    for (const path of comeBack)
      await until(`${path} is there again`, async () => {
        const { code, body } = await server.send('GET', path);
        return code === 200 && at(body, 'metadata', 'uid') !== at(before.get(path) ?? {}, 'metadata', 'uid');
      });
    for (const path of [configMap, service]) {
      const own = await server.expect(200, 'GET', path);
      for (const field of ['data', 'spec']) assert.deepEqual(own[field], before.get(path)?.[field]);
    }
    const contentType = 'application/merge-patch+json';
    const keys = Object.keys((before.get(configMap)?.['data'] ?? {}) as JsonObject); // Of a config map.
    assert.deepEqual(keys, ['client-ca-file']);
    await server.expect(200, 'PATCH', configMap, { body: { data: { 'client-ca-file': '' } }, contentType });
    await server.expect(200, 'PATCH', `${flowSchemas}/exempt`, {
      body: { metadata: { labels: { a: 'b' } } },
      contentType,
    });
    await until('the authority is published again', async () => {
      const { data } = await server.expect(200, 'GET', configMap);
      return JSON.stringify(data) === JSON.stringify(before.get(configMap)?.['data']);
    });
    for (const path of stayAway) assert.equal(await exists(server, path), false, path);
  }
  await using server = await startAdminServer({ dataDir });
  for (const path of stayAway) await until(`${path} is there again`, () => exists(server, path));
  const schema = await server.expect(200, 'GET', `${flowSchemas}/exempt`);
  assert.equal(at(schema, 'metadata', 'annotations', annotations.apfAutoupdate), 'true');
});
