import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Credentials } from './credential-source.ts';
import type { GivenCredentials } from './exec-credential.ts';
import { createExecSource } from './exec-source.ts';

/**
 * Creates a source whose plugin returns `1`, `2`, …, or the result of `plugin` for the number of the run, at the time
 * `at.now`.
 */
function createSource(plugin?: (run: number) => Promise<GivenCredentials> | GivenCredentials) {
  const at = { now: 0, runs: 0 };
  const source = createExecSource({
    run: async () => {
      const run = ++at.runs;
      return (await plugin?.(run)) ?? given(run);
    },
    clock: () => at.now,
  });
  return { at, source };
}

function given(run: number, expiresAt = Number.POSITIVE_INFINITY): GivenCredentials {
  return { credentials: { authorization: `${run}` }, expiresAt };
}

const names = (credentials: readonly Credentials[]) => credentials.map(({ authorization }) => authorization);

test('concurrent requests share one run of the plugin', async () => {
  const { at, source } = createSource();
  const all = await Promise.all([source.current(), source.current(), source.current()]);
  assert.deepEqual(names([...all, await source.current()]), ['1', '1', '1', '1']);
  assert.equal(at.runs, 1);
});

test('credentials are used exactly until they expire', async () => {
  const { at, source } = createSource(run => given(run, run * 1000));
  at.now = 999;
  assert.deepEqual(names([await source.current(), await source.current()]), ['1', '1']);
  at.now = 1000;
  assert.deepEqual(names([await source.current(), await source.current()]), ['2', '2']);
});

test('refused credentials are renewed in one run for all requests that used them', async () => {
  const { at, source } = createSource();
  const first = await source.current();
  assert.deepEqual(await Promise.all([source.renew(first), source.renew(first)]), [true, true]);
  assert.equal(await source.renew(first), true);
  assert.deepEqual([at.runs, ...names([await source.current()])], [2, '2']);
});

test('renewed credentials that are refused too are renewed only after a pause', async () => {
  const { at, source } = createSource();
  await source.renew(await source.current());
  const second = await source.current();
  at.now = 9_999;
  assert.equal(await source.renew(second), false);
  at.now = 10_000;
  assert.equal(await source.renew(second), true);
  assert.equal(at.runs, 3);
});

test('after a failure the plugin runs again only after a second', async () => {
  const { at, source } = createSource(run => (run === 1 ? Promise.reject(new Error('locked')) : given(run)));
  await assert.rejects(source.current(), /locked/);
  at.now = 999;
  await assert.rejects(source.current(), /locked/);
  assert.equal(at.runs, 1);
  at.now = 1000;
  assert.deepEqual(names([await source.current()]), ['2']);
});

test('an aborted request does not abort the run for the others', async () => {
  const { promise, resolve } = Promise.withResolvers<GivenCredentials>();
  const { source } = createSource(() => promise);
  const leaving = new AbortController();
  const [left, stayed] = [source.current(leaving.signal), source.current()];
  leaving.abort(new Error('gone'));
  await assert.rejects(left, /gone/);
  resolve(given(1));
  assert.deepEqual(names([await stayed]), ['1']);
});

test('a closed source fails waiting requests and runs no plugin', async () => {
  const { at, source } = createSource(() => new Promise(() => {}));
  const waiting = source.current();
  source[Symbol.dispose]();
  await assert.rejects(waiting, /the client is closed/);
  await assert.rejects(source.current(), /the client is closed/);
  assert.equal(at.runs, 1);
});
