import assert from 'node:assert/strict';
import type { JsonObject } from '@binnacle/api-objects';
import { objectAt } from '../../journeys/setup/json-parts.ts';
import { assertRefused, listCauses } from '../drivers/collections.ts';
import type { ConformanceServer, ConformanceTests } from '../drivers/conformance-server.ts';
import { withOtherSwitches } from '../drivers/variants.ts';
import { servedResources } from './discovery.ts';

/** Resources of versions that are gone, and the version that has them now. */
interface Removal {
  readonly from: readonly string[];
  readonly resources: readonly string[];
  /** Undefined: nothing has them. */
  readonly now?: string;
}

/** Checks that nothing is left at the old paths, neither in discovery, and that the new ones answer. */
async function assertRemoved(server: ConformanceServer, { from, resources, now }: Removal): Promise<void> {
  const served = (await servedResources(server)).map(({ groupVersion, name }) => `${groupVersion}/${name}`);
  for (const groupVersion of from) {
    for (const resource of resources) {
      for (const place of ['', 'namespaces/default/']) {
        const path = `/apis/${groupVersion}/${place}${resource}`;
        for (const [method, target] of [
          ['GET', path],
          ['POST', path],
          ['GET', `${path}/a`],
        ] as const) {
          const body = method === 'POST' ? { body: { metadata: { name: 'a' } } } : {};
          await server.expect(404, method, target, body);
        }
      }
      assert.ok(!served.includes(`${groupVersion}/${resource}`), `${groupVersion}/${resource}`);
    }
  }
  if (now === undefined) return;
  for (const resource of resources) {
    await server.expect(200, 'GET', `/apis/${now}/${resource}`);
    assert.ok(served.includes(`${now}/${resource}`), `${now}/${resource}`);
  }
}

const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i:1' }] } };

/** The smallest spec of a kind of apps/v1. */
function createSpec(more: JsonObject = {}): JsonObject {
  return { selector: { matchLabels: labels }, template, ...more };
}

async function appsPath(server: ConformanceServer, resource: string): Promise<string> {
  return `/apis/apps/v1/namespaces/${await server.namespace()}/${resource}`;
}

/** Checks that the selector of a kind must be given and stays as it is. */
async function assertSelectorIsFixed(
  server: ConformanceServer,
  resource: string,
  more: JsonObject = {},
): Promise<void> {
  const collection = await appsPath(server, resource);
  const { selector: _, ...without } = createSpec(more);
  const missing = await server.request('POST', collection, {
    body: { metadata: { name: 'a' }, spec: without },
  });
  assertRefused(missing, 422, 'Invalid');
  // Daemon sets say that no selector matches no template.
  const cause =
    resource === 'daemonsets'
      ? 'spec.template.metadata.labels FieldValueInvalid'
      : 'spec.selector FieldValueRequired';
  assert.ok(listCauses(missing).includes(cause), missing.text);
  await server.expect(201, 'POST', collection, { body: { metadata: { name: 'a' }, spec: createSpec(more) } });
  const other = { app: 'b' };
  const changed = await server.request('PATCH', `${collection}/a`, {
    body: { spec: { selector: { matchLabels: other }, template: { metadata: { labels: other } } } },
    contentType: 'application/merge-patch+json',
  });
  assertRefused(changed, 422, 'Invalid');
  // Stateful sets say of all that may not change that it is forbidden in their spec.
  assert.match(listCauses(changed).join(), /^spec(\.selector)? FieldValue(Invalid|Forbidden)$/, changed.text);
}

/** Creates the smallest object of a kind, with a field that the kind no longer has, and gives what it became. */
async function createWithRemovedField(
  server: ConformanceServer,
  resource: string,
  [field, value]: readonly [string, JsonObject | number],
): Promise<JsonObject> {
  const collection = await appsPath(server, resource);
  const created = await server.expect(201, 'POST', collection, {
    body: { metadata: { name: 'a' }, spec: createSpec({ [field]: value }) },
  });
  assert.deepEqual(created.warnings, [`unknown field "spec.${field}"`]);
  assert.equal(created.at('spec', field), undefined);
  return objectAt(created.body, 'spec');
}

const extensions = 'extensions/v1beta1';

/** 1, "Removed versions". */
export const removedVersionTests: ConformanceTests = {
  '1/Removed versions/rbac v1beta1 roles and bindings are in v1 alone': server =>
    assertRemoved(server, {
      from: ['rbac.authorization.cluster.io/v1beta1'],
      resources: ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'],
      now: 'rbac.authorization.cluster.io/v1',
    }),

  '1/Removed versions/scheduling v1beta1 priority classes are in v1 alone': server =>
    assertRemoved(server, {
      from: ['scheduling.cluster.io/v1beta1'],
      resources: ['priorityclasses'],
      now: 'scheduling.cluster.io/v1',
    }),

  '1/Removed versions/storage v1beta1 drivers, nodes, classes and attachments are in v1 alone': server =>
    assertRemoved(server, {
      from: ['storage.cluster.io/v1beta1'],
      resources: ['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments'],
      now: 'storage.cluster.io/v1',
    }),

  '1/Removed versions/NetworkPolicy it is in networking v1 alone': server =>
    assertRemoved(server, {
      from: [extensions],
      resources: ['networkpolicies'],
      now: 'networking.cluster.io/v1',
    }),

  '1/Removed versions/DaemonSet it is in apps v1 alone': server =>
    assertRemoved(server, { from: [extensions, 'apps/v1beta2'], resources: ['daemonsets'], now: 'apps/v1' }),

  async '1/Removed versions/DaemonSet templateGeneration is gone, updates roll by default'(server) {
    const spec = await createWithRemovedField(server, 'daemonsets', ['templateGeneration', 3]);
    assert.deepEqual(spec['updateStrategy'], {
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
    });
  },

  '1/Removed versions/DaemonSet the selector is required and stays': server =>
    assertSelectorIsFixed(server, 'daemonsets'),

  '1/Removed versions/Deployment it is in apps v1 alone': server =>
    assertRemoved(server, {
      from: [extensions, 'apps/v1beta1', 'apps/v1beta2'],
      resources: ['deployments'],
      now: 'apps/v1',
    }),

  async '1/Removed versions/Deployment rollbackTo is gone, and the defaults are those of v1'(server) {
    const spec = await createWithRemovedField(server, 'deployments', ['rollbackTo', { revision: 1 }]);
    assert.equal(spec['progressDeadlineSeconds'], 600);
    assert.equal(spec['revisionHistoryLimit'], 10);
    assert.deepEqual(spec['strategy'], {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
    });
  },

  '1/Removed versions/Deployment the selector is required and stays': server =>
    assertSelectorIsFixed(server, 'deployments'),

  '1/Removed versions/StatefulSet it is in apps v1 alone': server =>
    assertRemoved(server, {
      from: ['apps/v1beta1', 'apps/v1beta2'],
      resources: ['statefulsets'],
      now: 'apps/v1',
    }),

  async '1/Removed versions/StatefulSet updates roll by default'(server) {
    const collection = await appsPath(server, 'statefulsets');
    const { at } = await server.expect(201, 'POST', collection, {
      body: { metadata: { name: 'a' }, spec: createSpec({ serviceName: 's' }) },
    });
    assert.equal(at('spec', 'updateStrategy', 'type'), 'RollingUpdate');
  },

  '1/Removed versions/StatefulSet the selector is required and stays': server =>
    assertSelectorIsFixed(server, 'statefulsets', { serviceName: 's' }),

  '1/Removed versions/ReplicaSet it is in apps v1 alone': server =>
    assertRemoved(server, {
      from: [extensions, 'apps/v1beta1', 'apps/v1beta2'],
      resources: ['replicasets'],
      now: 'apps/v1',
    }),

  '1/Removed versions/ReplicaSet the selector is required and stays': server =>
    assertSelectorIsFixed(server, 'replicasets'),

  '1/Removed versions/PodSecurityPolicy it is nowhere': server =>
    assertRemoved(server, {
      from: [extensions, 'policy/v1beta1', 'policy/v1'],
      resources: ['podsecuritypolicies'],
    }),

  async '1/Removed versions/--runtime-config without a version its clients get 404, all others go on'(
    server,
  ) {
    const other = await withOtherSwitches(server);
    const namespace = await other.namespace();
    const collection = (version: string) =>
      `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers`;
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
    const body = { metadata: { name: 'a' }, spec: { scaleTargetRef, maxReplicas: 3 } };
    assertRefused(await other.request('POST', collection('v1'), { body }), 404, 'NotFound');
    await other.expect(201, 'POST', collection('v2'), { body });
    assertRefused(await other.request('GET', `${collection('v1')}/a`), 404, 'NotFound');
    await other.expect(200, 'GET', `${collection('v2')}/a`);
    const served = (await servedResources(other)).map(({ groupVersion }) => groupVersion);
    assert.deepEqual([served.includes('autoscaling/v1'), served.includes('autoscaling/v2')], [false, true]);
  },
};
