import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Settings through one gateway hold for pods that come through the other. */
export function registerPodAdmissionJourney(gateways: () => TwoGateways): void {
  suite('pod admission at two gateways', () => {
    let server: ConformanceServer;
    before(() => {
      ({ server } = gateways());
    });

    const rounds = Array.from({ length: 5 }, (_, index) => index);
    const podsIn = (namespace: string) => `/api/v1/namespaces/${namespace}/pods`;
    const pod = (name: string, spec: object = {}) => ({
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    });

    test('the first pod of a namespace gets its account through any gateway', async () => {
      for (const gateway of [0, 1]) {
        const created = await server.expect(201, 'POST', podsIn(await server.namespace()), {
          body: pod('p'),
          gateway,
        });
        assert.equal(created.at('spec', 'serviceAccountName'), 'default');
      }
    });

    test('a limit set through one gateway applies to the next pod through another', async () => {
      for (const round of rounds) {
        const namespace = await server.namespace();
        const body = {
          metadata: { name: 'l' },
          spec: { limits: [{ type: 'Container', default: { cpu: `${round + 1}` } }] },
        };
        await server.expect(201, 'POST', `/api/v1/namespaces/${namespace}/limitranges`, { body, gateway: 0 });
        const created = await server.expect(201, 'POST', podsIn(namespace), { body: pod('p'), gateway: 1 });
        const limits = created.at('spec', 'containers', 0, 'resources', 'limits');
        assert.deepEqual(limits, { cpu: `${round + 1}` });
      }
    });

    async function enforce(namespace: string, level: string): Promise<void> {
      await server.expect(200, 'PATCH', `/api/v1/namespaces/${namespace}`, {
        body: { metadata: { labels: { 'pod-security.cluster.io/enforce': level } } },
        headers: { 'content-type': 'application/merge-patch+json' },
        gateway: 0,
      });
    }

    test('a pod security level set through one gateway applies to the next pod through another', async () => {
      for (const _ of rounds) {
        const namespace = await server.namespace();
        await server.expect(201, 'POST', podsIn(namespace), {
          body: pod('p', { hostPID: true }),
          gateway: 1,
        });
        await enforce(namespace, 'baseline');
        await server.expect(403, 'POST', podsIn(namespace), {
          body: pod('q', { hostPID: true }),
          gateway: 1,
        });
        await enforce(namespace, 'privileged');
        await server.expect(201, 'POST', podsIn(namespace), {
          body: pod('q', { hostPID: true }),
          gateway: 1,
        });
      }
    });
  });
}
