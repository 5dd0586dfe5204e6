import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { badRequest, internalError, tooManyRequests, unauthorized } from '@binnacle/status-errors';
import { StorageError } from '@binnacle/storage-contract';
import { createMetrics, silentLogger } from '@binnacle/telemetry';
import { Audit } from '../audit/audit.ts';
import type { AuditRule } from '../audit/policy/audit-policy.ts';
import type { User } from '../request/api-request.ts';
import type { Exchange } from '../request/exchange.ts';
import { PageNotFound } from '../request/page-not-found.ts';
import { serveThroughPipeline } from './test-drivers/serve-through-pipeline.ts';

const everything: AuditRule = {
  level: 'Metadata',
  users: [],
  userGroups: [],
  verbs: [],
  resources: [],
  namespaces: [],
  nonResourceURLs: [],
  omitStages: [],
  omitManagedFields: undefined,
};

/** Something that happens to a request on its way. */
type Happening = (exchange: Exchange) => void | Promise<void>;

interface Steps {
  /** Before it is known who makes the request. */
  readonly before?: Happening;
  /** After that, in place of the answer where it gives one. */
  readonly after?: Happening;
}

/** The events of one request that goes through these steps: stage, code and message of each. */
async function eventsFor(steps: Steps, rule: Partial<AuditRule> = {}): Promise<unknown[]> {
  const lines: string[] = [];
  const standardOutput = new Writable({
    write(chunk, _encoding, callback) {
      lines.push(...String(chunk).trimEnd().split('\n'));
      callback();
    },
  });
  const limits = {
    bufferSize: 10,
    maxBatchSize: 10,
    maxBatchLength: 1_000_000,
    maxWaitMs: 0,
    throttle: undefined,
  };
  const audit = new Audit(
    {
      policy: { rules: [{ ...everything, ...rule }], omitStages: [], omitManagedFields: false },
      log: {
        path: undefined,
        maxBytes: 0,
        maxBackups: 0,
        maxAgeMs: 0,
        compress: false,
        delivery: { plugin: 'log', mode: 'blocking', limits, maxEventLength: undefined },
      },
      webhook: undefined,
    },
    {
      metrics: createMetrics({ process: false }),
      logger: silentLogger,
      clock: Date.now,
      now: () => performance.now(),
      random: Math.random,
      standardOutput,
    },
  );
  using server = await serveThroughPipeline({
    audit,
    authenticate: async exchange => {
      await steps.before?.(exchange);
      return exchange.user;
    },
    serve: async exchange => {
      await steps.after?.(exchange);
      const { response } = exchange;
      if (!response.destroyed) response.writeHead(200).end();
    },
  });
  const { port } = server;
  await fetch(`http://127.0.0.1:${port}/x`).then(
    each => each.arrayBuffer(),
    () => {},
  );
  await audit.close(60_000);
  return lines.map(line => {
    const { stage, user, impersonatedUser, responseStatus = {} } = JSON.parse(line);
    const acts = impersonatedUser === undefined ? '' : ` as ${impersonatedUser.username}`;
    return [stage, (user.username ?? '') + acts, responseStatus.code ?? 0, responseStatus.message ?? ''];
  });
}

const fail = (error: unknown): Happening => {
  return async () => {
    throw error;
  };
};
const received = ['RequestReceived', 'system:anonymous', 0, ''];
const slip = new TypeError('slip');
const unprepared = 'Internal error occurred: the server met an unexpected condition';

const bob: User = { username: 'bob', uid: '', groups: [], extra: {} };

const ends: readonly (readonly [what: string, steps: Steps, events: readonly unknown[]])[] = [
  ['an answer', {}, [received, ['ResponseComplete', 'system:anonymous', 200, '']]],
  [
    'a refusal',
    { after: fail(badRequest('no')) },
    [received, ['ResponseComplete', 'system:anonymous', 400, 'no']],
  ],
  [
    'too many requests',
    { after: fail(tooManyRequests('later', 1)) },
    [received, ['ResponseComplete', 'system:anonymous', 429, 'later']],
  ],
  [
    'a failure that was foreseen',
    { after: fail(internalError('no', slip)) },
    [received, ['ResponseComplete', 'system:anonymous', 500, 'Internal error occurred: no']],
  ],
  [
    'a store that is away',
    { after: fail(new StorageError('unavailable', 'away')) },
    [
      received,
      ['ResponseComplete', 'system:anonymous', 503, 'the store is not available; nothing was changed'],
    ],
  ],
  [
    'a page that is missing',
    { after: fail(new PageNotFound()) },
    [received, ['ResponseComplete', 'system:anonymous', 404, '']],
  ],
  [
    'what the server was not prepared for',
    { after: fail(slip) },
    [received, ['Panic', 'system:anonymous', 500, unprepared]],
  ],
  [
    'another user than it began with',
    {
      after: exchange => {
        exchange.user = bob;
      },
    },
    [received, ['ResponseComplete', 'system:anonymous as bob', 200, '']],
  ],
  [
    'a user who acts as itself',
    {
      after: exchange => {
        exchange.impersonator = exchange.user;
      },
    },
    [received, ['ResponseComplete', 'system:anonymous as system:anonymous', 200, '']],
  ],
  [
    'no authentication',
    { before: fail(unauthorized()) },
    [['ResponseStarted', '', 401, 'Authentication failed, no credentials provided']],
  ],
  ['a target that cannot be read', { before: fail(badRequest('no')) }, [['ResponseStarted', '', 400, 'no']]],
  [
    'a client that leaves before its answer',
    { after: async ({ response }) => void response.destroy() },
    [received, ['ResponseComplete', 'system:anonymous', 200, 'Connection closed early']],
  ],
];
for (const [what, steps, events] of ends)
  test(`the events of a request that ends with ${what}`, async () => {
    assert.deepEqual(await eventsFor(steps), events);
  });

test('omitted stages have no events, except for a request that fails authentication', async () => {
  assert.deepEqual(await eventsFor({}, { omitStages: ['RequestReceived', 'ResponseComplete'] }), []);
  assert.deepEqual(await eventsFor({ after: fail(slip) }, { omitStages: ['RequestReceived', 'Panic'] }), []);
  const [event] = await eventsFor({ before: fail(unauthorized()) }, { omitStages: ['ResponseStarted'] });
  assert.deepEqual(event, ['ResponseComplete', '', 401, 'Authentication failed, no credentials provided']);
});

test('the level None has no events', async () => {
  assert.deepEqual(await eventsFor({}, { level: 'None' }), []);
  assert.deepEqual(await eventsFor({ before: fail(unauthorized()) }, { level: 'None' }), []);
});
