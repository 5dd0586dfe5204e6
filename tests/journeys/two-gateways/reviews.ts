import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { createTokenSigner } from '@binnacle/tokens';
import type { ConformanceServer } from '../../conformance/drivers/conformance-server.ts';
import { at } from '../admin-server.ts';
import { until } from '../api-server.ts';
import { configurationsPath, patched } from '../webhook-journey.ts';
import { startWebhooks, type WebhookServer } from '../webhook-server.ts';
import type { TwoGateways } from './start-two-gateways.ts';

/** Reviews and tokens, whose question, answer and keys are in different services. */
export function registerReviewJourney(gateways: () => TwoGateways): void {
  suite('reviews at two gateways', () => {
    let server: ConformanceServer;
    let hooks: WebhookServer;
    let namespace: string;

    const both = [0, 1];
    const configuration = `${configurationsPath('mutating')}/reviews.example.com`;

    before(async () => {
      ({ server } = gateways());
      namespace = await server.namespace();
      hooks = await startWebhooks({
        '/root': () =>
          patched(
            { op: 'add', path: '/spec/user', value: 'root' },
            { op: 'add', path: '/spec/groups', value: ['system:masters'] },
          ),
        '/dry': () => patched({ op: 'add', path: '/deleteOptions', value: { dryRun: ['All'] } }),
      });
    });
    after(async () => {
      await server.request('DELETE', configuration);
      await hooks?.[Symbol.asyncDispose]();
    });

    const pods = () => `/api/v1/namespaces/${namespace}/pods`;
    const accounts = () => `/api/v1/namespaces/${namespace}/serviceaccounts`;
    const webhook = (path: string, apiGroup: string, resource: string, more: JsonObject = {}) => ({
      name: `${path.slice(1)}.example.com`,
      clientConfig: { url: hooks.url + path, caBundle: hooks.caBundle },
      rules: [{ operations: ['*'], apiGroups: [apiGroup], apiVersions: ['*'], resources: [resource] }],
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...more,
    });

    test('changes of webhooks to an access review and an eviction apply at every gateway', async () => {
      const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
      const body = {
        metadata: { name: 'reviews.example.com' },
        webhooks: [
          webhook('/root', 'authorization.cluster.io', 'localsubjectaccessreviews', { namespaceSelector }),
          webhook('/dry', '', 'pods/eviction', { namespaceSelector }),
        ],
      };
      await server.expect(201, 'POST', configurationsPath('mutating'), { body });
      const question = {
        body: { spec: { user: 'nobody', resourceAttributes: { verb: 'get', resource: 'pods', namespace } } },
      };
      const reviews = `/apis/authorization.cluster.io/v1/namespaces/${namespace}/localsubjectaccessreviews`;
      for (const gateway of both)
        await until('the webhook is in effect', async () => {
          const answer = await server.expect(201, 'POST', reviews, { ...question, gateway });
          return answer.at('status', 'allowed') === true && answer.at('spec', 'user') === 'root';
        });
      const spec = { containers: [{ name: 'c', image: 'i' }] };
      await server.expect(201, 'POST', pods(), { body: { metadata: { name: 'kept' }, spec } });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'kept' } };
      for (const gateway of both) {
        await server.expect(201, 'POST', `${pods()}/kept/eviction`, { body: eviction, gateway });
        await server.expect(200, 'GET', `${pods()}/kept`);
      }
    });

    test('the token of a pod is valid for a year, and recorded once it is stale', async () => {
      const account = await server.expect(201, 'POST', accounts(), {
        body: { metadata: { name: 'runner' } },
      });
      const spec = { serviceAccountName: 'runner', containers: [{ name: 'c', image: 'i' }] };
      const pod = await server.expect(201, 'POST', pods(), { body: { metadata: { name: 'p' }, spec } });
      const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p' };
      const body = { spec: { boundObjectRef, expirationSeconds: 3607 } };
      const request = await server.expect(201, 'POST', `${accounts()}/runner/token`, { body });
      const claims = decodeClaims(request.at('status', 'token'));
      const year = 365 * 24 * 3600;
      assert.equal(Number(claims['exp']) - Number(claims['iat']), year);
      assert.equal(at(claims, 'cluster.io', 'warnafter'), Number(claims['iat']) + 3607);
      const late = Number(claims['iat']) - 7200;
      const key = await readFile(join(server.dataDirectory, 'pki/service-account.key'), 'utf8');
      const stale = await createTokenSigner(key)({
        ...claims,
        iat: late,
        nbf: late,
        exp: late + year,
        'cluster.io': {
          namespace,
          serviceaccount: { name: 'runner', uid: account.at('metadata', 'uid') },
          pod: { name: 'p', uid: pod.at('metadata', 'uid') },
          warnafter: late + 3607,
        },
      });
      for (const gateway of both) {
        const self = await server.request(
          'POST',
          '/apis/authorization.cluster.io/v1/selfsubjectrulesreviews',
          {
            body: { spec: { namespace } },
            headers: { authorization: `Bearer ${stale}` },
            user: null,
            gateway,
          },
        );
        assert.equal(self.code, 201, self.text);
      }
    });
  });
}

function decodeClaims(token: unknown): JsonObject {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString());
}
