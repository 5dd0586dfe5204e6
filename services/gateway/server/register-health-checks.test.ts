import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BackendRefusal } from '@binnacle/backend-access';
import { createHealth } from '@binnacle/service-kit';
import { registerHealthChecks } from './register-health-checks.ts';

function create(livezGracePeriod: number) {
  const state = {
    now: 1_000,
    listed: false,
    stored: true,
    written: false,
    loaded: false,
    asked: 0,
    size: 0,
    isFull: false,
  };
  const changeFeed: { refusal?: BackendRefusal; isDirect?: boolean } = {};
  const health = createHealth();
  registerHealthChecks(health, {
    storage: {
      async typeRevision() {
        state.asked++;
        if (!state.stored) throw new Error('the store is down');
        return 1;
      },
      async space() {
        if (!state.stored) throw new Error('the store is down');
        return { sizeBytes: state.size, quotaBytes: 1000, isFull: state.isFull };
      },
    },
    changeFeed,
    watchCache: {
      get isReady() {
        return state.listed;
      },
    },
    bootstrap: {
      get isDone() {
        return state.written;
      },
    },
    rolesAreLoaded: () => state.loaded,
    livezGracePeriod,
    clock: () => state.now,
  });
  const ask = async (endpoint: 'livez' | 'readyz') => (await health.answer({ endpoint })).status;
  return { state, changeFeed, health, ask };
}

test('a server is ready when it has started and while the store is available', async () => {
  const { state, ask } = create(0);
  assert.deepEqual([await ask('readyz'), await ask('livez')], [500, 200]);
  for (const part of ['listed', 'written', 'loaded'] as const) {
    assert.equal(await ask('readyz'), 500, part);
    state[part] = true;
  }
  assert.equal(await ask('readyz'), 200);
  state.stored = false;
  state.now += 2_000;
  assert.deepEqual([await ask('readyz'), await ask('livez')], [500, 200]);
});

test('probes within two seconds share a success of the store, never a failure', async () => {
  const { state, ask } = create(0);
  Object.assign(state, { listed: true, written: true, loaded: true });
  const asked = async (status: number) => {
    assert.equal(await ask('readyz'), status);
    return state.asked;
  };
  assert.deepEqual([await asked(200), await asked(200)], [1, 1]);
  state.stored = false;
  state.now += 1_999;
  assert.equal(await asked(200), 1);
  state.now++;
  assert.deepEqual([await asked(500), await asked(500)], [2, 3]);
  state.stored = true;
  assert.deepEqual([await asked(200), await asked(200)], [4, 4]);
});

test('a start that exceeds its grace period is not live, but a finished start is', async () => {
  const { state, ask } = create(5_000);
  state.now += 5_000;
  assert.equal(await ask('livez'), 200);
  state.now++;
  assert.equal(await ask('livez'), 500);
  state.listed = true;
  assert.equal(await ask('livez'), 200);
});

test('a start without a grace period may take any time', async () => {
  const { state, ask } = create(0);
  state.now += 1e9;
  assert.equal(await ask('livez'), 200);
});

test('a server with a refused change feed is live, not ready, and names the refusing backend', async () => {
  const { state, changeFeed, health, ask } = create(0);
  Object.assign(state, { listed: true, written: true, loaded: true });
  assert.equal(await ask('readyz'), 200);
  changeFeed.refusal = new BackendRefusal('kafka', 'credentials');
  assert.deepEqual([await ask('readyz'), await ask('livez')], [500, 200]);
  const { body } = await health.answer({ endpoint: 'readyz' });
  assert.match(body, /^\[-\]change-feed failed: kafka refuses the credentials of this service$/m);
});

test('a server that follows storage without Kafka is ready, and says so in a verbose answer', async () => {
  const { state, changeFeed, health, ask } = create(0);
  Object.assign(state, { listed: true, written: true, loaded: true });
  changeFeed.isDirect = true;
  assert.equal(await ask('readyz'), 200);
  const { body } = await health.answer({ endpoint: 'readyz', verbose: true });
  assert.match(body, /^\[\+\]change-feed ok: changes come from storage directly$/m);
});

test('a server with a full or nearly full store is ready, and says so in a verbose answer', async () => {
  const { state, health, ask } = create(0);
  Object.assign(state, { listed: true, written: true, loaded: true });
  const line = async () => {
    const { body } = await health.answer({ endpoint: 'readyz', verbose: true });
    return body.split('\n').find(text => text.includes('store-space'));
  };
  assert.equal(await line(), '[+]store-space ok');
  state.size = 850;
  state.now += 5_000;
  assert.equal(await line(), '[-]store-space failed, not required: the store uses 85% of its quota');
  state.isFull = true;
  assert.match((await line()) ?? '', /85%/);
  state.now += 5_000;
  assert.match((await line()) ?? '', /not required: the store is full: it accepts no writes/);
  assert.equal(await ask('readyz'), 200);
  assert.equal((await health.answer({ endpoint: 'readyz', check: 'store-space' })).status, 500);
  // Another check tells that storage does not answer.
  state.stored = false;
  state.now += 5_000;
  assert.equal(await line(), '[+]store-space ok');
});
