import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EtcdSilence } from './etcd-silence.ts';
import { RequestNotSent } from './grpc-code.ts';

/** Requests whose answers the test gives. */
function create() {
  const changes: boolean[] = [];
  const probes: PromiseWithResolvers<void>[] = [];
  const silence = new EtcdSilence({
    silentAfterMs: 500,
    onChange: isSilent => changes.push(isSilent),
    probe() {
      const probe = Promise.withResolvers<void>();
      probes.push(probe);
      return probe.promise;
    },
  });
  const request = () => {
    const answer = Promise.withResolvers<string>();
    const watched = silence.watch(answer.promise);
    watched.catch(() => {});
    return { ...answer, watched };
  };
  return { silence, changes, probes, request };
}

test('waiting and new requests fail while etcd answers none, until a probe is answered', async () => {
  const { silence, changes, probes, request } = create();
  const waiting = [request(), request()];
  for (const { watched } of waiting) await assert.rejects(watched, { kind: 'unavailable' });
  assert.deepEqual(changes, [true]);
  assert.throws(() => silence.assertAnswers(), /does not answer/);
  probes[0]!.reject(Object.assign(new Error('late'), { code: 4 }));
  await sleep(300);
  assert.deepEqual([changes, probes.length], [[true], 2]);
  probes[1]!.resolve();
  await sleep(0);
  assert.deepEqual(changes, [true, false]);
  silence.assertAnswers();
});

test('one answer is enough for another request to continue to wait', async () => {
  const { changes, request } = create();
  const slow = request();
  for (let count = 0; count < 6; count++) {
    await sleep(200);
    request().resolve('quick');
  }
  assert.deepEqual(changes, []);
  slow.resolve('slow');
  assert.equal(await slow.watched, 'slow');
});

test('an error of etcd counts as an answer, an error of the connection does not', async () => {
  const { changes, request } = create();
  const waiting = request();
  for (let count = 0; count < 6; count++) {
    await sleep(200);
    request().reject(new Error('14 UNAVAILABLE: etcdserver: leader changed'));
  }
  assert.deepEqual(changes, []);
  for (let count = 0; count < 6; count++) {
    await sleep(200);
    request().reject(new Error('14 UNAVAILABLE: Connection dropped'));
  }
  await assert.rejects(waiting.watched, { kind: 'unavailable' });
  assert.deepEqual(changes, [true]);
});

test('refused connections and credentials are not silence', async () => {
  const { changes, request } = create();
  const waiting = request();
  const refusals = [
    new Error('14 UNAVAILABLE: No connection established. Last error: connect ECONNREFUSED'),
    new RequestNotSent('no token', {
      cause: new Error('3 INVALID_ARGUMENT: etcdserver: authentication failed'),
    }),
  ];
  for (const refusal of refusals)
    for (let count = 0; count < 6; count++) {
      await sleep(200);
      request().reject(refusal);
    }
  assert.deepEqual(changes, []);
  waiting.resolve('answer');
  assert.equal(await waiting.watched, 'answer');
});

test('the answer to an aborted request ends the silence', async () => {
  const { silence, changes, request } = create();
  const waiting = request();
  await assert.rejects(waiting.watched);
  waiting.resolve('late');
  await sleep(0);
  assert.deepEqual(changes, [true, false]);
  silence.assertAnswers();
});

test('a process does not count its own pause as silence', async () => {
  const { changes, request } = create();
  const waiting = request();
  const until = performance.now() + 1500;
  while (performance.now() < until);
  waiting.resolve('answer');
  assert.equal(await waiting.watched, 'answer');
  await sleep(100);
  assert.deepEqual(changes, []);
});

test('a wait for the next answer ends with an answer, not with a failure', async () => {
  const { silence, request } = create();
  let heard = 0;
  const forget = silence.onNextAnswer(() => heard++);
  silence.onNextAnswer(() => heard++);
  forget();
  request().reject(new Error('14 UNAVAILABLE: Connection dropped'));
  await sleep(0);
  assert.equal(heard, 0);
  request().resolve('a');
  request().resolve('b');
  await sleep(0);
  assert.equal(heard, 1);
});
