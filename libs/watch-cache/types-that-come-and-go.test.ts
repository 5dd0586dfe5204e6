import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDeadline } from '@binnacle/proto';
import { TypeNotHeld } from './contract/contract.ts';
import { coreDefinition, settle, startCache, watchInto } from './test-drivers/cache-under-test.ts';

const secrets = coreDefinition('secrets');

function call() {
  return { signal: new AbortController().signal, deadline: noDeadline };
}

test('an added type is listed and follows the feed', async () => {
  await using t = await startCache();
  assert.throws(() => t.cache.type(secrets), TypeNotHeld);
  assert.equal(t.cache.find(secrets), undefined);
  t.log.put(secrets, 'a/x');
  t.log.deliver();
  const type = t.cache.add(secrets);
  assert.equal(t.cache.add(secrets), type, 'a type is added once');
  await type.waitFor(1, call());
  assert.deepEqual(
    type.list({}).objects.map(({ name }) => name),
    ['x'],
  );
  const { sink } = watchInto(type, { start: { after: t.log.revision } });
  t.log.put(secrets, 'a/y');
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, ['ADDED a/y@2']);
});

test('the window of an added type starts at its list, and watches before that get 410', async () => {
  await using t = await startCache();
  for (const name of ['x', 'y', 'z']) t.log.put(secrets, `a/${name}`);
  t.log.deliver();
  const type = t.cache.add(secrets);
  await type.waitFor(1, call());
  assert.equal(type.oldestRevision, 3);
  const early = watchInto(type, { start: { after: 1 } });
  assert.deepEqual(early.sink.ends, ['expired']);
  const { sink } = watchInto(type, { start: { after: 3 } });
  t.log.delete(secrets, 'a/x');
  t.log.deliver();
  await settle();
  assert.deepEqual(sink.events, ['DELETED a/x@4']);
});

test('changes during the first list of a type are delivered once', async () => {
  await using t = await startCache();
  t.log.put(secrets, 'a/x');
  t.log.deliver();
  const { promise, resolve } = Promise.withResolvers<void>();
  t.log.listBarrier = promise;
  const type = t.cache.add(secrets);
  t.log.put(secrets, 'a/y');
  t.log.deliver();
  assert.equal(type.revision, 0);
  resolve();
  await type.waitFor(1, call());
  assert.equal(type.list({}).objects.length, 2);
  assert.equal(type.revision, 2);
});

test('all watches of a type can be ended, and later ones start', async () => {
  await using t = await startCache();
  const live = watchInto(t.pods, { start: { after: 0 } });
  const parked = watchInto(t.pods, { start: { after: 100 } });
  t.cache.endWatches(t.pods.definition);
  assert.deepEqual([live.sink.ends, parked.sink.ends], [['closed'], ['closed']]);
  const later = watchInto(t.pods, { start: { after: 0 } });
  t.log.put(t.pods.definition, 'a/x');
  t.log.deliver();
  await settle();
  assert.deepEqual(later.sink.events, ['ADDED a/x@1']);
});

test('the removal of a type ends its watches and waiting calls, and the type can be added again', async () => {
  await using t = await startCache();
  t.log.put(secrets, 'a/x');
  t.log.deliver();
  const type = t.cache.add(secrets);
  await type.waitFor(1, call());
  const { sink } = watchInto(type, { start: { after: 1 } });
  const waiting = assert.rejects(type.waitFor(100, call()));
  await t.cache.remove(secrets);
  await waiting;
  assert.deepEqual(sink.ends, ['stopping']);
  assert.throws(() => t.cache.type(secrets), TypeNotHeld);
  t.log.put(secrets, 'a/y');
  t.log.deliver();
  const repeated = t.cache.add(secrets);
  assert.notEqual(repeated, type);
  await repeated.waitFor(1, call());
  assert.equal(repeated.list({}).objects.length, 2);
});

test('a type that is removed while it is listed is listed no further', async () => {
  await using t = await startCache();
  const { promise, resolve } = Promise.withResolvers<void>();
  t.log.listBarrier = promise;
  const type = t.cache.add(secrets);
  await t.cache.remove(secrets);
  resolve();
  await settle();
  assert.equal(type.revision, 0);
  assert.equal(t.cache.isReady, true);
});
