import { groups, mediaTypes } from '@binnacle/api-names';
import type { JsonValue } from '@binnacle/api-objects';
import { connectionResets } from './connection-resets.ts';
import {
  configMap,
  custom,
  definition,
  json,
  members,
  ordinaryPod,
  podWithVariables,
  protobuf,
  yamlConfigMap,
} from './heavy-bodies.ts';
import type { HeavyRequest } from './heavy-request.ts';
import { conversions, reviews } from './hooked-requests.ts';
import { longObjects } from './long-objects.ts';
import { manyObjects } from './many-objects.ts';
import { patternRequests } from './pattern-requests.ts';

const namespace = '/api/v1/namespaces/stalls';
const configMaps = `${namespace}/configmaps`;
const customs = '/apis/stalls.example.com/v1/namespaces/stalls';
const protobufType = mediaTypes.protobuf;
const mergePatch = 'application/merge-patch+json';

function reading(name: string, path: string, accept = 'application/json'): HeavyRequest {
  return { name, method: 'GET', path, accept };
}

const lists: readonly HeavyRequest[] = [
  reading('list of 2,500 pods, JSON', `${namespace}/pods`),
  reading('list of 2,500 pods, indented JSON', `${namespace}/pods?pretty=1`),
  reading('list of 2,500 pods, YAML', `${namespace}/pods`, 'application/yaml'),
  reading('list of 2,500 pods, protobuf', `${namespace}/pods`, protobufType),
  reading(
    'list of 2,500 pods, Table',
    `${namespace}/pods`,
    `application/json;as=Table;v=v1;g=${groups.meta}`,
  ),
  reading(
    'list of 2,500 pods, metadata',
    `${namespace}/pods`,
    `application/json;as=PartialObjectMetadataList;v=v1;g=${groups.meta}`,
  ),
  reading('list of 2,500 pods by a field', `${namespace}/pods?fieldSelector=spec.nodeName%3Dx`),
  reading('list of 2,500 pods from storage', `${namespace}/pods?labelSelector=app%3Dweb&limit=2400`),
  reading('list of 20,000 config maps, JSON', configMaps),
  reading('JSONPath columns', `${customs}/columns`, `application/json;as=Table;v=v1;g=${groups.meta}`),
];

const bodies: readonly HeavyRequest[] = [
  write('200,000 keys, JSON', () => json(configMap('a', 200_000))),
  write('200,000 keys, YAML', () => yamlConfigMap('a', 200_000), 'application/yaml'),
  write('200,000 keys, protobuf', () => protobuf('configmaps', configMap('a', 200_000)), protobufType),
  write('50,000 keys, JSON', () => json(configMap('a', 50_000))),
  write('50,000 keys, protobuf', () => protobuf('configmaps', configMap('a', 50_000)), protobufType),
  patch('merge patch of 200,000 keys', mergePatch, () => json({ data: members('k', 200_000) })),
  patch('100,000 labels', mergePatch, () => json({ metadata: { labels: members('k', 100_000) } })),
  {
    ...patch('strategic merge of 50,000 items', 'application/strategic-merge-patch+json', () =>
      json({ spec: podWithVariables('a', 50_000)['spec'] }),
    ),
    path: `${namespace}/pods/pod-0`,
  },
  {
    ...write('set of 100,000', () =>
      json(custom('sets', 'a', { values: Array.from({ length: 100_000 }, (_, i) => `v${i}`) })),
    ),
    path: `${customs}/sets`,
  },
  write(
    '1,500,000 empty finalizers, protobuf',
    () => {
      const finalizers = new Array<string>(1_500_000).fill('');
      return protobuf('configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'a', finalizers },
      });
    },
    protobufType,
  ),
  write('nested keys, YAML', () => Buffer.from('? '.repeat(500)), 'application/yaml'),
  write('nested flow keys, YAML', () => Buffer.from('{? ['.repeat(250)), 'application/yaml'),
  {
    ...write('anyOf nested five deep', () =>
      json(custom('choices', 'a', { list: new Array<string>(500).fill('x') })),
    ),
    path: `${customs}/choices`,
  },
  {
    ...write('pod of 10,000 variables', () => json(podWithVariables('big', 10_000))),
    path: `${namespace}/pods?dryRun=All`,
  },
];

/** Clients that each write their own key of one object. */
const shared: readonly HeavyRequest[] = [
  ofShared('merge patches', mergePatch, client => ({ data: { [`c${client}`]: String(Date.now()) } })),
  ofShared('JSON patches', 'application/json-patch+json', client => [
    { op: 'add', path: `/data/c${client}`, value: String(Date.now()) },
  ]),
  ofShared('applies', 'application/apply-patch+yaml', client => ({
    ...configMap('shared', 0),
    data: { [`a${client}`]: String(Date.now()) },
  })),
];

const documents: readonly HeavyRequest[] = [
  { ...reading('OpenAPI v2 after a change', '/openapi/v2'), before: newDefinition('a') },
  {
    ...reading('OpenAPI v3 of a group', '/openapi/v3/apis/stalls.example.com/v1'),
    before: newDefinition('b'),
  },
  { ...reading('OpenAPI v3 index', '/openapi/v3'), before: newDefinition('c') },
  { ...reading('discovery of a group', '/apis/stalls.example.com/v1'), before: newDefinition('d') },
  reading('metrics', '/metrics', 'text/plain'),
];

const deletion: readonly HeavyRequest[] = [
  { name: 'deletion of 2,500 pods', method: 'DELETE', path: `${namespace}/pods` },
];

/** Every heavy request, in the order in which they run. */
export const heavyRequests: readonly HeavyRequest[] = [
  ...lists,
  ...bodies,
  ...shared,
  ...documents,
  ...longObjects,
  ...conversions,
  ...reviews,
  ...patternRequests,
  ...connectionResets,
  ...manyObjects,
  ...deletion,
];

function newDefinition(prefix: string): NonNullable<HeavyRequest['before']> {
  return run => [
    {
      method: 'POST',
      path: `/apis/${groups.apiextensions}/v1/customresourcedefinitions`,
      body: json(definition(`${prefix}${Date.now()}${run}`, { type: 'object' })),
    },
  ];
}

function write(name: string, body: () => Buffer, type = 'application/json'): HeavyRequest {
  return { name, method: 'POST', path: `${configMaps}?dryRun=All`, type, body };
}

function patch(name: string, type: string, body: () => Buffer): HeavyRequest {
  return { name, method: 'PATCH', path: `${configMaps}/object-0?dryRun=All`, type, body };
}

function ofShared(name: string, type: string, body: (client: number) => JsonValue): HeavyRequest {
  return {
    name: `${name} of one object of 300 keys by 16 clients`,
    method: 'PATCH',
    path: `${configMaps}/shared?fieldManager=stalls`,
    type,
    clients: 16,
    body: client => json(body(client)),
    before: () => [{ method: 'POST', path: configMaps, body: json(configMap('shared', 300)) }],
  };
}

/** The objects of the lists. */
export const ordinaryObjects = {
  pods: { path: `${namespace}/pods`, count: 2_500, object: ordinaryPod },
  configMaps: {
    path: configMaps,
    count: 20_000,
    object: (name: string) => ({ ...configMap(name, 0), data: { text: 'x'.repeat(1_000) } }),
  },
};
