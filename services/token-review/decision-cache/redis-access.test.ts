import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backendRefusalIn } from '@binnacle/backend-access';
import { FlagError, parseFlags } from '@binnacle/flags';
import { tokenReviewFlags } from '../config.ts';
import { type RedisFlags, redisAccessFrom, redisRefusalFrom } from './redis-access.ts';

const file = import.meta.filename;

test('a URL with credentials is accepted, and without a URL Redis is not used', async () => {
  assert.equal(await redisAccessFrom({}), undefined);
  // The service passes all its flags.
  assert.equal(await redisAccessFrom(parseFlags(tokenReviewFlags, [], {})), undefined);
  const access = await redisAccessFrom({ redisUrl: 'redis://us%65r:p%40ss@[::1]:7000/3' });
  assert.ok(access);
  const { host, port, database, username, tls } = access;
  assert.deepEqual(
    { host, port, database, username, tls, password: await access.password() },
    { host: '::1', port: 7000, database: 3, username: 'user', tls: undefined, password: 'p@ss' },
  );
});

test('rediss without files uses the authorities of the host', async () => {
  const access = await redisAccessFrom({ redisUrl: 'rediss://redis' });
  assert.deepEqual(access?.tls, {});
  assert.deepEqual([access?.port, await access?.password()], [6379, undefined]);
});

const refused: readonly (readonly [flags: Partial<RedisFlags>, says: RegExp])[] = [
  [{ redisUrl: 'redis://user:hunter2@host:port' }, /must be redis:/],
  [{ redisUrl: 'http://user:hunter2@host' }, /must be redis:/],
  [{ redisCaFile: file }, /need --redis-url/],
  [{ redisUrl: 'redis://:hunter2@host', redisCaFile: file }, /rediss:/],
  [{ redisUrl: 'redis://host', redisUsername: 'a', redisPasswordFile: file }, /rediss:/],
  [{ redisUrl: 'rediss://a:hunter2@host', redisPasswordFile: file }, /credentials already/],
  [{ redisUrl: 'rediss://host', redisUsername: 'a' }, /--redis-password-file/],
  [{ redisUrl: 'rediss://host', redisUsername: 'a', redisPasswordFile: `${file}.none` }, /ENOENT/],
  [{ redisUrl: 'rediss://host', redisCertFile: file }, /must be given together/],
];
for (const [flags, says] of refused) {
  test(`the flags ${Object.keys(flags).join(', ')} are refused (${says}) without showing a password`, async () => {
    await assert.rejects(redisAccessFrom(flags), (error: unknown) => {
      assert.ok(error instanceof FlagError);
      assert.match(error.message, says);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
  });
}

const errors: readonly (readonly [message: string, kind: string | undefined])[] = [
  ['WRONGPASS invalid username-password pair or user is disabled.', 'credentials'],
  ['NOAUTH Authentication required.', 'credentials'],
  ["NOPERM this user has no permissions to run the 'get' command", 'permission'],
  ['self-signed certificate in certificate chain', 'tls'],
  ['connect ECONNREFUSED 127.0.0.1:6379', undefined],
  ['Connection is closed.', undefined],
];
for (const [message, kind] of errors) {
  test(`"${message}" is ${kind === undefined ? 'no refusal' : `a refusal: ${kind}`}`, () => {
    const command = { name: 'auth', args: ['user', 'hunter2'] };
    const refusal = redisRefusalFrom(Object.assign(new Error(message), { command }));
    assert.equal(refusal?.kind, kind);
    assert.equal(backendRefusalIn(refusal), refusal);
    assert.doesNotMatch(JSON.stringify(refusal?.cause ?? {}), /hunter2/);
  });
}
