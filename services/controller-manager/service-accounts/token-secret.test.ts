import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { understood } from '@binnacle/api-names';
import type { Secret } from '@binnacle/api-types/core/v1';
import { createTokenSigner, secretTokenClaims } from '@binnacle/tokens';
import { completedSecret, findNamedAccount } from './token-secret.ts';

const signerOfNewKey = () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return createTokenSigner(String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
};
const parts = { signToken: signerOfNewKey(), rootCa: 'authority' };
const account = { name: 'robot', uid: 'u1', uidAnnotation: 'cluster.io/service-account.uid' };
const claims = { namespace: 'n', secretName: 's', account };
const encoded = (text: string) => Buffer.from(text).toString('base64');
const createToken = async (content: Parameters<typeof secretTokenClaims>[0], sign = parts.signToken) =>
  encoded(await sign(secretTokenClaims(content)));

/** A Secret that needs nothing, with these changes. */
async function secretWith(changes: Partial<Secret>): Promise<Secret> {
  const annotations = {
    'cluster.io/service-account.name': 'robot',
    'cluster.io/service-account.uid': 'u1',
  };
  const data = {
    token: await createToken(claims),
    'ca.crt': encoded('authority'),
    namespace: encoded('n'),
    ...changes.data,
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'cluster.io/service-account-token',
    metadata: { name: 's', namespace: 'n', annotations, ...changes.metadata },
    ...(changes.immutable !== undefined && { immutable: changes.immutable }),
    data,
  };
}

test('a complete secret is not changed', async () => {
  assert.equal(await completedSecret(await secretWith({}), account, parts), undefined);
});

test('a token signed with another key is kept', async () => {
  const token = await createToken(claims, signerOfNewKey());
  assert.equal(await completedSecret(await secretWith({ data: { token } }), account, parts), undefined);
});

test('an immutable secret is not changed', async () => {
  const secret = await secretWith({ immutable: true, data: { token: '' } });
  assert.equal(await completedSecret(secret, account, parts), undefined);
});

test('the existing certificate authority is kept if none is configured', async () => {
  const secret = await secretWith({ data: { 'ca.crt': encoded('older') } });
  assert.equal(await completedSecret(secret, account, { ...parts, rootCa: '' }), undefined);
});

const cut = Promise.resolve(createToken(claims)).then(token =>
  encoded(
    Buffer.from(token, 'base64')
      .toString()
      .replace(/[^.]*$/, ''),
  ),
);
const wrongParts: readonly (readonly [what: string, key: string, value: string | Promise<string>])[] = [
  ['no token', 'token', ''],
  ['a token that is none', 'token', encoded('a.b.c')],
  ['a token without its signature', 'token', cut],
  ['the token of another secret', 'token', createToken({ ...claims, secretName: 'other' })],
  ['the token of another namespace', 'token', createToken({ ...claims, namespace: 'other' })],
  [
    'the token of an earlier account',
    'token',
    createToken({ ...claims, account: { name: 'robot', uid: 'u0' } }),
  ],
  ['the authority of another server', 'ca.crt', encoded('other')],
  ['no authority', 'ca.crt', ''],
  ['another namespace', 'namespace', encoded('other')],
];

for (const [what, key, value] of wrongParts)
  test(`a secret with ${what} gets the right one, and keeps other data`, async () => {
    const secret = await secretWith({ data: { [key]: await value, more: 'bW9yZQ==' } });
    const { data = {} } = (await completedSecret(secret, account, parts)) ?? {};
    const right = await completedSecret({ ...secret, data }, account, parts);
    assert.equal(right, undefined, 'what was completed is complete');
    const changed = Object.keys(data).filter(name => data[name] !== secret.data?.[name]);
    assert.deepEqual(changed, [key]);
  });

for (const [index, nameAnnotation] of understood.annotations.serviceAccountName.entries())
  test(`the uid is written under the alias of ${nameAnnotation}`, async () => {
    const uidAnnotation = understood.annotations.serviceAccountUid[index] ?? '';
    const annotations = { [nameAnnotation]: 'robot' };
    const secret = await secretWith({ metadata: { name: 's', namespace: 'n', annotations } });
    const named = findNamedAccount(secret);
    assert.deepEqual(named, { name: 'robot', uid: '', uidAnnotation });
    const completed = await completedSecret(secret, { ...account, uidAnnotation }, parts);
    assert.deepEqual(completed?.metadata.annotations, { ...annotations, [uidAnnotation]: 'u1' });
  });

test('a secret without the annotation has no account', () => {
  assert.equal(findNamedAccount({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' } }), undefined);
});
