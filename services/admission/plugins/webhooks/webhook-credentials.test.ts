import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { ownNames } from '../../chain/shown-names.ts';
import { readWebhookCredentials } from './webhook-credentials.ts';

const directory = mkdtempSync(join(tmpdir(), 'webhook-credentials-'));
after(() => rmSync(directory, { recursive: true }));

function credentialsFrom(users: unknown, more: JsonObject = {}) {
  writeFileSync(join(directory, 'users.conf'), JSON.stringify({ users }));
  const document = {
    apiVersion: 'apiserver.config.cluster.io/v1',
    kind: 'WebhookAdmissionConfiguration',
    kubeConfigFile: 'users.conf',
    ...more,
  };
  return readWebhookCredentials({ document, directory, names: ownNames });
}

const named = (...names: string[]) => names.map(name => ({ name, user: { token: name } }));
const everybody = named(
  '*',
  '*.example.com',
  '*.deep.example.com:8443',
  'a.example.com',
  'b.example.com:8443',
  'hook.sea.svc',
  'hook.sea.svc:8443',
  '*.svc',
);

const urls: readonly [string, string][] = [
  ['https://a.example.com/hook', 'a.example.com'],
  ['https://a.example.com:443/hook', 'a.example.com'],
  ['https://a.example.com:8443/', '*'],
  ['https://b.example.com:8443/', 'b.example.com:8443'],
  ['https://b.example.com/', '*.example.com'],
  ['https://x.y.example.com/', '*.example.com'],
  ['https://x.deep.example.com:8443/', '*.deep.example.com:8443'],
  ['https://example.com/', '*'],
  ['https://192.0.2.1/', '*'],
];

test('credentials are those of the most specific matching host name', () => {
  const credentials = credentialsFrom(everybody);
  for (const [url, token] of urls) assert.equal(credentials({ url, service: undefined })?.token, token, url);
  const service = { namespace: 'sea', name: 'hook', path: '/', port: 443 };
  assert.equal(credentials({ url: '', service })?.token, 'hook.sea.svc');
  assert.equal(credentials({ url: '', service: { ...service, port: 8443 } })?.token, 'hook.sea.svc:8443');
  assert.equal(credentials({ url: '', service: { ...service, name: 'other' } })?.token, '*.svc');
});

test('without a configuration, a file or a matching host name a webhook gets no credentials', () => {
  const webhook = { url: 'https://a.example.com/', service: undefined };
  assert.equal(readWebhookCredentials(undefined)(webhook), undefined);
  assert.equal(credentialsFrom(everybody, { kubeConfigFile: '' })(webhook), undefined);
  assert.equal(credentialsFrom(named('b.example.com'))(webhook), undefined);
});

test('the deprecated form of the configuration is accepted', () => {
  const more = { apiVersion: 'apiserver.k8s.io/v1alpha1', kind: 'WebhookAdmission' };
  const webhook = { url: 'https://a.example.com/', service: undefined };
  assert.equal(credentialsFrom(everybody, more)(webhook)?.token, 'a.example.com');
});

const pem = Buffer.from('nonsense').toString('base64');
const refused: readonly [string, unknown, JsonObject, RegExp][] = [
  ['another kind', [], { kind: 'Other' }, /got apiserver\.config\.cluster\.io\/v1 Other/],
  ['an unknown field', [], { kubeconfig: 'x' }, /unknown field "kubeconfig"/],
  ['a file that is not there', [], { kubeConfigFile: 'absent.conf' }, /absent\.conf/],
  ['users that are no list', {}, {}, /users is not a list/],
  ['a user without a name', [{ user: {} }], {}, /has no name/],
  ['a credential plugin', [{ name: 'a', user: { exec: {} } }], {}, /user a: exec is not supported/],
  [
    'a certificate alone',
    [{ name: 'a', user: { 'client-certificate-data': pem } }],
    {},
    /must be given together/,
  ],
  [
    'a pair that is none',
    [{ name: 'a', user: { 'client-certificate-data': pem, 'client-key-data': pem } }],
    {},
    /not a pair in PEM/,
  ],
];

for (const [what, users, more, reason] of refused) {
  test(`a configuration with ${what} is refused`, () => {
    assert.throws(() => credentialsFrom(users, more), reason);
  });
}
