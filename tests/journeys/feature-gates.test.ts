import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type ApiServer, startApiServer, until } from './api-server.ts';
import { establish, widgets } from './custom-widget.ts';

const configMaps = '/api/v1/namespaces/t/configmaps';

suite('with features switched off', () => {
  let server: ApiServer;
  before(async () => {
    server = await startApiServer({ featureGates: featureGatesFrom('AllBeta=false') });
    await server.namespace('t');
    for (const name of ['a', 'b', 'c'])
      await server.call('POST', configMaps, { body: { metadata: { name } } });
  });
  after(() => server?.[Symbol.asyncDispose]());

  test('lists are not chunked', async () => {
    const { json } = await server.call('GET', `${configMaps}?limit=1`);
    assert.equal(json.items.length, 3);
    assert.equal(json.metadata.continue, undefined);
    assert.equal((await server.call('GET', `${configMaps}?continue=nonsense`)).code, 200);
  });

  test('unknown fields are dropped silently, whatever fieldValidation is requested', async () => {
    for (const query of ['', '?fieldValidation=Warn', '?fieldValidation=Strict']) {
      const body = { metadata: { name: `f${query.length}` }, bogus: 1 };
      const answer = await server.call('POST', configMaps + query, { body });
      assert.deepEqual([answer.code, answer.headers['warning']], [201, undefined], query);
      assert.doesNotMatch(answer.text, /bogus/);
    }
  });

  test('there are no OpenAPI v3 documents', async () => {
    assert.equal((await server.call('GET', '/openapi/v3')).code, 404);
    assert.equal((await server.call('GET', '/openapi/v2')).code, 200);
    const { paths } = JSON.parse((await server.call('GET', '/')).text);
    assert.equal(paths.includes('/openapi/v3'), false);
  });

  test('OpenAPI documents and discovery have neither storage hashes nor enumerations, except for custom kinds', async () => {
    await establish(server, widgets);
    const discovered = await server.call('GET', '/api/v1');
    assert.equal(discovered.code, 200);
    assert.doesNotMatch(discovered.text, /storageVersionHash/);
    const { definitions } = JSON.parse((await server.call('GET', '/openapi/v2')).text);
    const { imagePullPolicy } = definitions['io.cluster.api.core.v1.Container'].properties;
    assert.deepEqual([imagePullPolicy.type, imagePullPolicy.enum], ['string', undefined]);
    const { spec } = definitions['com.example.shop.v1.Widget'].properties;
    assert.deepEqual(spec.properties.colour.enum, ['red', 'green']);
  });

  test('pods have at most six search domains, no huge pages in files, and unvalidated deletion costs', async () => {
    const file = { path: 'p', resourceFieldRef: { containerName: 'c', resource: 'limits.hugepages-2Mi' } };
    const pod = (metadata: object, spec: object) => ({
      metadata: { name: 'p', ...metadata },
      spec: { serviceAccountName: 'default', containers: [{ name: 'c', image: 'i' }], ...spec },
    });
    const pods = '/api/v1/namespaces/t/pods?dryRun=All';
    await until('pods can be created', async () => {
      const { code } = await server.call('POST', pods, { body: pod({}, {}) });
      return code === 201;
    });
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': 'x' };
    for (const [code, body] of [
      [422, pod({}, { dnsConfig: { searches: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] } })],
      [422, pod({}, { volumes: [{ name: 'v', downwardAPI: { items: [file] } }] })],
      [201, pod({ annotations }, {})],
    ] as const) {
      const answer = await server.call('POST', pods, { body });
      assert.equal(answer.code, code, answer.text);
    }
  });

  test('metrics show which features are on', async () => {
    const { text } = await server.call('GET', '/metrics');
    assert.match(text, /^kubernetes_feature_enabled\{name="APIListChunking",stage="BETA"\} 0$/m);
    assert.match(text, /^kubernetes_feature_enabled\{name="ServerSideApply",stage=""\} 1$/m);
  });
});

test('chunks have no remainingItemCount', async () => {
  await using server = await startApiServer({ featureGates: featureGatesFrom('RemainingItemCount=false') });
  await server.namespace('t');
  for (const name of ['a', 'b']) await server.call('POST', configMaps, { body: { metadata: { name } } });
  const { json } = await server.call('GET', `${configMaps}?limit=1`);
  assert.ok(json.metadata.continue);
  assert.equal(json.metadata.remainingItemCount, undefined);
});

suite('--runtime-config', () => {
  test('serves the named versions and nothing else of what it switches off', async () => {
    await using server = await startApiServer({
      runtimeConfig: 'batch/v1=false,batch/v1/jobs,apps/v1/deployments=false,api/beta=false',
    });
    const names = async (path: string) =>
      (await server.call('GET', path)).json.resources
        .map(({ name }) => name)
        .filter(name => !name.includes('/'));
    assert.deepEqual(await names('/apis/batch/v1'), ['jobs']);
    assert.equal((await names('/apis/apps/v1')).includes('deployments'), false);
    const gone = await server.call('GET', '/apis/apps/v1/namespaces/default/deployments');
    assert.deepEqual([gone.code, gone.json.reason], [404, 'NotFound']);
    assert.equal((await server.call('GET', '/apis/storage.cluster.io/v1beta1')).code, 404);
    const { text } = await server.call('GET', '/openapi/v2');
    assert.equal(text.includes('/apis/batch/v1/namespaces/{namespace}/cronjobs'), false);
    assert.equal(text.includes('/apis/batch/v1/namespaces/{namespace}/jobs'), true);
  });
});
