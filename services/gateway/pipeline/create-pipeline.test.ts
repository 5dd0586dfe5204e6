import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { millisecondsUntil } from '@binnacle/proto';
import { forbidden } from '@binnacle/status-errors';
import { createMetrics } from '@binnacle/telemetry';
import type { Audit } from '../audit/audit.ts';
import { createGatewayMetrics } from '../metrics/gateway-metrics.ts';
import { type Exchange, freePlace } from '../request/exchange.ts';
import { anonymousUser, mastersGroup } from '../request/users.ts';
import type { PipelineParts } from './create-pipeline.ts';
import { createInFlightLimits } from './limit-in-flight.ts';
import { openParts, serveThroughPipeline } from './test-drivers/serve-through-pipeline.ts';

const pods = '/api/v1/namespaces/t/pods';
const metrics = createGatewayMetrics(createMetrics({ process: false }), createTypeRegistry());

interface Sent {
  readonly answer: Promise<{ readonly code: number; readonly text: string }>;
  /** Closes the connection. */
  leave(): void;
}

function open(port: number, path: string, method = 'GET'): Sent {
  const sent = httpRequest({ host: '127.0.0.1', port, path, method });
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; text: string }>();
  sent.on('response', response => {
    let text = '';
    response.on('data', data => {
      text += data;
    });
    response.on('end', () => resolve({ code: response.statusCode ?? 0, text }));
  });
  sent.on('error', reject);
  sent.end();
  return { answer: promise, leave: () => sent.destroy() };
}

async function send(port: number, path: string, method = 'GET') {
  return await open(port, path, method).answer;
}

/** Work that waits until it is told to go on, and how many requests wait there. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return {
    serve: async ({ response }: Exchange) => {
      waiting++;
      await promise;
      if (!response.headersSent && !response.destroyed) response.writeHead(200).end('done');
    },
    open: resolve,
    async arrived(count: number) {
      while (waiting < count) await new Promise(next => setTimeout(next, 2));
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(next => setTimeout(next, 2));
}

/** An audit that notes what it is told. */
class Audited implements Pick<Audit, 'start' | 'failed' | 'end'> {
  readonly seen: string[] = [];
  readonly #mayGoOn: boolean;

  constructor(mayGoOn = true) {
    this.#mayGoOn = mayGoOn;
  }

  start(): boolean {
    this.seen.push('start');
    return this.#mayGoOn;
  }

  failed(): void {
    this.seen.push('failed');
  }

  end(_: Exchange, isBroken: boolean): void {
    this.seen.push(`end, broken: ${isBroken}`);
  }
}

/** Parts that note when a request comes to them and then do as they do otherwise. */
function notedParts(waits: boolean): { readonly parts: PipelineParts; readonly seen: string[] } {
  const seen: string[] = [];
  const plain = openParts();
  const after = <T>(what: string, value: T): T | Promise<T> => {
    seen.push(what);
    return waits ? new Promise(resolve => setImmediate(() => resolve(value))) : value;
  };
  const parts: PipelineParts = {
    ...plain,
    authenticate: () => after('authenticate', anonymousUser),
    authorizer: {
      ...plain.authorizer,
      authorize: (_, access) => after(`authorize ${access.verb}`, { verdict: 'allowed', reason: '' }),
    },
    limits: {
      enter: () => after('enter', { ...freePlace, leave: () => void seen.push('leave') }),
    },
    serve: async exchange => {
      await after('serve', undefined);
      await plain.serve(exchange);
    },
    metrics: { ...metrics, finished: () => void seen.push('measure') },
  };
  return { parts, seen };
}

for (const waits of [false, true])
  test(`a request passes the steps in order, ${waits ? 'with a wait at each' : 'without any wait'}`, async () => {
    const { parts, seen } = notedParts(waits);
    using server = await serveThroughPipeline(parts);
    assert.equal((await send(server.port, pods)).code, 200);
    assert.deepEqual(seen, ['authenticate', 'enter', 'authorize list', 'serve', 'leave', 'measure']);
  });

for (const waits of [false, true])
  test(`a refused request frees its place and is measured, ${waits ? 'after a wait' : 'at once'}`, async () => {
    const { parts, seen } = notedParts(waits);
    const { authorizer } = openParts();
    const refuse = () => {
      throw forbidden({ group: '', resource: 'pods' }, '', 'no');
    };
    const authorize = waits ? async () => refuse() : refuse;
    using server = await serveThroughPipeline({ ...parts, authorizer: { ...authorizer, authorize } });
    assert.equal((await send(server.port, pods)).code, 403);
    assert.deepEqual(seen, ['authenticate', 'enter', 'leave', 'measure']);
  });

test('requests beyond the limit are refused, reads and writes separately', async () => {
  const held = gate();
  const limits = createInFlightLimits({ readOnly: 2, mutating: 1, metrics });
  using server = await serveThroughPipeline({ limits, serve: held.serve });
  const { port } = server;
  const under = [send(port, pods), send(port, `${pods}/a`), send(port, pods, 'POST')];
  await held.arrived(3);
  assert.equal((await send(port, pods)).code, 429);
  assert.equal((await send(port, `${pods}/a`, 'DELETE')).code, 429);
  const exempt = [send(port, '/healthz'), send(port, `${pods}?watch=1`)];
  await held.arrived(5);
  held.open();
  for (const { code } of await Promise.all([...under, ...exempt])) assert.equal(code, 200);
  assert.equal((await send(port, pods)).code, 200);
});

test('requests of system:masters are not limited', async () => {
  const held = gate();
  using server = await serveThroughPipeline({
    authenticate: () => ({ ...anonymousUser, groups: [mastersGroup] }),
    limits: createInFlightLimits({ readOnly: 1, mutating: 1, metrics }),
    serve: held.serve,
  });
  const both = [send(server.port, pods), send(server.port, pods)];
  await held.arrived(2);
  held.open();
  for (const { code } of await Promise.all(both)) assert.equal(code, 200);
});

test('a request ends at its deadline, and a write then reports an unknown outcome', async () => {
  const held = gate();
  using server = await serveThroughPipeline({ serve: held.serve });
  const read = await send(server.port, `${pods}?timeout=5ms`);
  assert.equal(read.code, 504);
  assert.doesNotMatch(read.text, /unknown/);
  const write = await send(server.port, `${pods}?timeout=5ms`, 'POST');
  assert.equal(write.code, 504);
  assert.match(write.text, /outcome of the write is unknown/);
  held.open();
});

test('work that continues after the deadline keeps its place until it is done, and is measured once', async () => {
  const held = gate();
  const seen: string[] = [];
  using server = await serveThroughPipeline({
    serve: async exchange => {
      await held.serve(exchange);
      throw new Error('it failed, too late');
    },
    limits: { enter: () => ({ ...freePlace, leave: () => void seen.push('leave') }) },
    metrics: { ...metrics, finished: ({ response }) => void seen.push(`measure ${response.statusCode}`) },
  });
  assert.equal((await send(server.port, `${pods}?timeout=5ms`)).code, 504);
  assert.deepEqual(seen, ['measure 504']);
  held.open();
  await until(() => seen.length === 2);
  assert.deepEqual(seen, ['measure 504', 'leave']);
});

for (const waits of [false, true])
  test(`a request without a possible error response is aborted, ${waits ? 'after a wait' : 'at once'}`, async () => {
    const broken = () => {
      throw new Error('the error cannot be rendered');
    };
    const audit = new Audited();
    using server = await serveThroughPipeline({
      serve: () => assert.fail('it failed'),
      renderFailure: waits ? async () => broken() : broken,
      metrics: { ...metrics, finished: () => assert.fail('it was not answered') },
      audit: audit as unknown as Audit, // The parts that the pipeline calls.
    });
    await assert.rejects(send(server.port, pods));
    assert.deepEqual(audit.seen, ['start', 'failed', 'end, broken: true']);
  });

test('a request that cannot be audited is answered, and aborted if the answer fails', async () => {
  const audit = new Audited(false);
  using server = await serveThroughPipeline({
    audit: audit as unknown as Audit, // The parts that the pipeline calls.
    serve: () => assert.fail('it is not served'),
  });
  const { code, text } = await send(server.port, pods);
  assert.equal(code, 500);
  assert.match(text, /cannot be audited/);
  using broken = await serveThroughPipeline(
    { audit: audit as unknown as Audit }, // As above.
    ({ response }) => {
      response.writeHead = () => assert.fail('it cannot be answered');
    },
  );
  await assert.rejects(send(broken.port, pods));
  assert.deepEqual(audit.seen, ['start', 'end, broken: false', 'start', 'end, broken: true']);
});

test('a request and its call end when its client disconnects', async () => {
  const held = gate();
  const ended: string[] = [];
  const exchanges: Exchange[] = [];
  using server = await serveThroughPipeline(
    {
      serve: held.serve,
      metrics: {
        ...metrics,
        finished: ({ isDisconnected }) => void ended.push(`finished ${isDisconnected}`),
        terminated: () => assert.fail('the server did not end it'),
      },
    },
    exchange => exchanges.push(exchange),
  );
  const sent = open(server.port, pods);
  await held.arrived(1);
  assert.equal(exchanges[0]?.call.hasEnded, false);
  sent.leave();
  await assert.rejects(sent.answer);
  await until(() => ended.length > 0);
  assert.deepEqual([ended, exchanges[0]?.call.hasEnded], [['finished true'], true]);
  held.open();
});

test('the timeout is limited, and an invalid one is refused', async () => {
  const deadlines: number[] = [];
  using server = await serveThroughPipeline({
    serve: ({ call, response }) => {
      deadlines.push(millisecondsUntil(call.deadline));
      response.end('done');
    },
  });
  const { port } = server;
  for (const query of ['', '?timeout=1h', '?timeout=0s', '?timeout=300s']) await send(port, pods + query);
  for (const left of deadlines) assert.ok(left > 0 && left <= 600_000, String(left));
  assert.ok((deadlines.at(-1) ?? 0) <= 300_000);
  assert.equal((await send(port, `${pods}?timeout=soon`)).code, 400);
  assert.equal((await send(port, `${pods}?timeout=-1s`)).code, 400);
});

test('a watch has no deadline', async () => {
  let deadline = 0;
  using server = await serveThroughPipeline({
    requestTimeout: 5,
    serve: ({ call, response }) => {
      deadline = call.deadline;
      response.end('done');
    },
  });
  await send(server.port, `${pods}?watch=1`);
  assert.equal(deadline, Number.POSITIVE_INFINITY);
});

const disabled: readonly (readonly [Partial<PipelineParts['features']>, unknown])[] = [
  [{}, ['5', 'token', 'Strict', 'gzip']],
  [{ chunks: true }, [null, null, 'Strict', 'gzip']],
  [{ fieldValidation: true }, ['5', 'token', 'Ignore', 'gzip']],
  [{ compression: true }, ['5', 'token', 'Strict', undefined]],
];
for (const [features, expected] of disabled)
  test(`requests reach their verb without the parameters of switched off features: ${Object.keys(features).join() || 'nothing'}`, async () => {
    const seen: unknown[] = [];
    using server = await serveThroughPipeline({
      features: { ...openParts().features, ...features },
      serve: ({ query, request, response }) => {
        seen.push(query.get('limit'), query.get('continue'), query.get('fieldValidation'));
        seen.push(request.headers['accept-encoding']);
        response.end('done');
      },
    });
    const path = `${pods}?limit=5&continue=token&fieldValidation=Strict`;
    await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { 'accept-encoding': 'gzip' } });
    assert.deepEqual(seen, expected);
  });
