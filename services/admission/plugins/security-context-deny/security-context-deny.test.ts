import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createReview, pluginFrom } from '../../test-drivers/plugin-fixture.ts';
import { securityContextDeny } from './security-context-deny.ts';

const { validate } = pluginFrom(securityContextDeny);
const review = (spec: JsonObject, operation: 'CREATE' | 'UPDATE' = 'CREATE') =>
  createReview({
    type: '/v1/pods',
    operation,
    namespace: 'n',
    object: { metadata: { name: 'p' }, spec },
  });
const ofContainer = (securityContext: JsonObject): JsonObject => ({
  containers: [{ name: 'c', securityContext }],
});

const denied: readonly JsonObject[] = [
  { securityContext: { supplementalGroups: [1] } },
  { securityContext: { seLinuxOptions: {} } },
  { securityContext: { runAsUser: 0 } },
  { securityContext: { fsGroup: 1 } },
  ofContainer({ seLinuxOptions: { level: 's0' } }),
  ofContainer({ runAsUser: 1 }),
  { initContainers: [{ name: 'c', securityContext: { runAsUser: 1 } }] },
];
const permitted: readonly JsonObject[] = [
  {},
  { securityContext: { runAsNonRoot: true, runAsGroup: 1 } },
  ofContainer({ privileged: true, runAsGroup: 1 }),
];

for (const spec of denied)
  test(`refused: ${JSON.stringify(spec)}`, async () => {
    const refusal = { code: 403, reason: 'Forbidden', details: { name: 'p', kind: 'pods' } };
    await assert.rejects(async () => validate?.(review(spec)), refusal);
    await assert.rejects(async () => validate?.(review(spec, 'UPDATE')), refusal);
  });

for (const spec of permitted)
  test(`permitted: ${JSON.stringify(spec)}`, async () => {
    await validate?.(review(spec));
  });
