import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AuthorizationMode } from '../../settings/authorization-flags.ts';
import { authorizerFilesFromFlags } from './authorizer-files-from-flags.ts';

let directory = '';
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-files-'));
});
after(() => rm(directory, { recursive: true }));

const files = (modes: readonly AuthorizationMode[], policyFile?: string, webhookFile?: string) =>
  authorizerFilesFromFlags({
    authorizationMode: modes,
    authorizationPolicyFile: policyFile,
    authorizationWebhookConfigFile: webhookFile,
  });

test('authorizers without files need no flags', async () => {
  assert.deepEqual(await files(['Node', 'RBAC', 'AlwaysAllow', 'AlwaysDeny']), {});
});

test('the files of the modes ABAC and Webhook are read', async () => {
  const [policyFile, webhookFile] = [join(directory, 'policies'), join(directory, 'webhook.yaml')];
  const policy = {
    apiVersion: 'abac.authorization.cluster.io/v1beta1',
    kind: 'Policy',
    spec: { user: 'bob' },
  };
  await writeFile(policyFile, JSON.stringify(policy));
  const configuration = {
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://webhook.example/authorize' } }],
    users: [{ name: 'u', user: { token: 't' } }],
  };
  await writeFile(webhookFile, JSON.stringify(configuration));
  const { policies, webhook } = await files(['ABAC', 'Webhook'], policyFile, webhookFile);
  assert.deepEqual(
    policies?.map(({ user }) => user),
    ['bob'],
  );
  assert.deepEqual(webhook?.servers, ['https://webhook.example/authorize']);
});

const refused: [string, AuthorizationMode[], string | undefined, string | undefined, RegExp][] = [
  ['ABAC without its file', ['ABAC'], undefined, undefined, /ABAC and --authorization-policy-file need/],
  ['a policy file without ABAC', ['RBAC'], 'f', undefined, /ABAC and --authorization-policy-file need/],
  ['Webhook without its file', ['Webhook'], undefined, undefined, /Webhook and --authorization-webhook-conf/],
  ['a webhook without Webhook', ['RBAC'], undefined, 'f', /Webhook and --authorization-webhook-config-file/],
  ['a policy file that is not there', ['ABAC'], '/nowhere/policies', undefined, /\/nowhere\/policies/],
];
for (const [name, modes, policyFile, webhookFile, message] of refused)
  test(`${name} is refused`, () => assert.rejects(files(modes, policyFile, webhookFile), message));
