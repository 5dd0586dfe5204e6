import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { annotations, vocabulary } from '@binnacle/api-names';
import { featureGatesFrom } from '@binnacle/flags/testing';
import { type ApiServer, type Call, startApiServer, until } from './api-server.ts';

/** The domain that the other vocabulary has, which no reader of tests may take for the own one. */
const foreign = ['cluster', 'io'].join('.');
const foreignProtobuf = ['application/vnd', 'cluster', 'protobuf'].join('.');

const ingress = (apiVersion: string) => ({
  apiVersion,
  kind: 'Ingress',
  metadata: { name: 'a' },
  spec: { defaultBackend: { service: { name: 'a', port: { number: 1 } } } },
});
const ingresses = '/apis/networking.k8s.io/v1/namespaces/t/ingresses';
const accepting = (accept: string): Call => ({ headers: { accept } });

/** Requests in the names of the other vocabulary, and their refusals. */
const refused: readonly (readonly [what: string, code: number, method: string, path: string, sent?: Call])[] =
  [
    ['a group', 404, 'GET', `/apis/networking.${foreign}`],
    ['objects of a group', 404, 'GET', `/apis/networking.${foreign}/v1/ingresses`],
    ['an object of a group', 400, 'POST', ingresses, { body: ingress(`networking.${foreign}/v1`) }],
    [
      'a configuration of a group',
      400,
      'PATCH',
      `${ingresses}/a?fieldManager=m`,
      {
        body: ingress(`networking.${foreign}/v1`),
        headers: { 'content-type': 'application/apply-patch+yaml' },
      },
    ],
    ['an answer in protobuf', 406, 'GET', '/api/v1/namespaces', accepting(foreignProtobuf)],
    [
      'a body in protobuf',
      415,
      'POST',
      '/api/v1/namespaces',
      { body: 'k8s', headers: { 'content-type': foreignProtobuf } },
    ],
    [
      'a table',
      406,
      'GET',
      '/api/v1/namespaces',
      accepting(`application/json;as=Table;v=v1;g=meta.${foreign}`),
    ],
    [
      'all of discovery in one document',
      406,
      'GET',
      '/apis',
      accepting(`application/json;as=APIGroupDiscoveryList;v=v2beta1;g=apidiscovery.${foreign}`),
    ],
  ];

suite(
  'names of the other vocabulary under kubernetes',
  { skip: vocabulary !== 'kubernetes' && 'the names of both are known' },
  () => {
    let server: ApiServer;
    before(async () => {
      server = await startApiServer({ featureGates: featureGatesFrom('AggregatedDiscoveryEndpoint=true') });
      await server.namespace('t');
    });
    after(() => server?.[Symbol.asyncDispose]());

    test('a new server lists no names of the other domain', async () => {
      const root: { paths: string[] } = JSON.parse((await server.call('GET', '/')).text);
      const documents = root.paths.filter(path => !/^\/(livez|readyz|healthz)/.test(path));
      const lists = ['namespaces', 'services', 'endpoints', 'configmaps', 'secrets', 'serviceaccounts'];
      const paths = [
        ...documents,
        ...lists.map(resource => `/api/v1/${resource}`),
        ...['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'].map(
          resource => `/apis/rbac.authorization.k8s.io/v1/${resource}`,
        ),
        '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas',
        '/apis/flowcontrol.apiserver.k8s.io/v1beta3/prioritylevelconfigurations',
        '/apis/scheduling.k8s.io/v1/priorityclasses',
        '/apis/apiregistration.k8s.io/v1/apiservices',
        '/apis/coordination.k8s.io/v1/leases',
        '/apis/discovery.k8s.io/v1/endpointslices',
      ];
      for (const path of paths) {
        const { text } = await server.call('GET', path);
        const found = text.split(/[\s",]+/).filter(word => word.includes(foreign));
        assert.deepEqual(found, [], path);
      }
    });

    for (const [what, code, method, path, sent] of refused)
      test(`${what} is refused with ${code}`, async () => {
        const answer = await server.call(method, path, sent);
        assert.equal(answer.code, code, answer.text);
      });

    test('messages about accepted objects use the names of this vocabulary', async () => {
      const { text } = await server.call('GET', '/api/v1/namespaces', accepting(foreignProtobuf));
      assert.match(text, /application\/vnd\.kubernetes\.protobuf/);
      assert.ok(!text.includes(foreignProtobuf), text);
    });

    test('the bookmark after initial events has one annotation', async () => {
      const query =
        'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      using stream = await server.watch(`/api/v1/namespaces/t/configmaps?${query}`);
      await until('the bookmark', () => stream.events.some(({ type }) => type === 'BOOKMARK'));
      const bookmark = stream.events.find(({ type }) => type === 'BOOKMARK');
      const expected = { [annotations.initialEventsEnd]: 'true' };
      assert.deepEqual(bookmark?.object.metadata.annotations, expected);
    });

    test('labels, annotations and finalizers of the other domain are ordinary names', async () => {
      const names = { [`${foreign}/a`]: 'x', [`pod-security.${foreign}/enforce`]: 'anything' };
      const metadata = { name: 'x', labels: names, annotations: names, finalizers: [`${foreign}/a`] };
      const { code, json, text } = await server.call('POST', '/api/v1/namespaces', { body: { metadata } });
      assert.equal(code, 201);
      assert.deepEqual(json.metadata.labels, { ...names, 'kubernetes.io/metadata.name': 'x' });
      assert.deepEqual(JSON.parse(text).spec, { finalizers: ['kubernetes'] });
    });
  },
);
