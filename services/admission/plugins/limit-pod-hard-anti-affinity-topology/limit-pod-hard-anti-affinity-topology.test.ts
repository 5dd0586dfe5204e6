import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';

const { validate } = pluginFrom(limitPodHardAntiAffinityTopology);
const review = (podAntiAffinity: Record<string, { topologyKey: string }[]>) =>
  createReview({
    type: '/v1/pods',
    namespace: 'n',
    object: { metadata: { name: 'p' }, spec: { affinity: { podAntiAffinity } } },
  });
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const zone = { topologyKey: 'topology.cluster.io/zone' };
const host = { topologyKey: 'cluster.io/hostname' };

test('required anti-affinity must have the topology key of host names', async () => {
  await validate?.(review({ [required]: [host, { topologyKey: 'kubernetes.io/hostname' }] }));
  await assert.rejects(async () => validate?.(review({ [required]: [host, zone] })), {
    code: 403,
    message: /topology\.cluster\.io\/zone/,
  });
});

test('preferred anti-affinity may have any topology key', async () => {
  await validate?.(review({ [preferred]: [zone] }));
});
