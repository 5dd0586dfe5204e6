import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groups } from '@binnacle/api-names';
import { isJsonObject } from '@binnacle/api-objects';
import { parseYamlAtOnce } from '@binnacle/codecs/texts';
import { storageKeyFrom } from '@binnacle/storage-contract';
import { configuredTypes, parseEncryptionConfiguration } from './encryption-configuration.ts';
import { plaintextPrefix } from './stored-prefix.ts';

const secret = Buffer.alloc(32, 1).toString('base64');
const head = `apiVersion: ${groups.apiserverConfig}/v1\nkind: EncryptionConfiguration\n`;

function parse(text: string, rules = { reloads: false, hasKmsV2: true }) {
  const { value } = parseYamlAtOnce(Buffer.from(text));
  assert.ok(isJsonObject(value));
  return parseEncryptionConfiguration(value, rules);
}

const oneKey = `aescbc: { keys: [{ name: a, secret: ${secret} }] }`;
const resources = (text: string) => `${head}resources:\n${text}\n`;
const providers = (text: string) => resources(`- resources: [secrets]\n  providers: ${text}`);

test('the resources of a file are those of their keys, also under another name of their group', () => {
  const { types, customResources } = parse(
    resources(`
- resources: [secrets, configmaps, deployments.apps, events.${groups.events}, ingresses.${groups.networking}, anvils.acme.example]
  providers:
  - aesgcm: { keys: [{ name: a, secret: ${secret} }, { name: b, secret: AQEBAQEBAQEBAQEBAQEBAQ== }] }
  - ${oneKey}
  - identity: {}
- resources: [pods]
  providers: [identity: {}, ${oneKey}]`),
  );
  assert.deepEqual(
    [...types.keys()],
    [
      '/core/secrets/',
      '/core/configmaps/',
      '/apps/deployments/',
      '/core/events/',
      `/${groups.networking}/ingresses/`,
      '/acme.example/anvils/',
      '/core/pods/',
    ],
  );
  assert.deepEqual(
    types.get('/core/secrets/')?.map(({ kind }) => kind),
    ['aesgcm', 'aescbc', 'identity'],
  );
  assert.deepEqual(customResources, ['anvils.acme.example']);
  const { encrypted, readable } = configuredTypes({ types, customResources });
  assert.ok(!encrypted.includes(storageKeyFrom('/core/pods/')));
  assert.equal(encrypted.length, 6);
  assert.deepEqual(readable.get(storageKeyFrom('/core/secrets/')), [
    'k8s:enc:aesgcm:v1:a:',
    'k8s:enc:aesgcm:v1:b:',
    'k8s:enc:aescbc:v1:a:',
    plaintextPrefix,
  ]);
});

test('a resource that is named twice has the providers of both entries', () => {
  const { types } = parse(
    resources(
      `- { resources: [secrets], providers: [{ ${oneKey} }] }\n- { resources: [secrets], providers: [identity: {}] }`,
    ),
  );
  assert.deepEqual(
    types.get('/core/secrets/')?.map(({ kind }) => kind),
    ['aescbc', 'identity'],
  );
});

const refused: readonly { readonly text: string; readonly says: string }[] = [
  {
    text: 'apiVersion: v1\nkind: EncryptionConfig\n',
    says: `expected kind EncryptionConfiguration of ${groups.apiserverConfig}/v1, got "EncryptionConfig" of "v1"`,
  },
  { text: head, says: 'resources: Required value: at least one resources is required' },
  { text: resources('- providers: [identity: {}]'), says: 'resources[0].resources: Required value' },
  { text: providers('[]'), says: 'resources[0].providers: Required value' },
  {
    text: providers('[{}]'),
    says: 'resources[0].providers[0]: Required value: one of the providers aescbc, aesgcm, secretbox, identity, kms',
  },
  {
    text: providers(`[{ ${oneKey}, identity: {} }]`),
    says: 'resources[0].providers[0]: Forbidden: more than one provider specified',
  },
  {
    text: providers('[identity: {}, aescbc: { keys: [{ name: a, secret: "not base64" }] }]'),
    says: 'resources[0].providers[1].aescbc.keys[0].secret: Invalid value: "REDACTED": secrets must be base64 encoded',
  },
  {
    text: providers('[secretbox: { keys: [{ name: a, secret: AQEBAQEBAQEBAQEBAQEBAQ== }] }]'),
    says: 'secret: Invalid value: "REDACTED": secret is not of the expected length, got 16, expected one of [32]',
  },
  {
    text: providers(`[aesgcm: { keys: [{ secret: ${secret} }] }]`),
    says: 'resources[0].providers[0].aesgcm.keys[0].name: Required value: name is a mandatory field for a key',
  },
  {
    text: providers('[aesgcm: { keys: [{ name: a }] }]'),
    says: 'resources[0].providers[0].aesgcm.keys[0].secret: Required value',
  },
  { text: providers('[aesgcm: {}]'), says: 'resources[0].providers[0].aesgcm.keys: Required value' },
  { text: providers('[aesgcm: []]'), says: 'resources[0].providers[0].aesgcm: Forbidden: must be an object' },
  {
    text: providers(`[aesgcm: { keys: [{ name: a, secrets: ${secret}, secret: ${secret} }] }]`),
    says: 'resources[0].providers[0].aesgcm.keys[0].secrets: Forbidden: unknown field',
  },
  {
    text: providers('[rot13: {}]'),
    says: 'resources[0].providers[0].rot13: Forbidden: unknown field',
  },
  {
    text: resources('- { resources: ["*.apps"], providers: [identity: {}] }'),
    says: 'resources[0].resources[0]: Forbidden: wildcards are of release 1.27',
  },
  {
    text: resources('- { resources: [secret], providers: [identity: {}] }'),
    says: 'resources[0].resources[0]: Invalid value: "secret": the core group has no such resource',
  },
  {
    text: resources('- { resources: [Secrets], providers: [identity: {}] }'),
    says: 'resources[0].resources[0]: Forbidden: must be a resource and its group',
  },
  {
    text: providers('[kms: { endpoint: "unix:///run/kms.sock" }]'),
    says: 'resources[0].providers[0].kms.name: Required value: name is a mandatory field for a provider',
  },
  {
    text: providers('[kms: { name: a }]'),
    says: 'resources[0].providers[0].kms.endpoint: Required value: endpoint is a mandatory field for a kms',
  },
  {
    text: providers('[kms: { apiVersion: v2, name: "a:b", endpoint: "unix:///run/kms.sock" }]'),
    says: `kms.name: Invalid value: "a:b": invalid KMS provider name a:b, must not contain ':'`,
  },
  {
    text: providers(
      '[kms: { name: a, endpoint: "unix:///a" }, kms: { apiVersion: v2, name: a, endpoint: "unix:///b" }]',
    ),
    says: 'resources[0].providers[1].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique',
  },
  {
    text: providers('[kms: { name: a, endpoint: "tcp://127.0.0.1:9000" }]'),
    says: 'unsupported scheme "tcp" for KMS provider, only unix is supported',
  },
  {
    text: providers('[kms: { name: a, endpoint: "run/kms.sock" }]'),
    says: 'kms.endpoint: Invalid value: "run/kms.sock": invalid endpoint for kms provider',
  },
  ...['0s', '-3s', 'soon', '2h'].map(timeout => ({
    text: providers(`[kms: { name: a, endpoint: "unix:///run/kms.sock", timeout: ${timeout} }]`),
    says: `kms.timeout: Invalid value: "${timeout}": timeout should be a positive value`,
  })),
  ...['0', '1.5', '4294967296'].map(cachesize => ({
    text: providers(`[kms: { name: a, endpoint: "unix:///run/kms.sock", cachesize: ${cachesize} }]`),
    says: `kms.cachesize: Invalid value: ${cachesize}: cachesize should be a positive value, or negative to disable`,
  })),
  {
    text: providers('[kms: { apiVersion: v3, name: a, endpoint: "unix:///run/kms.sock" }]'),
    says: 'unsupported apiVersion v3 for KMS provider, only v1 and v2 are supported',
  },
  {
    text: providers('[kms: { name: a, endpoint: "unix:///run/kms.sock", secret: x }]'),
    says: 'kms.secret: Forbidden: unknown field',
  },
];

for (const { text, says } of refused)
  test(`refused: ${says}`, () => {
    assert.throws(
      () => parse(text),
      (thrown: unknown) => {
        assert.ok(thrown instanceof Error);
        assert.ok(thrown.message.includes(says), thrown.message);
        assert.ok(!thrown.message.includes(secret), 'no key is quoted');
        return true;
      },
    );
  });

const twoPlugins = providers(
  '[kms: { name: a, endpoint: "unix:///run/a.sock", timeout: 500ms, cachesize: -1 }, kms: { name: a, endpoint: "unix:///@b" }]',
);

test('KMS plugins have the defaults of kube-apiserver; those of v1 may share a name unless the file is reloaded', () => {
  assert.deepEqual(parse(twoPlugins).types.get('/core/secrets/'), [
    {
      kind: 'kms',
      provider: { name: 'a', apiVersion: 'v1', endpoint: 'unix:///run/a.sock', timeout: 500, cachesize: -1 },
    },
    {
      kind: 'kms',
      provider: { name: 'a', apiVersion: 'v1', endpoint: 'unix:///@b', timeout: 3000, cachesize: 1000 },
    },
  ]);
  assert.throws(() => parse(twoPlugins, { reloads: true, hasKmsV2: true }), /duplicate KMS provider name a/);
});

test('KMS plugins of v2 need their feature gate', () => {
  const text = providers(
    '[kms: { apiVersion: v2, name: a, endpoint: "unix:///run/kms.sock", cachesize: 10 }]',
  );
  assert.ok(parse(text));
  assert.throws(
    () => parse(text, { reloads: false, hasKmsV2: false }),
    /could not configure KMSv2 plugin "a", KMSv2 feature is not enabled: it needs --feature-gates=KMSv2=true/,
  );
});
