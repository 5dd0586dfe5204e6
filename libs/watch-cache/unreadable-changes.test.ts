import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListQuery, StorageError } from '@binnacle/storage-contract';
import { configMaps, ManualClock, pods, settle, watchInto } from './test-drivers/cache-under-test.ts';
import { ChangeLog, createMessage } from './test-drivers/change-log.ts';
import { createWatchCache } from './watch-cache.ts';

/** A cache on a log whose ConfigMaps cannot be listed while one of them cannot be decrypted; `before` writes to the log first. */
async function startCacheOnLog(
  before: (log: ChangeLog) => void = () => {},
  { isUnreadable = false, isEncrypted = false, isFixed = false } = {},
) {
  const log = new ChangeLog();
  before(log);
  log.lose();
  const clock = new ManualClock();
  const state = { isUnreadable, isEncrypted, lists: 0 };
  const list = async (query: ListQuery) => {
    if (query.prefix === configMaps.storagePrefix) {
      state.lists++;
      if (state.isUnreadable)
        throw new StorageError('unreadable', 'unable to transform key "/core/configmaps/a/y"');
      if (state.isEncrypted) {
        const page = await log.storage.list(query);
        const value = Buffer.from('k8s:enc:aesgcm:v1:key1:bytes');
        return { ...page, records: page.records.map(record => ({ ...record, value })) };
      }
    }
    return await log.storage.list(query);
  };
  const definitions = [configMaps, pods];
  const feed = log.feed;
  const logged: string[] = [];
  const note = (message: string) => void logged.push(message);
  const cache = createWatchCache({
    definitions,
    storage: { list },
    feed,
    clock,
    readsHistory: false,
    isFixed,
    log: { info: note, warn: note, error: note },
  });
  if (isFixed) await settle();
  else await cache.ready();
  log.deliver();
  return {
    ...{ log, logged, state, clock, cache, configMaps: cache.type(configMaps), pods: cache.type(pods) },
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  };
}

/** Delivers the undelivered changes; those of ConfigMaps have lost their values. */
function deliverUnreadable(log: ChangeLog, count: number): void {
  const changes = log.history
    .slice(-count)
    .map(change =>
      change.key.startsWith(configMaps.storagePrefix)
        ? { ...change, value: Buffer.alloc(0), previousValue: Buffer.alloc(0), isUnreadable: true }
        : change,
    );
  log.lose();
  log.send(createMessage(changes, log.revision));
}

const namesIn = (objects: Iterable<{ readonly name: string }>) => [...objects].map(({ name }) => name);

test('a change that cannot be decrypted ends the watches of its type, which is listed again; other types go on', async () => {
  await using t = await startCacheOnLog();
  const { log, state } = t;
  log.put(configMaps, 'a/x');
  log.put(pods, 'a/p');
  log.deliver();
  const ofMaps = watchInto(t.configMaps, { start: { after: log.revision } }).sink;
  const ofPods = watchInto(t.pods, { start: { after: log.revision } }).sink;
  await settle();
  state.isUnreadable = true;
  log.put(configMaps, 'a/x', { data: { seen: 'no' } });
  log.put(configMaps, 'a/y');
  log.put(pods, 'a/q');
  deliverUnreadable(log, 3);
  await settle();
  assert.deepEqual([ofMaps.events, ofMaps.ends], [[], ['expired']]);
  assert.deepEqual([ofPods.events, ofPods.ends], [['ADDED a/q@5'], []]);
  assert.equal(t.pods.revision, 5);
  assert.ok(t.configMaps.revision < 3, 'the cache does not say that it shows what it could not read');
  const failed = state.lists;
  await settle();
  assert.equal(state.lists, failed, 'an operator has to act: it is not tried at once');
  t.clock.advance(10_000);
  await settle();
  assert.equal(state.lists, failed + 1);
  state.isUnreadable = false;
  t.clock.advance(10_000);
  await settle();
  assert.deepEqual(namesIn(t.configMaps.list({}).objects), ['x', 'y']);
  assert.equal(t.configMaps.revision, 5);
  const early = watchInto(t.configMaps, { start: { after: 3 } }).sink;
  assert.deepEqual(early.ends, ['expired'], 'no watch begins before a change that is not in the window');
  const later = watchInto(t.configMaps, { start: { after: 5 } }).sink;
  log.put(configMaps, 'a/z');
  log.deliver();
  await settle();
  assert.deepEqual(later.events, ['ADDED a/z@6']);
});

test('a change that the listing shows already is no reason to list without end', async () => {
  await using t = await startCacheOnLog(before => {
    before.put(configMaps, 'a/x');
    before.put(configMaps, 'a/x', { data: { key: 'replaced' } });
  });
  const { log, state } = t;
  await settle();
  deliverUnreadable(log, 2);
  await settle();
  assert.ok(state.lists <= 3, `${state.lists} lists`);
  assert.deepEqual(namesIn(t.configMaps.list({}).objects), ['x']);
  const { sink } = watchInto(t.configMaps, { start: { after: 2 } });
  log.put(configMaps, 'a/y');
  log.deliver();
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/y@3']);
});

for (const [reason, fault] of [
  ['cannot be listed', { isUnreadable: true }],
  ['is listed as storage has encrypted it', { isEncrypted: true }],
] as const)
  test(`a cache is ready although one type ${reason}, and that type is there once it can be read`, async () => {
    await using t = await startCacheOnLog(before => {
      before.put(configMaps, 'a/x');
      before.put(pods, 'a/p');
    }, fault);
    assert.deepEqual(namesIn(t.pods.list({}).objects), ['p']);
    assert.equal(t.configMaps.revision, 0);
    assert.deepEqual(t.logged, ['types cannot be listed, retrying']);
    Object.assign(t.state, { isUnreadable: false, isEncrypted: false });
    t.clock.advance(10_000);
    await settle();
    assert.deepEqual(namesIn(t.configMaps.list({}).objects), ['x']);
    assert.deepEqual(t.logged.slice(1), ['types were listed after failures']);
  });

test('a cache with fixed types, which decides on writes, is not ready before every type is listed', async () => {
  const options = { isUnreadable: true, isFixed: true };
  await using t = await startCacheOnLog(before => before.put(configMaps, 'a/x'), options);
  t.clock.advance(10_000);
  await settle();
  assert.equal(t.cache.isReady, false);
  t.state.isUnreadable = false;
  t.clock.advance(10_000);
  await settle();
  assert.equal(t.cache.isReady, true);
});
