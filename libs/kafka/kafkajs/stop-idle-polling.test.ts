import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { stopIdlePolling } from './stop-idle-polling.ts';

interface TestedQueue {
  throttledUntil: number;
  readonly throttleCheckTimeoutId: unknown;
  push(request: object): void;
  fulfillRequest(answer: object): void;
  maybeThrottle(milliseconds: number): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

stopIdlePolling();
// Untyped, as above.
const Queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
  options: object,
) => TestedQueue;

const createQueue = (enforceRequestTimeout = false): TestedQueue => {
  const silent = { debug() {}, warn() {}, error() {}, info() {}, namespace: () => silent };
  return new Queue({
    maxInFlightRequests: null,
    requestTimeout: 1000,
    enforceRequestTimeout,
    clientId: 'test',
    broker: 'test',
    logger: silent,
  });
};
const request = (correlationId: number, sent: number[]) => ({
  entry: { correlationId, apiName: 'Test', apiKey: 0, apiVersion: 0, resolve() {}, reject() {} },
  expectResponse: true,
  sendRequest: () => sent.push(correlationId),
});

test('an empty request queue sets no timer', () => {
  const queue = createQueue();
  const sent: number[] = [];
  queue.push(request(1, sent));
  queue.fulfillRequest({ correlationId: 1, size: 0, payload: null });
  assert.deepEqual(sent, [1]);
  assert.equal(queue.throttleCheckTimeoutId ?? null, null);
  queue.destroy();
});

test('throttled requests are sent when the throttle ends', async () => {
  const queue = createQueue();
  const sent: number[] = [];
  queue.maybeThrottle(20);
  const both = new Promise<void>(resolve => {
    queue.push(request(1, sent));
    queue.push({ ...request(2, sent), sendRequest: () => resolve() });
  });
  assert.deepEqual(sent, []);
  await both;
  assert.deepEqual(sent, [1]);
  assert.equal(queue.throttleCheckTimeoutId ?? null, null);
  queue.destroy();
});

test('a request without an answer fails at its timeout', async () => {
  const queue = createQueue(true);
  queue.scheduleRequestTimeoutCheck();
  const failed = new Promise(resolve => {
    const { entry, ...rest } = request(1, []);
    queue.push({ ...rest, entry: { ...entry, reject: resolve } });
  });
  assert.match(String(await failed), /timed out/);
  queue.destroy();
});
