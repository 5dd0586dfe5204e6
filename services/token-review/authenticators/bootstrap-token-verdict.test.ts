import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Secret } from '@binnacle/api-types/core/v1';
import { verdictOnBootstrapToken } from './bootstrap-token-verdict.ts';

const now = Date.UTC(2030, 0, 1);
const presented = { id: 'abcdef', secret: '0123456789abcdef', now };
const good = {
  'token-id': 'abcdef',
  'token-secret': '0123456789abcdef',
  expiration: '2030-01-01T00:00:01Z',
  'usage-bootstrap-authentication': 'true',
};

interface Changes {
  readonly data?: Record<string, string>;
  readonly type?: string;
  readonly metadata?: Secret['metadata'];
}

function secretWith({ data = {}, type = 'bootstrap.cluster.io/token', metadata = {} }: Changes): Secret {
  const encoded = Object.entries({ ...good, ...data }).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ]);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'bootstrap-token-abcdef', ...metadata },
    type,
    data: Object.fromEntries(encoded),
  };
}

const nodes = 'system:bootstrappers:nodes';
const accepted: readonly (readonly [what: string, changes: Changes, groups: string[]])[] = [
  ['until it expires', {}, []],
  ['without an expiration', { data: { expiration: '' } }, []],
  ['with the other name of the type', { type: 'bootstrap.kubernetes.io/token' }, []],
  [
    'with extra groups, sorted, each once',
    { data: { 'auth-extra-groups': `${nodes}:b,${nodes},${nodes}:b` } },
    [nodes, `${nodes}:b`],
  ],
];

for (const [what, changes, groups] of accepted)
  test(`a bootstrap token is accepted ${what}`, () => {
    assert.deepEqual(verdictOnBootstrapToken(secretWith(changes), presented), {
      kind: 'good',
      groups: ['system:bootstrappers', ...groups],
    });
  });

const groups = (text: string): Changes => ({ data: { 'auth-extra-groups': text } });
const refusals: readonly (readonly [what: string, changes: Changes, reason: RegExp])[] = [
  [
    'whose secret is being deleted',
    { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
    /being deleted/,
  ],
  ['whose secret is of another type', { type: 'Opaque' }, /another type/],
  ['with another secret', { data: { 'token-secret': '0123456789abcdee' } }, /token-secret/],
  ['with a shorter secret', { data: { 'token-secret': '0123456789abcde' } }, /token-secret/],
  ['without a secret', { data: { 'token-secret': '' } }, /token-secret/],
  ['whose secret names another id', { data: { 'token-id': 'abcdee' } }, /token-id/],
  ['at the moment it expires', { data: { expiration: '2030-01-01T00:00:00Z' } }, /expired/],
  ['whose expiration is no time', { data: { expiration: 'never' } }, /expired/],
  ['that is not for authentication', { data: { 'usage-bootstrap-authentication': 'false' } }, /usage/],
  ['whose usage is not written "true"', { data: { 'usage-bootstrap-authentication': 'True' } }, /usage/],
  ['with a group of its own', groups('system:masters'), /auth-extra-groups/],
  ['with a bad group among good ones', groups(`${nodes},system:bootstrappers:`), /auth-extra-groups/],
  ['with a space between groups', groups(`${nodes}, ${nodes}`), /auth-extra-groups/],
  ['with a group of capitals', groups('system:bootstrappers:Nodes'), /auth-extra-groups/],
  ['with a group that ends in a dash', groups(`${nodes}-`), /auth-extra-groups/],
  ['with a group that is too long', groups(`system:bootstrappers:${'a'.repeat(257)}`), /auth-extra-groups/],
];

for (const [what, changes, reason] of refusals)
  test(`a bootstrap token ${what} is refused`, () => {
    const verdict = verdictOnBootstrapToken(secretWith(changes), presented);
    assert.match(verdict.kind === 'refused' ? verdict.reason : '', reason);
  });

test('a bootstrap token without its secret is refused', () => {
  assert.equal(verdictOnBootstrapToken(undefined, presented).kind, 'refused');
});

test('no reason contains a secret', () => {
  for (const [, changes] of refusals)
    assert.doesNotMatch(
      JSON.stringify(verdictOnBootstrapToken(secretWith(changes), presented)),
      /0123456789/,
    );
});
