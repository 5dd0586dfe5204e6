import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StatusError } from '@binnacle/status-errors';
import { impersonationFrom } from './impersonate.ts';

test('no user is impersonated without headers', () => assert.equal(impersonationFrom({}), undefined));

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

test('each part of the identity needs its own permission', () => {
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

test('the first of repeated user and uid headers counts, and all groups and extra values', () => {
  const found = impersonationFrom({
    'impersonate-user': ['alice', 'root'],
    'impersonate-uid': ['1', '2'],
    'impersonate-group': ['a', '', 'a'],
    'impersonate-extra-%61': ['x', ''],
    'impersonate-extra-a': ['y'],
    'impersonate-extra-': ['z'],
  });
  assert.deepEqual(
    { ...found?.user, extra: { ...found?.user.extra } },
    {
      username: 'alice',
      uid: '1',
      groups: ['a', '', 'a', 'system:authenticated'],
      extra: { a: ['x', '', 'y'], '': ['z'] },
    },
  );
  assert.deepEqual(
    found?.required.map(({ resource, subresource, name }) => [resource, subresource, name].join('|')),
    [
      'users||alice',
      'groups||a',
      'groups||',
      'groups||a',
      'userextras|a|x',
      'userextras|a|',
      'userextras|a|y',
      'userextras||z',
      'uids||1',
    ],
  );
});

const keys: readonly (readonly [sent: string, key: string])[] = [
  ['scopes', 'scopes'],
  ['acme.com%2fproject', 'acme.com/project'],
  ['%E2%82%AC', '€'],
  ['a%4', 'a%4'],
  ['a%zz%61', 'a%zz%61'],
  ['%FF', '%ff'],
  ['__proto__', '__proto__'],
];
for (const [sent, key] of keys)
  test(`the extra key ${sent} is ${key}`, () => {
    const found = impersonationFrom({
      'impersonate-user': ['alice'],
      [`impersonate-extra-${sent.toLowerCase()}`]: ['v'],
    });
    assert.deepEqual(Object.entries(found?.user.extra ?? {}), [[key, ['v']]]);
    assert.equal(found?.required[1]?.subresource, key);
  });

const accounts: readonly (readonly [username: string, resource: string, namespace: string])[] = [
  ['system:serviceaccount:z:sa', 'serviceaccounts', 'z'],
  ['system:serviceaccount:z:sa.x-1', 'serviceaccounts', 'z'],
  ['system:serviceaccount:z:', 'users', ''],
  ['system:serviceaccount:z', 'users', ''],
  ['system:serviceaccount:z:a:b', 'users', ''],
  ['system:serviceaccount:Z:sa', 'users', ''],
  ['system:serviceaccount:z:SA', 'users', ''],
  ['system:serviceaccount:a.b:sa', 'users', ''],
];
for (const [username, resource, namespace] of accounts)
  test(`impersonation of ${username} needs a right on ${resource}`, () => {
    const found = impersonationFrom({ 'impersonate-user': [username] });
    assert.deepEqual([found?.required[0]?.resource, found?.required[0]?.namespace], [resource, namespace]);
    assert.equal(found?.user.username, username);
    assert.equal(found?.user.groups.includes('system:serviceaccounts'), resource === 'serviceaccounts');
  });

const withoutUser: readonly (readonly [headers: Record<string, string[]>, message: string])[] = [
  [
    { 'impersonate-group': ['system:masters'] },
    'requested [groups "system:masters"] without impersonating a user',
  ],
  [{ 'impersonate-group': [''] }, 'requested [groups ""] without impersonating a user'],
  [
    { 'impersonate-user': [''], 'impersonate-uid': ['1'], 'impersonate-extra-a': ['b'] },
    'requested [userextras/a "b", uids "1"] without impersonating a user',
  ],
];
for (const [headers, message] of withoutUser)
  test(`${JSON.stringify(headers)} without a user is refused`, () => {
    assert.throws(
      () => impersonationFrom(headers),
      (error: unknown) => error instanceof StatusError && error.code === 400 && error.message === message,
    );
  });

test('an empty user without other headers is no impersonation', () => {
  assert.equal(impersonationFrom({ 'impersonate-user': [''], 'impersonate-uid': [''] }), undefined);
});
