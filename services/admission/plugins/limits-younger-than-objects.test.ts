import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import type { AdmissionPlugin } from '../chain/plugin.ts';
import { createReview, pluginFrom } from '../test-drivers/plugin-fixture.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology/limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './limit-ranger/limit-ranger.ts';
import { podTolerationRestriction } from './pod-toleration-restriction/pod-toleration-restriction.ts';
import { priority } from './priority/priority.ts';
import { securityContextDeny } from './security-context-deny/security-context-deny.ts';

/** Objects that a plugin refuses to create, and may be updated as long as the fault stays as it is. */
interface Limit {
  readonly what: string;
  readonly plugin: AdmissionPlugin;
  readonly type: string;
  readonly stored: JsonObject;
  /** Asks for more than the stored object does. */
  readonly more: JsonObject;
}

const pods = '/v1/pods';
const containers = [{ name: 'c', image: 'i' }];
const affinityTo = (topologyKey: string): JsonObject => ({
  spec: {
    containers,
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
  },
});
const tolerating = (...keys: string[]): JsonObject => ({
  spec: { containers, tolerations: keys.map(key => ({ key, operator: 'Exists' })) },
});
const claim = (storage: string): JsonObject => ({ spec: { resources: { requests: { storage } } } });
const createClass = (globalDefault: boolean): JsonObject => ({ value: 2, globalDefault });

const limits: readonly Limit[] = [
  {
    what: 'a user',
    plugin: pluginFrom(securityContextDeny),
    type: pods,
    stored: { spec: { containers, securityContext: { runAsUser: 1 } } },
    more: { spec: { containers, securityContext: { fsGroup: 1, supplementalGroups: [1] } } },
  },
  {
    what: 'anti-affinity',
    plugin: pluginFrom(limitPodHardAntiAffinityTopology),
    type: pods,
    stored: affinityTo('zone'),
    more: affinityTo('region'),
  },
  {
    what: 'a toleration',
    plugin: pluginFrom(podTolerationRestriction, {
      objects: { '/v1/namespaces': [{ metadata: { name: 'n' } }] },
      configuration: { kind: 'Configuration', whitelist: [{ key: 'permitted', operator: 'Exists' }] },
    }),
    type: pods,
    stored: tolerating('old'),
    more: tolerating('old', 'new'),
  },
  {
    what: 'a size',
    plugin: pluginFrom(limitRanger, {
      objects: {
        '/v1/limitranges': [
          {
            metadata: { name: 'r', namespace: 'n' },
            spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } }] },
          },
        ],
      },
    }),
    type: '/v1/persistentvolumeclaims',
    stored: claim('2Gi'),
    more: claim('3Gi'),
  },
  {
    what: 'another default class',
    plugin: pluginFrom(priority, {
      objects: {
        'scheduling.cluster.io/v1/priorityclasses': [
          { metadata: { name: 'a' }, value: 1, globalDefault: true },
        ],
      },
    }),
    type: 'scheduling.cluster.io/v1/priorityclasses',
    stored: createClass(true),
    more: createClass(true),
  },
];

for (const { what, plugin, type, stored, more } of limits)
  test(`${what} that is no longer permitted is refused when it is added, and kept where it exists`, async () => {
    const namespace = type.includes('priorityclasses') ? '' : 'n';
    const named = (content: JsonObject) => ({ metadata: { name: 'x' }, ...content });
    const before = type.includes('priorityclasses') ? createClass(false) : { spec: { containers } };
    const update = (from: JsonObject, to: JsonObject) =>
      createReview({ type, namespace, operation: 'UPDATE', object: named(to), oldObject: named(from) });
    await plugin.validate?.(update(stored, stored));
    await assert.rejects(
      async () => plugin.validate?.(createReview({ type, namespace, object: named(stored) })),
      {
        code: 403,
      },
    );
    await assert.rejects(async () => plugin.validate?.(update(before, more)), { code: 403 });
    if (more !== stored && namespace !== '')
      await assert.rejects(async () => plugin.validate?.(update(stored, more)), { code: 403 });
  });
