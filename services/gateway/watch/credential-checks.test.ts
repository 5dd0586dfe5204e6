import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenReviewRequest, TokenReviewResponse } from '@binnacle/proto';
import { silentLogger } from '@binnacle/telemetry';
import type { Credential } from '../request/credential.ts';
import { CredentialChecks } from './credential-checks.ts';

const minute = 60_000;

/** Checks whose time passes as the test says, with tokens that are good unless `answers` says otherwise. */
function start(
  answers: (token: string) => Partial<TokenReviewResponse> | Error | Promise<void> = () => ({}),
) {
  const time = { now: 0 };
  const asked: string[] = [];
  let atOnce = 0;
  const most = { atOnce: 0 };
  const review = async ({ token }: TokenReviewRequest): Promise<TokenReviewResponse> => {
    asked.push(token);
    most.atOnce = Math.max(most.atOnce, ++atOnce);
    try {
      const answer = await answers(token);
      if (answer instanceof Error) throw answer;
      const user = { username: `user of ${token}`, uid: 'u', groups: [], extra: {} };
      return {
        authenticated: true,
        user,
        audiences: [],
        error: '',
        undecided: false,
        auditAnnotations: {},
        ...answer,
      };
    } finally {
      atOnce--;
    }
  };
  const checks = new CredentialChecks({
    tokenReview: { review },
    everyMs: minute,
    logger: silentLogger,
    clock: () => time.now,
    random: () => 0.5,
  });
  const ended: string[] = [];
  const watch = (name: string, credential: Credential) => {
    const holder = {
      expire() {
        ended.push(name);
        checks.delete(credential, holder);
      },
    };
    checks.add(credential, holder);
    return () => checks.delete(credential, holder);
  };
  const pass = async (milliseconds: number) => {
    time.now += milliseconds;
    await checks.check();
  };
  return { asked, most, ended, watch, pass, checks, [Symbol.dispose]: () => checks[Symbol.dispose]() };
}

const bearer = (token: string): Credential => ({
  kind: 'token',
  token,
  username: `user of ${token}`,
  uid: 'u',
});

test('a token is reviewed once a minute for all its watches', async () => {
  using t = start();
  for (let i = 0; i < 100; i++) t.watch(`watch ${i}`, bearer('a'));
  t.watch('another', bearer('b'));
  await t.pass(minute / 2);
  assert.deepEqual(t.asked, []);
  await t.pass(minute / 2);
  assert.deepEqual(t.asked, ['a', 'b']);
  await t.pass(minute / 2);
  assert.equal(t.asked.length, 2);
  await t.pass(minute / 2);
  assert.deepEqual(t.asked, ['a', 'b', 'a', 'b']);
  assert.deepEqual(t.ended, []);
});

test('watches end when their token is refused, or belongs to another user', async () => {
  using t = start(token => {
    if (token === 'revoked') return { authenticated: false };
    if (token === 'passed on') return { user: { username: 'another', uid: 'u', groups: [], extra: {} } };
    if (token === 'made anew')
      return { user: { username: 'user of made anew', uid: 'v', groups: [], extra: {} } };
    return {};
  });
  for (const token of ['good', 'revoked', 'passed on', 'made anew']) t.watch(token, bearer(token));
  await t.pass(minute);
  assert.deepEqual(t.ended.sort(), ['made anew', 'passed on', 'revoked']);
  await t.pass(minute);
  assert.deepEqual(t.asked.slice(4), ['good']);
});

test('watches continue while tokens cannot be reviewed', async () => {
  const answers = { now: new Error('away') as Error | Partial<TokenReviewResponse> };
  using t = start(() => answers.now);
  t.watch('patient', bearer('a'));
  await t.pass(minute);
  await t.pass(minute);
  answers.now = { authenticated: false, undecided: true };
  await t.pass(minute);
  assert.deepEqual([t.asked.length, t.ended], [3, []]);
  answers.now = { authenticated: false };
  await t.pass(minute);
  assert.deepEqual(t.ended, ['patient']);
});

test('watches of a client certificate end when it expires, without a review', async () => {
  using t = start();
  t.watch('early', { kind: 'certificate', expiresAt: minute });
  t.watch('late', { kind: 'certificate', expiresAt: 3 * minute });
  t.watch('anonymous', { kind: 'none' });
  await t.pass(minute - 1);
  assert.deepEqual(t.ended, []);
  await t.pass(1);
  assert.deepEqual(t.ended, ['early']);
  await t.pass(2 * minute);
  assert.deepEqual([t.ended, t.asked], [['early', 'late'], []]);
});

test('watches of a client certificate end in time although token reviews are slow', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  using t = start(() => promise);
  t.watch('slow', bearer('a'));
  t.watch('over', { kind: 'certificate', expiresAt: 2 * minute });
  const reviewed = t.pass(minute);
  await t.pass(minute);
  assert.deepEqual([t.asked, t.ended], [['a'], ['over']]);
  resolve();
  await reviewed;
});

test('ended watches are not checked', async () => {
  using t = start();
  const end = t.watch('short', bearer('a'));
  end();
  await t.pass(minute);
  assert.deepEqual(t.asked, []);
});

test('few tokens are reviewed at a time, and a slow round of reviews is not started twice', async () => {
  const gate = Promise.withResolvers<void>();
  using t = start(() => gate.promise);
  for (let i = 0; i < 100; i++) t.watch(`watch ${i}`, bearer(`token ${i}`));
  const first = t.pass(minute);
  await t.pass(minute);
  assert.ok(t.asked.length <= 8);
  gate.resolve();
  await first;
  assert.deepEqual([t.most.atOnce <= 8, t.asked.length], [true, 100]);
});
