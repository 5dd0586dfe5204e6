import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Gateways and admission are processes of their own here: the same fields are dropped, with the same warnings. */
export function registerGatedFieldsJourney(gateways: () => TwoGateways): void {
  suite('fields of features that are off, and warnings, at two gateways', () => {
    let server: ConformanceServer;
    before(() => {
      ({ server } = gateways());
    });

    const deployment = (name: string, spec: object) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
        },
      },
    });

    test('both gateways drop gated fields, in a creation and in an apply', async () => {
      const path = `/apis/apps/v1/namespaces/${await server.namespace()}/deployments`;
      for (const gateway of [0, 1]) {
        const body = deployment(`d${gateway}`, { hostUsers: false, schedulingGates: [{ name: 'g' }] });
        const created = await server.expect(201, 'POST', path, { body, gateway });
        const applied = await server.expect(200, 'PATCH', `${path}/d${gateway}?fieldManager=m&force=true`, {
          body,
          headers: { 'content-type': 'application/apply-patch+yaml' },
          gateway: 1 - gateway,
        });
        for (const answer of [created, applied]) {
          const podSpec = answer.at('spec', 'template', 'spec') as object; // A deployment has one.
          assert.equal('hostUsers' in podSpec || 'schedulingGates' in podSpec, false);
          assert.deepEqual(answer.warnings, []);
        }
        assert.doesNotMatch(JSON.stringify(applied.at('metadata', 'managedFields')), /hostUsers/);
      }
    });

    test('both gateways return the warnings of admission', async () => {
      const path = `/apis/apps/v1/namespaces/${await server.namespace()}/deployments`;
      for (const gateway of [0, 1]) {
        const body = deployment(`w${gateway}`, { imagePullSecrets: [{ name: 'a' }, { name: 'a' }] });
        const { warnings } = await server.expect(201, 'POST', path, { body, gateway });
        assert.deepEqual(warnings, ['spec.template.spec.imagePullSecrets[1].name: duplicate name "a"']);
      }
    });
  });
}
