import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { after, before, suite, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const configMaps = '/api/v1/namespaces/t/configmaps';
const flowControl = '/apis/flowcontrol.apiserver.cluster.io/v1beta3';
const reviews = '/apis/authorization.cluster.io/v1/selfsubjectaccessreviews';

/** Requests of a user over connections of their own, which are left as they are. */
interface Flood extends Disposable {
  readonly codes: number[];
  /** The `Retry-After` headers of answers that have one. */
  readonly retries: string[];
}

interface FloodOptions {
  readonly token: string;
  readonly path: string;
  readonly count: number;
  /** Half of a body is sent; undefined: a GET whose answer is not read. */
  readonly halfBody?: string;
}

async function flood(server: ApiServer, options: FloodOptions): Promise<Flood> {
  const { token, path, count, halfBody } = options;
  const ca = await readFile(server.pki.caFile);
  const codes: number[] = [];
  const retries: string[] = [];
  const sent: ClientRequest[] = [];
  const connecting: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    const one = request(server.url + path, {
      method: halfBody === undefined ? 'GET' : 'POST',
      ca,
      agent: false,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(halfBody !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': halfBody.length * 2,
        }),
      },
    });
    const connected = new Promise<void>(resolve => {
      one.on('socket', socket => socket.once('secureConnect', resolve));
      one.on('error', () => resolve());
    });
    connecting.push(connected);
    one.on('response', response => {
      codes.push(response.statusCode ?? 0);
      if (response.headers['retry-after'] !== undefined) retries.push(response.headers['retry-after']);
      response.on('error', () => {});
      response.pause();
      response.socket.pause();
    });
    if (halfBody === undefined) one.end();
    else one.write(halfBody);
    sent.push(one);
    // The server gives up a handshake that takes too long: of all at once, the last ones would on a busy machine.
    if (sent.length % 30 === 0) await Promise.all(connecting.splice(0));
  }
  return {
    codes,
    retries,
    [Symbol.dispose]: () => {
      for (const one of sent) one.destroy();
    },
  };
}

const readMetric = (text: string, name: string) =>
  Number(new RegExp(`^${name.replace(/[{}]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);

const seatsInUse =
  'apiserver_flowcontrol_request_concurrency_in_use{flow_schema="global-default",priority_level="global-default"}';

suite('a flooding user', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer({
      authorizationMode: ['AlwaysAllow'],
      // For one user, an eighth: a dozen answers.
      maxAnswerBytesWaiting: 32 * 1024 * 1024,
    });
    await server.namespace('t');
    const value = 'x'.repeat(1_000_000);
    for (let i = 0; i < 16; i++)
      await server.call('POST', configMaps, { body: { metadata: { name: `large-${i}` }, data: { value } } });
  });
  after(() => server?.[Symbol.asyncDispose]());

  test('with unread lists gets no more answers, unlike others', async () => {
    using lists = await flood(server, { token: 'alicetoken', path: configMaps, count: 150 });
    await until('some are refused', () => lists.codes.includes(429));
    for (let i = 0; i < 30; i++) {
      const { code } = await server.call('GET', `${configMaps}/large-0`, { token: 'bobtoken' });
      assert.equal(code, 200);
    }
    await until('all are answered', () => lists.codes.length === 150);
    assert.ok(lists.codes.filter(code => code === 200).length < 100, 'many of them are refused');
    assert.deepEqual([...new Set(lists.retries)], ['1']);
    const refused = await server.call('GET', configMaps, { token: 'alicetoken' });
    assert.equal(refused.code, 429);
    assert.match(refused.json.message, /answers of this user wait to be read/);
    const { text } = await server.call('GET', '/metrics');
    assert.match(
      text,
      /^apiserver_flowcontrol_rejected_requests_total\{.*flow_schema="global-default".*reason="unread-answers"\} [1-9]/m,
    );
    const inUse = () => server.call('GET', '/metrics').then(({ text }) => readMetric(text, seatsInUse));
    // An answer holds one while a part of it is taken, for some ms.
    await until('no seat is held for answers that wait', async () => (await inUse()) === 0);
    lists[Symbol.dispose]();
    await until('the user is served again', async () => {
      const { code } = await server.call('GET', `${configMaps}/large-0`, { token: 'alicetoken' });
      return code === 200;
    });
  });

  test('with incomplete bodies occupies no seat', async () => {
    const halfBody = '{"spec":{"nonResourceAttributes":{';
    using _ = await flood(server, { token: 'alicetoken', path: reviews, count: 210, halfBody });
    using more = await flood(server, { token: 'alicetoken', path: configMaps, count: 30, halfBody });
    await until('the bodies are waited for', async () => {
      const { text } = await server.call('GET', '/metrics');
      return readMetric(text, 'apiserver_current_inflight_requests{request_kind="mutating"}') >= 240;
    });
    for (let i = 0; i < 10; i++) {
      const body = { metadata: { name: `written-${i}` } };
      const { code } = await server.call('POST', configMaps, { token: 'bobtoken', body });
      assert.equal(code, 201);
      const mine = await server.call('POST', reviews, {
        token: 'alicetoken',
        body: { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
      });
      assert.equal(mine.code, 201);
    }
    const { text } = await server.call('GET', '/metrics');
    assert.equal(
      readMetric(
        text,
        'apiserver_flowcontrol_current_executing_requests{flow_schema="global-default",priority_level="global-default"}',
      ),
      0,
    );
    assert.deepEqual(more.codes, []);
  });
});

suite('unfinished bodies', () => {
  test('are limited for each user', async () => {
    await using server = await startApiServer({
      authorizationMode: ['AlwaysAllow'],
      maxBodyBytesInflight: 32 * 1024 * 1024,
    });
    await server.namespace('t');
    const halfBody = `"${'x'.repeat(900_000)}`;
    using bodies = await flood(server, { token: 'alicetoken', path: configMaps, count: 12, halfBody });
    await until('those beyond the bound are refused', () => bodies.codes.length >= 1);
    assert.deepEqual([...new Set(bodies.codes)], [429]);
    assert.deepEqual([...new Set(bodies.retries)], ['1']);
    const body = { metadata: { name: 'a' } };
    assert.equal((await server.call('POST', configMaps, { token: 'bobtoken', body })).code, 201);
    const { text } = await server.call('GET', '/metrics');
    assert.match(text, /^apiserver_flowcontrol_rejected_requests_total\{.*reason="body-bytes"\} [1-9]/m);
  });
});

suite('flow schemas', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer({ maxRequestsInflight: 1, maxMutatingRequestsInflight: 1 });
    await server.namespace('t');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const readUid = async (path: string) =>
    (await server.call('GET', `${flowControl}/${path}`)).json.metadata as unknown as { uid: string };
  const readFlow = async (token: string) => {
    const { headers } = await server.call('GET', '/version', { token });
    return [headers['x-kubernetes-pf-flowschema-uid'], headers['x-kubernetes-pf-prioritylevel-uid']];
  };
  const readUids = async (schema: string, level: string) => [
    (await readUid(`flowschemas/${schema}`)).uid,
    (await readUid(`prioritylevelconfigurations/${level}`)).uid,
  ];
  const readDangling = async (name: string) => {
    const { json } = await server.call('GET', `${flowControl}/flowschemas/${name}`);
    const { conditions } = (json.status ?? {}) as unknown as { conditions?: { status: string }[] };
    return conditions?.[0]?.status;
  };
  const createSchema = (name: string, level: string) => ({
    metadata: { name },
    spec: {
      matchingPrecedence: 50,
      priorityLevelConfiguration: { name: level },
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'alice' } }],
          resourceRules: [
            { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
          ],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
    },
  });

  test('are named in every answer', async () => {
    const usual = await readUids('global-default', 'global-default');
    const exempt = await readUids('exempt', 'exempt');
    await until(
      'the default configuration decides',
      async () => (await readFlow('alicetoken'))[0] === usual[0],
    );
    assert.deepEqual(await readFlow('alicetoken'), usual);
    assert.deepEqual(await readFlow('admintoken'), exempt);
    for (const [method, path, token] of [
      ['GET', configMaps, 'admintoken'],
      ['GET', configMaps, 'alicetoken'],
      ['GET', `${configMaps}/missing`, 'admintoken'],
      ['GET', '/nowhere', 'admintoken'],
      ['DELETE', '/version', 'admintoken'],
    ] as const) {
      const { headers } = await server.call(method, path, { token });
      const expected = token === 'admintoken' ? exempt : usual;
      assert.equal(headers['x-kubernetes-pf-flowschema-uid'], expected[0], path);
      assert.equal(headers['x-kubernetes-pf-prioritylevel-uid'], expected[1], path);
    }
    using watch = await server.watch(`${configMaps}?watch=1`);
    assert.equal(watch.headers['x-kubernetes-pf-flowschema-uid'], exempt[0]);
  });

  test('take effect when they are stored, and have a condition when their level is missing', async () => {
    const usual = await readFlow('alicetoken');
    const created = await server.call('POST', `${flowControl}/flowschemas`, {
      body: createSchema('isolated', 'isolated'),
    });
    assert.equal(created.code, 201);
    await until('it is dangling', async () => (await readDangling('isolated')) === 'True');
    assert.deepEqual(await readFlow('alicetoken'), usual);
    const level = await server.call('POST', `${flowControl}/prioritylevelconfigurations`, {
      body: {
        metadata: { name: 'isolated' },
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 1,
            borrowingLimitPercent: 0,
            limitResponse: { type: 'Reject' },
          },
        },
      },
    });
    assert.equal(level.code, 201);
    await until('it is not dangling', async () => (await readDangling('isolated')) === 'False');
    assert.deepEqual(await readFlow('alicetoken'), await readUids('isolated', 'isolated'));
    assert.deepEqual(await readFlow('bobtoken'), usual);
    const { generation } = (await server.call('GET', `${flowControl}/flowschemas/isolated`)).json
      .metadata as unknown as { generation: number };
    assert.equal(generation, 1, 'a status is no change of the specification');
  });

  test('do not wait for a body that will not be read', async () => {
    const halfBody = '{"metadata":{"name":';
    using bodies = await flood(server, { token: 'bobtoken', path: configMaps, count: 3, halfBody });
    await until('all are refused', () => bodies.codes.length === 3);
    assert.deepEqual(new Set(bodies.codes), new Set([403]));
  });

  test('are dangling again when their level is deleted', async () => {
    await server.call('DELETE', `${flowControl}/prioritylevelconfigurations/isolated`);
    await until('it is dangling', async () => (await readDangling('isolated')) === 'True');
    assert.deepEqual(await readFlow('alicetoken'), await readFlow('bobtoken'));
  });

  test('are listed in dumps for users with permission', async () => {
    const dump = (name: string, token: string) =>
      server.call('GET', `/debug/api_priority_and_fairness/${name}`, { token });
    for (const [name, first] of [
      [
        'dump_priority_levels',
        /^PriorityLevelName, +ActiveQueues, +IsIdle, +IsQuiescing, +WaitingRequests, /,
      ],
      ['dump_queues', /^PriorityLevelName, Index, +PendingRequests, ExecutingRequests, SeatsInUse, /],
      ['dump_requests', /^PriorityLevelName, +FlowSchemaName, +QueueIndex, +RequestIndexInQueue, /],
      ['dump_requests?includeRequestDetails=1', /AdditionalLatency, +UserName, +Verb, +APIPath, /],
    ] as const) {
      assert.equal((await dump(name, 'bobtoken')).code, 403);
      const { code, text } = await dump(name, 'admintoken');
      assert.equal(code, 200);
      assert.match(text, first);
      assert.match(text, /^exempt, +<none>/m);
    }
    const { text } = await dump('dump_priority_levels', 'admintoken');
    assert.match(text, /^global-default, +0, +true, +false, +0, +0, +[1-9]/m);
    assert.equal((await dump('dump_nothing', 'admintoken')).code, 404);
  });

  test('are measured', async () => {
    const { text } = await server.call('GET', '/metrics');
    for (const name of [
      'dispatched_requests_total',
      'current_inqueue_requests',
      'request_queue_length_after_enqueue_count',
      'request_concurrency_limit',
      'nominal_limit_seats',
      'lower_limit_seats',
      'upper_limit_seats',
      'current_limit_seats',
      'current_executing_requests',
      'request_concurrency_in_use',
      'request_wait_duration_seconds_count',
      'request_execution_seconds_count',
      'work_estimated_seats_count',
    ])
      assert.match(text, new RegExp(`^apiserver_flowcontrol_${name}\\{.*priority_level=`, 'm'), name);
  });
});

suite('with priority and fairness off', () => {
  test('no answer names a flow', async () => {
    await using server = await startApiServer({ enablePriorityAndFairness: false });
    const { headers } = await server.call('GET', '/version');
    assert.equal(headers['x-kubernetes-pf-flowschema-uid'], undefined);
    assert.equal((await server.call('GET', '/debug/api_priority_and_fairness/dump_queues')).code, 404);
  });
});
