import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type ApiServer, startApiServer, until } from './api-server.ts';

const configMaps = '/api/v1/namespaces/t/configmaps';

/** The values of a metric's series by their labels, as they are written. */
type Series = ReadonlyMap<string, number>;

suite('metrics', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer();
    await server.namespace('t');
  });
  after(() => server?.[Symbol.asyncDispose]());

  const scrape = async (): Promise<string> => {
    const answer = await server.call('GET', '/metrics');
    assert.equal(answer.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
    return answer.text;
  };
  const findSeries = (text: string, name: string): Series =>
    new Map(
      text.split('\n').flatMap((line): [string, number][] => {
        const match = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line);
        return match?.[1] === name ? [[match[2] ?? '', Number(match[3])]] : [];
      }),
    );
  const metric = async (name: string): Promise<Series> => findSeries(await scrape(), name);
  /** The sum of the series that have these labels. */
  const sum = (series: Series, ...labels: string[]): number =>
    [...series]
      .filter(([text]) => labels.every(label => `,${text},`.includes(`,${label},`)))
      .reduce((total, [, value]) => total + value, 0);
  const ofConfigMaps = 'resource="configmaps"';

  test('requests are counted by verb, scope, outcome and dry run', async () => {
    const body = { metadata: { name: 'a' } };
    const patch = (type: string, sent: unknown) =>
      server.call('PATCH', `${configMaps}/a?fieldManager=m`, {
        body: sent,
        headers: { 'Content-Type': type },
      });
    await server.call('POST', `${configMaps}?dryRun=All`, { body });
    await server.call('POST', configMaps, { body });
    await server.call('GET', `${configMaps}/a`);
    await server.call('GET', configMaps);
    await server.call('GET', '/api/v1/configmaps');
    await server.call('PUT', `${configMaps}/a`, { body });
    await patch('application/merge-patch+json', { data: { k: 'v' } });
    await patch('application/apply-patch+yaml', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a' },
    });
    await server.call('DELETE', `${configMaps}/a`);
    await server.call('GET', `${configMaps}/a`);
    await server.call('GET', configMaps, { token: 'bobtoken' });
    const total = await metric('apiserver_request_total');
    const labels = (await scrape())
      .match(/^apiserver_request_total\{([^}]*)\}/m)?.[1]
      ?.match(/[a-z_]+(?==)/g);
    assert.deepEqual(labels, [
      ...['code', 'component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'],
    ]);
    const cases: [string[], number][] = [
      [['verb="POST"', 'dry_run="All"', 'code="201"', 'scope="namespace"'], 1],
      [['verb="POST"', 'dry_run=""', 'code="201"', 'scope="namespace"'], 1],
      [['verb="GET"', 'code="200"', 'scope="resource"'], 1],
      [['verb="GET"', 'code="404"', 'scope="resource"'], 1],
      [['verb="LIST"', 'code="200"', 'scope="namespace"'], 1],
      [['verb="LIST"', 'code="403"', 'scope="namespace"'], 1],
      [['verb="PUT"', 'code="200"', 'component="apiserver"', 'version="v1"', 'group=""'], 1],
      [['verb="PATCH"', 'code="200"'], 1],
      [['verb="APPLY"', 'code="200"'], 1],
      [['verb="DELETE"', 'code="200"'], 1],
    ];
    for (const [wanted, count] of cases)
      assert.equal(sum(total, ofConfigMaps, ...wanted), count, wanted.join());
    assert.ok(sum(total, ofConfigMaps, 'verb="LIST"', 'scope="cluster"', 'code="200"') >= 1);
  });

  test('durations and sizes have the labels of the counter', async () => {
    const text = await scrape();
    for (const name of [
      'apiserver_request_duration_seconds',
      'apiserver_request_sli_duration_seconds',
      'apiserver_response_sizes',
    ]) {
      const count = sum(findSeries(text, `${name}_count`), ofConfigMaps, 'verb="GET"', 'scope="resource"');
      assert.equal(count, 2, name);
      const buckets = findSeries(text, `${name}_bucket`);
      assert.equal(sum(buckets, ofConfigMaps, 'verb="GET"', 'le="+Inf"'), 2, name);
    }
    assert.ok(sum(findSeries(text, 'apiserver_response_sizes_sum'), ofConfigMaps, 'verb="LIST"') > 0);
  });

  test('invalid values of clients create no series', async () => {
    const series = async () => {
      const names = (await scrape()).split('\n').map(line => line.replace(/ \S+$/, ''));
      // Controllers ask for groups, and list and watch every resource, under names of the system and when they get to it.
      const isOfClients = (name: string) =>
        (/[{,]resource=""/.test(name) && /[{,]group=""/.test(name)) ||
        (/[{,]resource="configmaps"/.test(name) && !/verb="(LIST|WATCH)"/.test(name)) ||
        /username="(?!system:)/.test(name);
      return names.filter(name => /^(apiserver_(request|response)_|authent)/.test(name) && isOfClients(name));
    };
    const calls: [string, string][] = [
      ['GET', '/nope'],
      ['GET', '/apis/nope.example.com/v1/foos'],
      ['GET', '/api/v1/namespaces/t/foos'],
      ['GET', '/api/v1/namespaces/t/configmaps/nope/nope'],
      ['POST', '/api/v1/namespaces/t/foos'],
      ['OPTIONS', configMaps],
      ['LOCK', configMaps],
      ['PROPFIND', '/api/v1/namespaces/t/foos'],
      ['GET', '/api/v1/namespaces/t/foos?dryRun=x'],
    ];
    const send = async (mark: string) => {
      for (const [method, path] of calls)
        await server.call(
          method,
          path.replaceAll(/nope|foos/g, word => word + mark),
        );
    };
    await send('');
    const before = await series();
    for (const mark of ['1', '2', '3']) await send(mark);
    assert.deepEqual(await series(), before);
    assert.equal(
      before.some(name => /nope|foos|LOCK|PROPFIND/.test(name)),
      false,
    );
  });

  test('watches are counted while they last, and their events by type and size', async () => {
    const open = ['verb="WATCH"', ofConfigMaps, 'scope="namespace"'];
    const before = sum(await metric('apiserver_longrunning_requests'), ...open);
    const watch = await server.watch(`${configMaps}?watch=1&resourceVersion=0`);
    await until(
      'the watch counts',
      async () => sum(await metric('apiserver_longrunning_requests'), ...open) === before + 1,
    );
    await server.call('POST', configMaps, { body: { metadata: { name: 'seen' } } });
    await until('the event', () => watch.events.some(({ object }) => object.metadata.name === 'seen'));
    const labels = ['kind="ConfigMap"', 'group=""', 'version="v1"'];
    assert.ok(sum(await metric('apiserver_watch_events_total'), ...labels) >= 1);
    assert.ok(sum(await metric('apiserver_watch_events_sizes_sum'), ...labels) > 50);
    watch[Symbol.dispose]();
    await until(
      'it counts no more',
      async () => sum(await metric('apiserver_longrunning_requests'), ...open) === before,
    );
    assert.ok(sum(await metric('apiserver_request_total'), ...open, 'code="200"') >= 1);
  });

  test('each stage of an event on its way to watchers is measured', async () => {
    const counts = await metric('binnacle_watch_event_stage_seconds_count');
    for (const stage of ['published', 'received', 'written'])
      assert.ok(sum(counts, `stage="${stage}"`) >= 1, stage);
  });

  test('authentication is counted by result, and requests by kind of user without names', async () => {
    await server.call('GET', '/api', { token: 'wrong' });
    await server.call('GET', '/api', { token: null });
    await server.call('GET', '/api', { token: 'alicetoken' });
    const text = await scrape();
    const attempts = findSeries(text, 'authentication_attempts');
    assert.equal(sum(attempts, 'result="failure"'), 1);
    assert.ok(sum(attempts, 'result="success"') > 2);
    assert.ok(sum(findSeries(text, 'authentication_duration_seconds_count'), 'result="success"') > 2);
    const users = findSeries(text, 'authenticated_user_requests');
    assert.ok(sum(users, 'username="system:anonymous"') >= 1);
    assert.ok(sum(users, 'username="other"') >= 1);
    assert.equal([...users.keys()].join().includes('alice'), false);
    const cache = findSeries(text, 'authentication_token_cache_request_total');
    assert.ok(sum(cache, 'status="miss"') >= 1);
    assert.ok(findSeries(text, 'authentication_token_cache_active_fetch_count').has('status="in_flight"'));
  });

  test('objects of each type are counted, and requests to the store measured', async () => {
    // The level is taken now and then; one of the two is the server's own.
    await until('the level', async () => sum(await metric('apiserver_storage_objects'), ofConfigMaps) === 2);
    const text = await scrape();
    const store = findSeries(text, 'etcd_request_duration_seconds_count');
    for (const operation of ['create', 'update', 'delete'])
      assert.ok(sum(store, `operation="${operation}"`, 'type="configmaps"') >= 1, operation);
    assert.ok(sum(findSeries(text, 'apiserver_storage_list_total')) >= 1);
  });

  test('admission is measured by plugin and by phase', async () => {
    const text = await scrape();
    const plugins = findSeries(text, 'apiserver_admission_controller_admission_duration_seconds_count');
    assert.ok(sum(plugins, 'name="NamespaceLifecycle"', 'type="admit"', 'rejected="false"') >= 1);
    const phases = findSeries(text, 'apiserver_admission_step_admission_duration_seconds_count');
    for (const type of ['admit', 'validate'])
      assert.ok(sum(phases, `type="${type}"`, 'operation="CREATE"') >= 1, type);
  });

  test('requests in progress are a gauge that returns to its earlier value', async () => {
    // Controllers write now and then, too.
    await until('nothing is under way', async () =>
      [...(await metric('apiserver_current_inflight_requests'))].every(([, value]) => value === 0),
    );
  });

  test('metrics need a permission', async () => {
    assert.equal((await server.call('GET', '/metrics', { token: 'bobtoken' })).code, 403);
    assert.equal((await server.call('GET', '/metrics', { token: null })).code, 403);
  });
});
