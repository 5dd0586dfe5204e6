import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { suite, test } from 'node:test';
import type { Exchange } from '../../request/exchange.ts';
import { HeldBytes } from './held-bytes.ts';
import { WaitingAnswers } from './waiting-answers.ts';

const kib = 1024;

/** An exchange, as far as it is looked at while its answer waits. */
function answering(username: string, more: { unsent?: number; isEnded?: boolean } = {}) {
  const response = Object.assign(new EventEmitter(), {
    writableLength: more.unsent ?? 0,
    writableEnded: more.isEnded ?? false,
    writableFinished: false,
    destroyed: false,
    destroy() {
      response.destroyed = true;
      response.emit('close');
    },
  });
  // The rest of an exchange is not looked at.
  return { response, exchange: { user: { username }, response } as unknown as Exchange };
}

suite('the bytes of bodies', () => {
  test('are limited for each user and in total', () => {
    const held = new HeldBytes({ user: 10, total: 25 });
    held.add('a', 10);
    held.add('b', 10);
    assert.deepEqual([held.exceeded('a'), held.exceeded('b')], [undefined, undefined]);
    held.add('a', 1);
    assert.deepEqual([held.exceeded('a'), held.exceeded('b')], ['user', undefined]);
    held.add('c', 6);
    assert.equal(held.exceeded('b'), 'total');
    assert.equal(held.largest(), 'a');
    held.add('a', -11);
    assert.deepEqual([held.of('a'), held.total, held.exceeded('b')], [0, 16, undefined]);
  });
});

suite('answers that are not read', () => {
  test('are refused for a user when they exceed the size of one answer', () => {
    const answers = new WaitingAnswers({ limits: { user: 600 * kib, total: 10_000 * kib }, longestMs: 1 });
    const ends = [answers.began(answering('a').exchange), answers.began(answering('a').exchange)];
    assert.equal(answers.areTooMany('a'), false);
    ends.push(answers.began(answering('a', { unsent: 100 * kib }).exchange));
    assert.deepEqual([answers.areTooMany('a'), answers.areTooMany('b')], [true, false]);
    assert.equal(answers.bytes, 868 * kib);
    for (const end of ends) {
      end();
      end();
    }
    assert.deepEqual([answers.areTooMany('a'), answers.count, answers.bytes], [false, 0, 0]);
  });

  test('are cut off when they exceed the total limit, beginning with the oldest of the user with most', () => {
    const answers = new WaitingAnswers({ limits: { user: 900 * kib, total: 1_000 * kib }, longestMs: 1 });
    const few = answering('few');
    const many = [answering('many'), answering('many'), answering('many')];
    answers.began(few.exchange);
    for (const { exchange } of many) answers.began(exchange);
    assert.deepEqual(
      [few, ...many].map(({ response }) => response.destroyed),
      [false, true, false, false],
    );
  });

  test('count until the client has read them, even after the end of the request', () => {
    const answers = new WaitingAnswers({ limits: { user: kib, total: 10_000 * kib }, longestMs: 60_000 });
    const large = answering('a', { unsent: 200 * kib, isEnded: true });
    const small = answering('a', { unsent: kib, isEnded: true });
    const open = answering('a', { unsent: 200 * kib });
    for (const { exchange } of [large, small, open]) answers.follow(exchange);
    assert.deepEqual([answers.count, answers.bytes], [1, 456 * kib]);
    large.response.emit('finish');
    large.response.emit('close');
    assert.equal(answers.count, 0);
  });

  test('are cut off when the client does not read them in time', async () => {
    const answers = new WaitingAnswers({ limits: { user: kib, total: 10_000 * kib }, longestMs: 1 });
    const { exchange, response } = answering('a', { unsent: 200 * kib, isEnded: true });
    const closed = new Promise(resolve => response.once('close', resolve));
    answers.follow(exchange);
    const keepAlive = setInterval(() => {}, 1_000);
    await closed;
    clearInterval(keepAlive);
    assert.equal(answers.count, 0);
  });
});
