import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { impersonationFrom } from './impersonated-user.ts';

test('without headers no user is impersonated', () => assert.equal(impersonationFrom({}), undefined));

const groups: [string, string[], string[]][] = [
  ['alice', [], ['system:authenticated']],
  ['alice', ['devs'], ['devs', 'system:authenticated']],
  ['alice', ['system:authenticated', 'devs'], ['system:authenticated', 'devs']],
  ['alice', ['system:unauthenticated'], ['system:unauthenticated']],
  ['system:anonymous', [], ['system:unauthenticated']],
  ['system:anonymous', ['system:authenticated'], ['system:authenticated', 'system:unauthenticated']],
  [
    'system:serviceaccount:z:sa',
    [],
    ['system:serviceaccounts', 'system:serviceaccounts:z', 'system:authenticated'],
  ],
  ['system:serviceaccount:z:sa', ['devs'], ['devs', 'system:authenticated']],
];
for (const [user, asked, expected] of groups) {
  test(`${user} with groups [${asked}] is in [${expected}]`, () => {
    const found = impersonationFrom({ 'impersonate-user': [user], 'impersonate-group': asked });
    assert.deepEqual(found?.user.groups, expected);
  });
}

test('each part of the identity is a permission of its own', () => {
  const found = impersonationFrom({
    'impersonate-user': ['system:serviceaccount:z:sa'],
    'impersonate-group': ['devs', 'qa'],
    'impersonate-uid': ['u1'],
    'impersonate-extra-scopes': ['a', 'b'],
  });
  const required = found?.required.map(access =>
    [access.group, access.resource, access.subresource, access.namespace, access.name].join('|'),
  );
  assert.deepEqual(required, [
    '|serviceaccounts||z|sa',
    '|groups|||devs',
    '|groups|||qa',
    'authentication.cluster.io|userextras|scopes||a',
    'authentication.cluster.io|userextras|scopes||b',
    'authentication.cluster.io|uids|||u1',
  ]);
});

test('a group without a user is refused', () => {
  assert.throws(
    () => impersonationFrom({ 'impersonate-group': ['system:masters'] }),
    (error: unknown) => error instanceof StatusError && error.code === 400,
  );
});
