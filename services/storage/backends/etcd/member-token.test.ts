import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { BackendRefusal } from '@binnacle/backend-access';
import { isRefusal } from './etcd-errors.ts';
import { RequestNotSent } from './grpc-code.ts';
import { MemberToken } from './member-token.ts';

let directory = '';
let passwordFile = '';

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'binnacle-member-token-'));
  passwordFile = join(directory, 'password');
});
after(() => rm(directory, { recursive: true }));

const wrongPassword = 'etcdserver: authentication failed, invalid user ID or password';

async function create(password: string, good: string) {
  await writeFile(passwordFile, `${password}\n`);
  const state = { now: 0, asked: 0 };
  const token = new MemberToken({
    user: { name: 'storage', passwordFile },
    now: () => state.now,
    async authenticate(name, given) {
      state.asked++;
      if (given !== good) throw new Error(`3 INVALID_ARGUMENT: ${wrongPassword}`);
      return `${name}.${state.asked}`;
    },
  });
  return { state, token };
}

test('concurrent requests share one authentication, and later ones its token', async () => {
  const { state, token } = await create('good', 'good');
  const tokens = await Promise.all([token.ready(), token.ready(), token.ready()]);
  assert.deepEqual([...tokens, await token.ready()], Array(4).fill('storage.1'));
  assert.equal(state.asked, 1);
});

test('a rejected token is dropped once, and a late rejection does not drop its successor', async () => {
  const { state, token } = await create('good', 'good');
  const first = await token.ready();
  token.drop(first);
  const second = await token.ready();
  token.drop(first);
  assert.equal(await token.ready(), second);
  assert.equal(state.asked, 2);
});

test('a refused password is retried after a pause, or at once when its file changed', async () => {
  const { state, token } = await create('bad', 'good');
  const refusal = { name: 'BackendRefusal', message: 'etcd refuses the credentials of this service' };
  for (let attempt = 0; attempt < 5; attempt++) await assert.rejects(token.ready(), refusal);
  assert.equal(state.asked, 1);
  state.now = 2000;
  await assert.rejects(token.ready(), refusal);
  assert.equal(state.asked, 2);
  await writeFile(passwordFile, 'good');
  assert.equal(await token.ready(), 'storage.3');
});

test('a request that fails to get a token was not sent, so its transaction has no unknown outcome', async () => {
  await rm(passwordFile, { force: true });
  const token = new MemberToken({
    user: { name: 'storage', passwordFile },
    authenticate: () => Promise.reject(new Error('14 UNAVAILABLE: Connection dropped')),
  });
  await assert.rejects(token.ready(), RequestNotSent);
  await writeFile(passwordFile, 'good');
  await assert.rejects(token.ready(), (error: unknown) => {
    assert.ok(error instanceof RequestNotSent);
    assert.ok(isRefusal(error));
    return true;
  });
  assert.ok(isRefusal(new BackendRefusal('etcd', 'credentials')));
});
