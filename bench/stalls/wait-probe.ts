import { readFileSync } from 'node:fs';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { LoadTarget } from '../load/protocol.ts';

/** A client that reads a small object again and again over a connection of its own, and keeps the longest wait. */
export interface WaitProbe extends AsyncDisposable {
  /** Drops earlier measurements. */
  reset(): Promise<void>;
  /** The longest answer since the last reset in ms, including that of a request still under way. */
  longest(): Promise<number>;
}

/** The object that is read, which the server has from the beginning. */
const probedObject = '/api/v1/namespaces/default';
const pauseMs = 2;

/** Starts a probe in a thread of its own, where the bench's own work does not delay it. */
export function startWaitProbe(target: LoadTarget): WaitProbe {
  const worker = new Worker(new URL(import.meta.url), { workerData: target });
  worker.unref();
  let answer: ((milliseconds: number) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  worker.on('message', milliseconds => answer?.(milliseconds));
  worker.on('error', error => fail?.(error));
  const ask = (question: 'reset' | 'longest'): Promise<number> =>
    new Promise((resolve, reject) => {
      answer = resolve;
      fail = reject;
      worker.postMessage(question);
    });
  return {
    reset: async () => {
      await ask('reset');
    },
    longest: () => ask('longest'),
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

if (parentPort !== null && workerData !== null) await probe(workerData as LoadTarget, parentPort); // Given above.

async function probe(target: LoadTarget, port: NonNullable<typeof parentPort>): Promise<void> {
  const { server, caFile = '', token = '' } = target;
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: readFileSync(caFile) });
  let longest = 0;
  let askedAt = performance.now();
  port.on('message', question => {
    if (question === 'reset') {
      longest = 0;
      askedAt = performance.now();
    }
    port.postMessage(Math.max(longest, performance.now() - askedAt));
  });
  for (;;) {
    askedAt = performance.now();
    await get(new URL(probedObject, server), { agent, headers: { authorization: `Bearer ${token}` } });
    longest = Math.max(longest, performance.now() - askedAt);
    await delay(pauseMs);
    askedAt = performance.now();
  }
}

function get(url: URL, options: https.RequestOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = https.get(url, options, response => {
      response.resume();
      response.on('end', resolve);
    });
    request.on('error', reject);
  });
}
