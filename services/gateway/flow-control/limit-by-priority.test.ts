import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, suite, test } from 'node:test';
import { createTypeRegistry } from '@binnacle/api-types';
import { OpenCall } from '@binnacle/rpc';
import { StatusError } from '@binnacle/status-errors';
import { createMetrics } from '@binnacle/telemetry';
import { alwaysAllow, type Decision } from '../authorization/authorizer.ts';
import { type Exchange, freePlace } from '../request/exchange.ts';
import { parseRequestTarget } from '../request/parse-request-target.ts';
import { flowSchemaOfSpec } from './classification/flow-schema.ts';
import { flowConfigFrom } from './flow-config.ts';
import { FlowControl } from './flow-control.ts';
import { createPriorityLimits } from './limit-by-priority.ts';

const mib = 1024 * 1024;
const everything = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const createLimits = (queuing?: { queues: number; handSize: number; queueLengthLimit: number }) => ({
  shares: 1,
  lendablePercent: 0,
  borrowingLimitPercent: 0,
  queuing,
});

/** Flow control with one seat for each of two levels, one that rejects and one with a queue. */
function setUp({ isAllowed = true } = {}) {
  const control = new FlowControl({
    registry: createTypeRegistry(),
    watchCache: { type: () => assert.fail('no list is estimated') },
    metrics: createMetrics({ process: false }),
    serverSeats: 1,
    requestTimeout: 60_000,
    maxBodyBytesInflight: 8 * mib,
    maxAnswerBytesWaiting: 8 * mib,
    thread: { load: () => ({ busy: 0, waited: 0 }), every: () => () => {} },
  });
  after(() => control[Symbol.dispose]());
  const { levels, schemas } = flowConfigFrom([], []);
  const createSchema = (name: string) => ({
    ...flowSchemaOfSpec(name, {
      matchingPrecedence: 10,
      priorityLevelConfiguration: { name },
      rules: [{ subjects: [{ kind: 'User', user: { name } }], ...everything }],
    }),
    uid: `schema-${name}`,
  });
  control.configure({
    schemas: [createSchema('rejecting'), createSchema('queuing'), ...schemas],
    levels: [
      ...levels,
      { name: 'rejecting', uid: 'level-rejecting', limits: createLimits() },
      { name: 'queuing', uid: '', limits: createLimits({ queues: 1, handSize: 1, queueLengthLimit: 2 }) },
    ],
  });
  const refused: string[] = [];
  const verdict: Decision['verdict'] = isAllowed ? 'allowed' : 'noOpinion';
  const authorizer = { ...alwaysAllow, authorize: async () => ({ verdict, reason: '' }) };
  const metrics = {
    inFlight: () => {},
    rejected: (kind: string) => refused.push(kind),
    terminated: () => {},
  };
  const limits = createPriorityLimits({ control, authorizer, metrics });
  /** Work for a request that was given its place. */
  const step = async (exchange: Exchange, work: () => Promise<void>): Promise<void> => {
    const place = await limits.enter(exchange);
    exchange.place = place;
    try {
      await work();
    } finally {
      place.leave();
    }
  };
  return { control, refused, step };
}

/** An exchange, as far as the step looks at it. */
function createExchange(line: string, username: string, headers: Record<string, string> = {}) {
  const [method = '', url = ''] = line.split(' ');
  const { pathname: path, searchParams: query } = new URL(url, 'http://h');
  const request = Object.assign(new PassThrough(), { headers });
  const target = parseRequestTarget({ method, path, query }, group => group);
  const exchange = {
    request,
    response: {
      writableLength: 0,
      writableEnded: true,
      writableFinished: true,
      destroyed: false,
      headersSent: false,
    },
    target,
    query,
    user: { username, uid: '', groups: ['system:authenticated'], extra: {} },
    call: new OpenCall(undefined),
    headers: [],
    startedAt: 0,
    longRunning: target.verb === 'watch' || path.endsWith('/proxy'),
    place: freePlace,
  };
  return { exchange: exchange as unknown as Exchange, request };
}

const pods = '/api/v1/namespaces/n/pods';
const json = (length: number) => ({ 'content-type': 'application/json', 'content-length': String(length) });
const isTooMany = (message: RegExp) => (error: unknown) =>
  error instanceof StatusError &&
  error.code === 429 &&
  error.retryAfterSeconds === 1 &&
  message.test(error.message);

/** Lets everything happen that can happen without time passing. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise(resolve => setImmediate(resolve));
}

suite('priority and fairness', () => {
  test('rejects a request without a seat if the level has no queues, and names its flow', async () => {
    const { step, refused, control } = setUp();
    const held = Promise.withResolvers<void>();
    const first = step(createExchange(`GET ${pods}/a`, 'rejecting').exchange, () => held.promise);
    const second = createExchange(`DELETE ${pods}/a`, 'rejecting');
    await assert.rejects(
      step(second.exchange, () => assert.fail('it has no seat')),
      isTooMany(/^Too many requests, please try again later\.$/),
    );
    assert.deepEqual(refused, ['mutating']);
    assert.deepEqual(second.exchange.headers, [
      'X-Kubernetes-PF-FlowSchema-UID',
      'schema-rejecting',
      'X-Kubernetes-PF-PriorityLevel-UID',
      'level-rejecting',
    ]);
    held.resolve();
    await first;
    assert.equal(control.levels.get('rejecting')?.set?.isIdle, true);
  });

  test('returns the seat when the request fails', async () => {
    const { step, control } = setUp();
    const failing = step(createExchange(`GET ${pods}/a`, 'rejecting').exchange, () =>
      Promise.reject(new Error('it failed')),
    );
    await assert.rejects(failing, /it failed/);
    assert.equal(control.levels.get('rejecting')?.set?.isIdle, true);
  });

  test('occupies no seat until the body has arrived', async () => {
    const { step, control } = setUp();
    const { exchange, request } = createExchange(`POST ${pods}`, 'queuing', json(4));
    let body = '';
    const done = step(exchange, async () => {
      body = String(await exchange.body);
    });
    request.write('ab');
    await settle();
    const { set } = control.levels.get('queuing') ?? {};
    assert.deepEqual([set?.executing, set?.waiting, control.bodies.total], [0, 0, 2]);
    request.end('cd');
    await done;
    assert.deepEqual([body, control.bodies.total], ['abcd', 0]);
  });

  test('does not wait for the body of a request that will be rejected', async () => {
    const { step } = setUp({ isAllowed: false });
    const { exchange } = createExchange(`POST ${pods}`, 'queuing', json(4));
    let isServed = false;
    await step(exchange, async () => {
      isServed = true;
    });
    assert.ok(isServed);
  });

  test('rejects bodies beyond the limit of a user, and accepts those of other users', async () => {
    const { step, control } = setUp();
    const large = createExchange(`POST ${pods}`, 'queuing', json(3 * mib));
    const refused = assert.rejects(
      step(large.exchange, () => assert.fail('it has no body')),
      isTooMany(/bodies of this user/),
    );
    large.request.write(Buffer.alloc(2 * mib));
    await refused;
    assert.equal(control.bodies.total, 0);
    const other = createExchange(`POST ${pods}`, 'rejecting', json(1));
    other.request.end('a');
    await step(other.exchange, async () => {});
  });

  test('frees the seat while a client is slow, and occupies it again to continue', async () => {
    const { step, control } = setUp();
    const { set } = control.levels.get('queuing') ?? {};
    const taken = Promise.withResolvers<void>();
    const { exchange } = createExchange(`GET ${pods}/a`, 'queuing');
    const order: string[] = [];
    const slow = step(exchange, async () => {
      await exchange.place.whileClientTakes(taken.promise);
      order.push(`goes on with ${set?.executing} executing`);
    });
    const held = Promise.withResolvers<void>();
    const next = step(createExchange(`GET ${pods}/b`, 'queuing').exchange, async () => {
      order.push('next');
      await held.promise;
    });
    while (order.length === 0) await settle();
    assert.deepEqual([order, set?.executing, control.answers.count], [['next'], 1, 1]);
    taken.resolve();
    await settle();
    assert.deepEqual([set?.waiting, control.answers.count], [1, 0]);
    held.resolve();
    await Promise.all([slow, next]);
    assert.deepEqual(order, ['next', 'goes on with 1 executing']);
    assert.equal(set?.isIdle, true);
  });

  test('rejects further requests of a user with too many unread answers', async () => {
    const { step, control, refused } = setUp();
    const ends = Array.from({ length: 5 }, () =>
      control.answers.began(createExchange('GET /version', 'queuing').exchange),
    );
    await assert.rejects(
      step(createExchange(`GET ${pods}/a`, 'queuing').exchange, () => assert.fail('it is refused')),
      isTooMany(/answers of this user/),
    );
    assert.deepEqual(refused, ['readOnly']);
    await step(createExchange(`GET ${pods}/a`, 'rejecting').exchange, async () => {});
    for (const end of ends) end();
    await step(createExchange(`GET ${pods}/a`, 'queuing').exchange, async () => {});
  });

  test('rejects a queued request whose user got too many unread answers meanwhile', async () => {
    const { step, control } = setUp();
    const held = Promise.withResolvers<void>();
    const first = step(createExchange(`GET ${pods}/a`, 'queuing').exchange, () => held.promise);
    const second = assert.rejects(
      step(createExchange(`GET ${pods}/b`, 'queuing').exchange, () => assert.fail('it is refused')),
      isTooMany(/answers of this user/),
    );
    await settle();
    assert.equal(control.levels.get('queuing')?.set?.waiting, 1);
    const ends = Array.from({ length: 5 }, () =>
      control.answers.began(createExchange('GET /version', 'queuing').exchange),
    );
    held.resolve();
    await Promise.all([first, second]);
    for (const end of ends) end();
    assert.equal(control.levels.get('queuing')?.set?.isIdle, true);
  });

  test('removes the request of a disconnected client from its queue', async () => {
    const { step, control } = setUp();
    const held = Promise.withResolvers<void>();
    const first = step(createExchange(`GET ${pods}/a`, 'queuing').exchange, () => held.promise);
    const { exchange } = createExchange(`GET ${pods}/b`, 'queuing');
    const second = assert.rejects(
      step(exchange, () => assert.fail('its client has left')),
      isTooMany(/./),
    );
    await settle();
    assert.equal(control.levels.get('queuing')?.set?.waiting, 1);
    exchange.call.end(new Error('the client has left'));
    await second;
    held.resolve();
    await first;
    assert.equal(control.levels.get('queuing')?.set?.isIdle, true);
  });

  test('gives watches a seat during their start, and proxied requests none', async () => {
    const { step, control } = setUp();
    const { set } = control.levels.get('rejecting') ?? {};
    const executing: (number | undefined)[] = [];
    const look = async () => {
      executing.push(set?.executing);
    };
    await step(createExchange(`GET ${pods}?watch=1`, 'rejecting').exchange, look);
    await step(createExchange(`GET ${pods}/a/proxy`, 'rejecting').exchange, look);
    assert.deepEqual([executing, set?.executing], [[1, 0], 0]);
  });
});
