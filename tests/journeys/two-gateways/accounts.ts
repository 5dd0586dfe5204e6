import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pollUntil } from '@binnacle/backends';
import {
  type ApiClient,
  type ClientConfiguration,
  createApiClient,
  loadClientConfiguration,
} from '@binnacle/client';
import type { Distributed } from '@binnacle/compose';
import { StatusError } from '@binnacle/status-errors';
import type { TwoGateways } from './start-two-gateways.ts';

/** Service accounts and bootstrap tokens, whose controllers and keys are not those of the gateways. */
export function registerAccountJourney(gateways: () => TwoGateways): void {
  suite('accounts at two gateways', () => {
    interface Held {
      readonly data?: Readonly<Record<string, string>>;
    }

    let form: Distributed;
    let configuration: ClientConfiguration;
    let client: ApiClient;

    before(() => {
      ({ form } = gateways());
      configuration = { ...loadClientConfiguration(form.adminConfiguration), servers: form.gateways };
      client = createApiClient({ configuration, userAgent: 'accounts' });
    });
    after(() => client?.[Symbol.asyncDispose]());

    /** The object at a path; undefined when there is none. */
    async function find<T>(path: string, as = client): Promise<T | undefined> {
      try {
        return await as.request<T>({ method: 'GET', path });
      } catch (error) {
        if (error instanceof StatusError && error.code === 404) return undefined;
        throw error;
      }
    }

    function createClient(token: string): ApiClient {
      const { servers, certificateAuthority } = configuration;
      return createApiClient({
        configuration: { servers, ...(certificateAuthority && { certificateAuthority }), token },
        userAgent: 'account',
      });
    }

    test('a token secret is completed, and its token can read the issuer documents', async () => {
      const path = '/api/v1/namespaces/default';
      await client.request({
        method: 'POST',
        path: `${path}/serviceaccounts`,
        body: { metadata: { name: 'robot' } },
      });
      const annotations = { 'cluster.io/service-account.name': 'robot' };
      const body = { metadata: { name: 'held', annotations }, type: 'cluster.io/service-account-token' };
      await client.request({ method: 'POST', path: `${path}/secrets`, body });
      let data: Held['data'];
      await pollUntil('the secret to be filled', async () => {
        data = (await find<Held>(`${path}/secrets/held`))?.data;
        return data?.['token'] !== undefined;
      });
      const text = (key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString();
      const authority = await readFile(join(gateways().server.dataDirectory, 'pki/ca.crt'), 'utf8');
      assert.equal(text('ca.crt'), authority);
      await using robot = createClient(text('token'));
      const document = await find<{ issuer: string; jwks_uri: string }>(
        '/.well-known/openid-configuration',
        robot,
      );
      assert.equal(document?.issuer, 'https://binnacle.local');
      assert.ok(form.gateways.some(gateway => document.jwks_uri === `${gateway}/openid/v1/jwks`));
      const header = JSON.parse(Buffer.from(text('token').split('.')[0] ?? '', 'base64url').toString());
      const accept = 'application/jwk-set+json';
      const { keys } = await robot.request<{ keys: { kid: string }[] }>({
        method: 'GET',
        path: '/openid/v1/jwks',
        accept,
      });
      assert.deepEqual(
        keys.map(({ kid }) => kid),
        [header.kid],
      );
      await pollUntil('the authority to be published', async () => {
        const published = await find<Held>(`${path}/configmaps/kube-root-ca.crt`);
        return published?.data?.['ca.crt'] === authority;
      });
    });

    test('a bootstrap token authenticates, signs cluster-info, and is deleted when it expires', async () => {
      const body = {
        metadata: { name: 'bootstrap-token-abcdef' },
        type: 'bootstrap.cluster.io/token',
        stringData: {
          'token-id': 'abcdef',
          'token-secret': '0123456789abcdef',
          'usage-bootstrap-authentication': 'true',
          'usage-bootstrap-signing': 'true',
        },
      };
      const secrets = '/api/v1/namespaces/cluster-system/secrets';
      await client.request({ method: 'POST', path: secrets, body });
      await using joining = createClient('abcdef.0123456789abcdef');
      await assert.rejects(joining.request({ method: 'GET', path: '/api/v1/nodes' }), {
        code: 403,
        message: /system:bootstrap:abcdef/,
      });
      const maps = '/api/v1/namespaces/cluster-public/configmaps';
      const info = { metadata: { name: 'cluster-info' }, data: { kubeconfig: 'apiVersion: v1\n' } };
      await client.request({ method: 'POST', path: maps, body: info });
      const signature = async () =>
        (await find<Held>(`${maps}/cluster-info`))?.data?.['jws-kubeconfig-abcdef'] ?? '';
      await pollUntil('cluster-info to be signed', async () => (await signature()) !== '');
      await client.request({
        method: 'PATCH',
        path: `${secrets}/bootstrap-token-abcdef`,
        contentType: 'application/merge-patch+json',
        body: { stringData: { expiration: new Date(Date.now() + 1000).toISOString() } },
      });
      await pollUntil(
        'the token to be deleted',
        async () => (await find(`${secrets}/bootstrap-token-abcdef`)) === undefined,
      );
      await pollUntil('its signature to be taken out', async () => (await signature()) === '');
    });
  });
}
