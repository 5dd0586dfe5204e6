import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { createLogger } from '@binnacle/telemetry';
import { type ApiServer, startApiServer } from './api-server.ts';
import { shareApiServer } from './shared-server.ts';

const beta = '/apis/flowcontrol.apiserver.cluster.io/v1beta2';

interface LogLine {
  readonly message: string;
  readonly path: string;
  readonly user: string;
  readonly annotations: Record<string, string>;
}

suite('a deprecated version', () => {
  let server: ApiServer;
  const lines: LogLine[] = [];
  before(async () => {
    const log = createLogger({ sink: line => lines.push(JSON.parse(line)) });
    server = await startApiServer({ log, accessLog: 'annotated' });
  });
  after(() => server?.[Symbol.asyncDispose]());
  const metric = async (name: string) =>
    (await server.call('GET', '/metrics')).text.split('\n').filter(line => line.startsWith(`${name}{`));

  test('is not counted before the first request', async () => {
    await server.call('GET', '/api/v1/namespaces/default/configmaps');
    assert.deepEqual(await metric('apiserver_requested_deprecated_apis'), []);
  });

  test('causes one warning to the client for every verb', async () => {
    const body = { metadata: { name: 'x' }, spec: { priorityLevelConfiguration: { name: 'exempt' } } };
    const answers = [
      await server.call('POST', `${beta}/flowschemas`, { body }),
      await server.call('GET', `${beta}/flowschemas`),
      await server.call('GET', `${beta}/flowschemas/x`),
      await server.call('PUT', `${beta}/flowschemas/x/status`, { body }),
      await server.call('GET', `${beta}/flowschemas/missing`),
      await server.call('DELETE', `${beta}/flowschemas/x`),
    ];
    for (const { headers, code } of answers) {
      assert.match(
        String(headers['warning']),
        /^299 - "flowcontrol.apiserver.cluster.io\/v1beta2 FlowSchema is deprecated in v1.26\+, unavailable in v1.29\+; use [^"]*v1beta3 FlowSchema"$/,
        String(code),
      );
    }
    using watch = await server.watch(`${beta}/flowschemas?watch=1`);
    assert.match(String(watch.headers['warning']), /deprecated/);
    const statuses = await server.call('GET', '/api/v1/componentstatuses');
    assert.match(String(statuses.headers['warning']), /^299 - "v1 ComponentStatus is deprecated in v1.19\+/);
  });

  test('is a gauge of 1 for each resource, with the release of its removal', async () => {
    const shown = await metric('apiserver_requested_deprecated_apis');
    const group = 'flowcontrol.apiserver.cluster.io';
    for (const labels of [
      `group="${group}",removed_release="1.29",resource="flowschemas",subresource="",version="v1beta2"`,
      `group="${group}",removed_release="1.29",resource="flowschemas",subresource="status",version="v1beta2"`,
      'group="",removed_release="",resource="componentstatuses",subresource="",version="v1"',
    ]) {
      assert.ok(
        shown.includes(`apiserver_requested_deprecated_apis{${labels}} 1`),
        `${labels}\n${shown.join('\n')}`,
      );
    }
    // The counter of requests has the same labels, so that both can be joined.
    const totals = await metric('apiserver_request_total');
    assert.ok(
      totals.some(
        line =>
          line.includes(`group="${group}"`) &&
          line.includes('resource="flowschemas"') &&
          line.includes('version="v1beta2"'),
      ),
    );
  });

  test('is an annotation of the request in the access log', () => {
    const line = lines.find(({ path }) => path === `${beta}/flowschemas/x`);
    assert.equal(line?.message, 'request');
    assert.equal(line.user, 'admin');
    assert.deepEqual(line.annotations, {
      'cluster.io/deprecated': 'true',
      'cluster.io/removed-release': '1.29',
    });
    assert.equal(
      lines.some(({ path = '' }) => path.endsWith('/configmaps')),
      false,
    );
  });
});

const removed = [
  '/apis/extensions/v1beta1',
  '/apis/apps/v1beta1',
  '/apis/apps/v1beta2',
  '/apis/rbac.authorization.cluster.io/v1beta1',
  '/apis/scheduling.cluster.io/v1beta1',
  '/apis/policy/v1beta1',
  '/apis/autoscaling/v2beta2',
  '/apis/batch/v1beta1',
  '/apis/networking.cluster.io/v1beta1',
  '/apis/apiextensions.cluster.io/v1beta1',
  '/apis/admissionregistration.cluster.io/v1beta1',
];

test('removed versions are not served', async () => {
  await using server = await shareApiServer();
  for (const path of removed) assert.equal((await server.call('GET', path)).code, 404, path);
  const paths = [
    '/apis/extensions/v1beta1/namespaces/default/deployments',
    '/apis/apps/v1beta2/namespaces/default/deployments',
    '/apis/rbac.authorization.cluster.io/v1beta1/clusterroles',
    '/apis/storage.cluster.io/v1beta1/storageclasses',
    '/apis/storage.cluster.io/v1beta1/csidrivers',
  ];
  for (const path of paths) assert.equal((await server.call('GET', path)).code, 404, path);
});
