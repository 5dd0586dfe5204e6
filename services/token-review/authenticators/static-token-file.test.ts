import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deadlineIn } from '@binnacle/proto';
import { createStaticTokenAuthenticator, parseTokenFile } from './static-token-file.ts';

const call = { signal: new AbortController().signal, deadline: deadlineIn(60_000) };

test('a token file has users with their groups', () => {
  const users = parseTokenFile(
    't1,alice,u-alice,"devs,qa"\n\n# a note\nt2,bob,u-bob\nt3,carol,u-carol,ops\n',
  );
  assert.deepEqual(users.get('t1'), { username: 'alice', uid: 'u-alice', groups: ['devs', 'qa'], extra: {} });
  assert.deepEqual(users.get('t2'), { username: 'bob', uid: 'u-bob', groups: [], extra: {} });
  assert.deepEqual(users.get('t3')?.groups, ['ops']);
});

for (const [name, text, message] of [
  ['too few columns', 'secret-token,alice\n', /line 1: a token, a user name/],
  ['a repeated token', 'x,a,1\nx,b,2\n', /line 2: the token is in the file twice/],
  ['unbalanced quotes', 'x,a,1,"devs\n', /line 1: quotes do not match/],
] as const) {
  test(`a token file with ${name} is refused without showing the token`, () => {
    assert.throws(
      () => parseTokenFile(text),
      error => {
        assert.match(String(error), message);
        assert.doesNotMatch(String(error), /secret-token/);
        return true;
      },
    );
  });
}

const cacheTtl = { success: 1000, failure: 1000 };

test('a token of the file is accepted for the requested audiences, and other tokens are left to the next authenticator', async () => {
  const users = parseTokenFile('t1,alice,u-alice,devs');
  const authenticator = createStaticTokenAuthenticator({
    latestUsers: () => users,
    apiAudiences: ['api'],
    cacheTtl,
  });
  const decision = await authenticator.authenticate('t1', ['api'], call);
  assert.equal(decision.kind, 'authenticated');
  assert.deepEqual(decision.kind === 'authenticated' && decision.audiences, ['api']);
  assert.deepEqual(await authenticator.authenticate('t2', ['api'], call), { kind: 'unknown' });
  assert.deepEqual(await authenticator.authenticate('t1', ['other'], call), { kind: 'unknown' });
});

test('a token that the file no longer has is left to the next authenticator', async () => {
  let users = parseTokenFile('t1,alice,u-alice');
  const authenticator = createStaticTokenAuthenticator({
    latestUsers: () => users,
    apiAudiences: ['api'],
    cacheTtl,
  });
  const kinds = async () => {
    const decisions = ['t1', 't2'].map(token => authenticator.authenticate(token, ['api'], call));
    return (await Promise.all(decisions)).map(({ kind }) => kind);
  };
  assert.deepEqual(await kinds(), ['authenticated', 'unknown']);
  users = parseTokenFile('t2,alice,u-alice');
  assert.deepEqual(await kinds(), ['unknown', 'authenticated']);
});
