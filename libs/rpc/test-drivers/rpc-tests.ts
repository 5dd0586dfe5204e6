import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallContext, type StorageService, storageContract, unrecordedTrace } from '@binnacle/proto';
import { invalid, StatusError } from '@binnacle/status-errors';
import type { RpcClient } from '../client/connect-rpc.ts';
import { createCallContext } from '../deadline/call-context.ts';

/** The service contract of the suite. */
export const testContract = storageContract;

/** The handlers of the suite; they record their calls. */
export class TestService implements StorageService {
  readonly calls: { method: string; call: CallContext }[] = [];
  aborted = 0;
  produced = 0;
  ended = 0;
  readonly #onCall: (key: string) => void;

  /** `onCall` receives the key or the prefix of each call when it arrives. */
  constructor(onCall: (key: string) => void = () => {}) {
    this.#onCall = onCall;
  }

  readonly get: StorageService['get'] = (request, call) => this.#answer('get', request.key, call);

  /** Answers like `get`, but as a separate gRPC call (not hot). */
  readonly list: StorageService['list'] = async (request, call) => {
    const { record, revision } = await this.#answer('list', request.prefix, call);
    return { records: record ? [record] : [], revision, more: false, remaining: 0 };
  };

  readonly transact: StorageService['transact'] = async request => {
    const size = request.puts.reduce((sum, put) => sum + put.value.length, 0);
    return { committed: true, revision: size, failedPrecondition: 0 };
  };

  readonly typeRevision: StorageService['typeRevision'] = async () => ({ revision: 1 });
  readonly compact: StorageService['compact'] = async () => ({ revision: 1 });
  readonly space: StorageService['space'] = async () => ({ sizeBytes: 1, quotaBytes: 2, full: false });

  /** Sends `afterRevision` batches, or an endless stream with `fromWindowStart`. */
  async *changes(request: { afterRevision: number; fromWindowStart: boolean }, call: CallContext) {
    try {
      for (let index = 0; request.fromWindowStart || index < request.afterRevision; index++) {
        call.signal.throwIfAborted();
        if (index === 2 && request.afterRevision === 1.5) throw badRecord();
        this.produced++;
        yield { events: [event(index)], revision: index };
        if (request.fromWindowStart) await Promise.resolve();
      }
      if (request.afterRevision === 1.5) throw badRecord();
    } finally {
      this.ended++;
    }
  }

  async #answer(method: string, key: string, call: CallContext) {
    this.calls.push({ method, call });
    this.#onCall(key);
    if (key === 'fail') throw badRecord();
    if (key === 'crash') throw new TypeError('the password is hunter2');
    if (key === 'hang') await new Promise((_, reject) => this.#hang(call, reject));
    if (key === 'ignore') await sleep(3000, undefined, { ref: false });
    if (key === 'slow') await sleep(200);
    const size = key.startsWith('bytes:') ? Number(key.slice(6)) : 3;
    return { record: { key, value: Buffer.alloc(size, 'v'), revision: 2 ** 52 }, revision: 7 };
  }

  #hang(call: CallContext, reject: (reason: unknown) => void): void {
    call.signal.addEventListener('abort', () => {
      this.aborted++;
      reject(call.signal.reason);
    });
  }
}

/** Creates the context of a test call, without a trace. */
export function callFor(timeoutMs = 60_000, signal?: AbortSignal) {
  return createCallContext({ timeoutMs, signal });
}

/** Polls until the condition holds; fails after 60 s. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 10) {
    if (condition()) return;
    await sleep(10);
  }
  assert.fail(`${what} did not happen`);
}

/** Returns a check that an error is a `StatusError` with this code. */
export function withCode(code: number): (error: unknown) => boolean {
  return error => {
    assert.ok(error instanceof StatusError, String(error));
    assert.equal(error.code, code, error.message);
    return true;
  };
}

function badRecord(): StatusError {
  return invalid({ group: 'g.io', kind: 'K' }, 'ä', [
    { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.x' },
  ]);
}

function event(index: number) {
  return {
    type: 'CREATED' as const,
    revision: index,
    previousRevision: 0,
    key: `/core/configmaps/n/${index}`,
    value: Buffer.alloc(4096),
    previousValue: Buffer.alloc(0),
    committedAt: 0,
    publishedAt: 0,
  };
}

/** A client of a new `TestService`; disposing of it stops both. */
export interface TestConnection extends AsyncDisposable {
  readonly client: RpcClient<StorageService>;
  readonly service: TestService;
}

/** Registers the tests of the guarantees of every client: in process, with separate gRPC calls and on call streams. */
export function registerRpcTests(name: string, connect: () => Promise<TestConnection>): void {
  describe(name, () => {
    let connection: TestConnection;
    before(async () => {
      connection = await connect();
    });
    after(() => connection[Symbol.asyncDispose]());
    registerUnaryTests(() => connection);
    registerEndTests(() => connection);
    registerStreamTests(() => connection);
  });
}

function registerUnaryTests(connection: () => TestConnection): void {
  const listRequest = { startAfter: '', limit: 0, atRevision: 0 };

  test('a call is answered', async () => {
    using call = callFor();
    const hot = await connection().client.get({ key: 'a' }, call);
    assert.equal(hot.record?.revision, 2 ** 52);
    assert.equal(Buffer.from(hot.record.value).toString(), 'vvv');
    const rare = await connection().client.list({ ...listRequest, prefix: 'a' }, call);
    assert.equal(rare.records.length, 1);
  });

  test('many concurrent calls get their own answers', async () => {
    using call = callFor();
    const keys = Array.from({ length: 500 }, (_, index) => `key-${index}`);
    const answers = await Promise.all(keys.map(key => connection().client.get({ key }, call)));
    assert.deepEqual(
      answers.map(answer => answer.record?.key),
      keys,
    );
  });

  test('a StatusError arrives with reason, code, message and details', async () => {
    using call = callFor();
    const { client } = connection();
    for (const attempt of [
      () => client.get({ key: 'fail' }, call),
      () => client.list({ ...listRequest, prefix: 'fail' }, call),
    ]) {
      await assert.rejects(attempt, error => {
        assert.ok(error instanceof StatusError);
        assert.deepEqual(error.toStatus(), badRecord().toStatus());
        return true;
      });
    }
  });

  test('any other error arrives as an internal error that does not show its cause', async () => {
    using call = callFor();
    const { client } = connection();
    for (const attempt of [
      () => client.get({ key: 'crash' }, call),
      () => client.list({ ...listRequest, prefix: 'crash' }, call),
    ]) {
      await assert.rejects(attempt, error => {
        assert.ok(error instanceof StatusError);
        assert.equal(error.code, 500);
        assert.doesNotMatch(JSON.stringify(error.toStatus()), /hunter2/);
        return true;
      });
    }
  });

  test('payloads of five mebibytes are sent both ways while small calls are answered', async () => {
    using call = callFor(30_000);
    const { client } = connection();
    const size = 5 * 1024 * 1024;
    const big = client.get({ key: `bytes:${size}` }, call);
    const bigRequest = client.transact(
      { preconditions: [], puts: [{ key: 'k', value: Buffer.alloc(size, 7) }], deletes: [] },
      call,
    );
    const small = await client.get({ key: 'small' }, call);
    assert.equal(small.record?.key, 'small');
    assert.equal((await big).record?.value.length, size);
    assert.equal((await bigRequest).revision, size);
  });

  test('the handler has the trace context of the caller', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const tracestate = 'vendor=1';
    using call = createCallContext({
      timeoutMs: 10_000,
      trace: unrecordedTrace({ traceparent, tracestate }),
    });
    const { client, service } = connection();
    service.calls.length = 0;
    await client.get({ key: 'a' }, call);
    await client.list({ ...listRequest, prefix: 'a' }, call);
    assert.deepEqual(
      service.calls.map(({ call: { trace } }) => [trace?.traceparent, trace?.tracestate]),
      [
        [traceparent, tracestate],
        [traceparent, tracestate],
      ],
    );
  });

  test('the handler has the deadline of the caller, or an earlier one', async () => {
    using call = callFor(5_000);
    const { client, service } = connection();
    service.calls.length = 0;
    const began = performance.now();
    await client.get({ key: 'a' }, call);
    await client.list({ ...listRequest, prefix: 'a' }, call);
    // The remaining time is sent in whole milliseconds, so the duration of the transfer is added to the deadline.
    const latest = call.deadline + (performance.now() - began) + 1;
    for (const seen of service.calls) assert.ok(seen.call.deadline <= latest, `${seen.call.deadline}`);
  });
}

function registerEndTests(connection: () => TestConnection): void {
  const methods = ['get', 'list'] as const;
  const send = (method: (typeof methods)[number], key: string, call: CallContext) =>
    method === 'get'
      ? connection().client.get({ key }, call)
      : connection().client.list({ prefix: key, startAfter: '', limit: 0, atRevision: 0 }, call);

  for (const method of methods) {
    test(`${method}: a call ends with 504 at its deadline, and its handler is aborted`, async () => {
      const { service } = connection();
      const [aborted, seen] = [service.aborted, service.calls.length];
      // On a slow machine the deadline may pass before the call arrives.
      for (let timeoutMs = 150; service.calls.length === seen; timeoutMs *= 2) {
        using call = callFor(timeoutMs);
        await assert.rejects(send(method, 'hang', call), withCode(504));
      }
      await until(() => service.aborted > aborted, 'the abort');
    });

    test(`${method}: a call ends at its deadline even if its handler continues`, async () => {
      using call = callFor(150);
      await assert.rejects(send(method, 'ignore', call), withCode(504));
    });

    test(`${method}: a cancelled call ends with the reason, and its handler is aborted`, async () => {
      const { service } = connection();
      const [aborted, seen] = [service.aborted, service.calls.length];
      const controller = new AbortController();
      using call = callFor(10_000, controller.signal);
      const attempt = send(method, 'hang', call);
      await until(() => service.calls.length > seen, 'the call');
      controller.abort(new StatusError({ reason: 'Gone', code: 410, message: 'enough' }));
      await assert.rejects(attempt, withCode(410));
      await until(() => service.aborted > aborted, 'the abort');
    });

    test(`${method}: a call past its deadline is not sent`, async () => {
      const { service } = connection();
      const seen = service.calls.length;
      using call = callFor(0);
      await assert.rejects(send(method, 'a', call), withCode(504));
      assert.equal(service.calls.length, seen);
    });
  }
}

function registerStreamTests(connection: () => TestConnection): void {
  test('a stream returns its messages in order, and ends', async () => {
    using call = callFor();
    const revisions: number[] = [];
    for await (const batch of connection().client.changes(
      { afterRevision: 300, fromWindowStart: false },
      call,
    )) {
      revisions.push(batch.events[0]?.revision ?? -1);
    }
    assert.deepEqual(
      revisions,
      Array.from({ length: 300 }, (_, index) => index),
    );
  });

  test('a failing stream returns its messages before the StatusError', async () => {
    using call = callFor();
    let count = 0;
    const attempt = (async () => {
      for await (const _ of connection().client.changes({ afterRevision: 1.5, fromWindowStart: false }, call))
        count++;
    })();
    await assert.rejects(attempt, withCode(422));
    assert.equal(count, 2);
  });

  test('a reader that stops reading stops the writer', async () => {
    const { client, service } = connection();
    using call = callFor(60_000);
    const start = service.produced;
    const iterator = client
      .changes({ afterRevision: 0, fromWindowStart: true }, call)
      [Symbol.asyncIterator]();
    await iterator.next();
    let last = -1;
    await until(() => {
      const settled = service.produced === last;
      last = service.produced;
      return settled;
    }, 'the writer to stop');
    assert.ok(last - start < 5_000, `${last - start} messages were written for one that was read`);
    for (let count = 0; count < 100; count++) await iterator.next();
    const ended = service.ended;
    await iterator.return?.();
    await until(() => service.ended > ended, 'the end of the handler');
  });

  test('a stream ends with 504 at its deadline', async () => {
    using call = callFor(200);
    const attempt = (async () => {
      for await (const _ of connection().client.changes({ afterRevision: 0, fromWindowStart: true }, call))
        await sleep(5);
    })();
    await assert.rejects(attempt, withCode(504));
  });
}
