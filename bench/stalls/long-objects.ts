import { extensions, groups, mediaTypes } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { configMap, custom, definition, json, members, yamlConfigMap } from './heavy-bodies.ts';
import type { HeavyRequest, SentRequest } from './heavy-request.ts';

/** Near the most values that an object may have. */
const mostValues = 24_850;
const configMaps = '/api/v1/namespaces/stalls/configmaps';
const customs = '/apis/stalls.example.com/v1/namespaces/stalls';
const definitions = `/apis/${groups.apiextensions}/v1/customresourcedefinitions`;
const yaml = 'application/yaml';
const table = `application/json;as=Table;v=v1;g=${groups.meta}`;
const mergePatch = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const applyPatch = 'application/apply-patch+yaml';

/** A definition of a kind whose objects may hold anything, with a scale and a column. */
const freeKind: JsonObject = definition(
  'frees',
  {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        [extensions.preserveUnknownFields]: true,
        properties: { replicas: { type: 'integer' } },
      },
      status: { type: 'object', properties: { replicas: { type: 'integer' } } },
    },
  },
  {
    subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
    additionalPrinterColumns: [{ name: 'Any', type: 'string', jsonPath: '..value' }],
  },
);

function post(path: string, object: JsonObject): SentRequest {
  return { method: 'POST', path, body: json(object) };
}

/** Objects of three values each, so many that one holds the most values. */
function listItems(): JsonObject[] {
  return Array.from({ length: 8200 }, (_, i) => ({ name: `item-${i}`, value: `value of item ${i}` }));
}

function* longObjectsThere(): Iterable<SentRequest> {
  yield post(definitions, freeKind);
  yield post(configMaps, configMap('long', mostValues));
  const data = Object.fromEntries(
    Array.from({ length: mostValues }, (_, i) => [`key-${i}`, `value ${i}\nof it: #`]),
  );
  yield post(configMaps, { ...configMap('texts', 0), data });
  yield post(configMaps, { ...configMap('lines', 0), data: { text: 'a line of text: #\n'.repeat(55_000) } });
  yield post(`${customs}/frees`, custom('frees', 'long', { spec: { replicas: 1, items: listItems() } }));
}

function reading(name: string, path: string, accept: string): HeavyRequest {
  return { name, method: 'GET', path, accept, setup: longObjectsThere };
}

const readings: readonly HeavyRequest[] = [
  reading('24,850 keys as JSON', `${configMaps}/long`, 'application/json'),
  reading('24,850 keys as indented JSON', `${configMaps}/long?pretty=1`, 'application/json'),
  reading('24,850 keys as YAML', `${configMaps}/long`, yaml),
  reading('24,850 keys with texts as YAML', `${configMaps}/texts`, yaml),
  reading('one text of 55,000 lines as YAML', `${configMaps}/lines`, yaml),
  reading('24,850 keys as protobuf', `${configMaps}/long`, mediaTypes.protobuf),
  reading('24,850 keys as Table', `${configMaps}/long?includeObject=Object`, table),
  reading('8,200 items as YAML', `${customs}/frees/long`, yaml),
  reading('8,200 items as Table', `${customs}/frees/long`, table),
  reading('8,200 items as Table with the object', `${customs}/frees/long?includeObject=Object`, table),
  reading('8,200 items, scale', `${customs}/frees/long/scale`, 'application/json'),
  reading('list of long objects as YAML', `${customs}/frees`, yaml),
];

const writings: readonly HeavyRequest[] = [
  {
    name: '24,850 keys from YAML',
    method: 'POST',
    path: `${configMaps}?dryRun=All`,
    type: yaml,
    body: () => yamlConfigMap('a', mostValues),
  },
  {
    name: 'scale of 8,200 items patched',
    method: 'PATCH',
    path: `${customs}/frees/long/scale`,
    type: mergePatch,
    setup: longObjectsThere,
    body: (_, run) => json({ spec: { replicas: run + 2 } }),
  },
  {
    name: 'merge patch of one of 24,850 keys',
    method: 'PATCH',
    path: `${configMaps}/long`,
    type: mergePatch,
    setup: longObjectsThere,
    body: (_, run) => json({ data: { k0: String(run) } }),
  },
  {
    name: '40 copies of a map of 4,500',
    method: 'PATCH',
    path: `${customs}/frees/copied?dryRun=All`,
    type: jsonPatch,
    setup: function* () {
      yield post(definitions, freeKind);
      yield post(`${customs}/frees`, custom('frees', 'copied', { spec: { a: members('k', 4_500) } }));
    },
    body: () => json(Array.from({ length: 40 }, () => ({ op: 'copy', from: '/spec/a', path: '/spec/b' }))),
  },
  {
    name: '10,000 operations on 12,000 keys',
    method: 'PATCH',
    path: `${configMaps}/long?dryRun=All`,
    type: jsonPatch,
    setup: longObjectsThere,
    body: () =>
      json(Array.from({ length: 10_000 }, (_, i) => ({ op: 'replace', path: `/data/k${i}`, value: 'b' }))),
  },
];

/** An object with a manager of so many fields, most of which are not there. */
function withManager(name: string, fields: number): JsonObject {
  const fieldsV1 = {
    'f:data': Object.fromEntries(Array.from({ length: fields }, (_, i) => [`f:k${i}`, {}])),
  };
  const entry = { manager: 'one', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 };
  const object = configMap(name, 10);
  return {
    ...object,
    metadata: { name, managedFields: [{ ...entry, time: '2024-01-01T00:00:00Z' }] },
  };
}

function* managersThere(): Iterable<SentRequest> {
  yield post(configMaps, withManager('managed', 95_000));
}

function ofManaged(name: string, type: string, body: (run: number) => JsonObject): HeavyRequest {
  return {
    name: `manager of 95,000 fields, ${name}`,
    method: type === 'application/json' ? 'PUT' : 'PATCH',
    path: `${configMaps}/managed?fieldManager=${type.includes('apply') ? 'applier' : 'stalls'}`,
    type,
    setup: managersThere,
    before: () => managersThere(),
    body: (_, run) => json(body(run)),
  };
}

function withData(data: JsonObject): JsonObject {
  return { ...configMap('managed', 0), data };
}

const managers: readonly HeavyRequest[] = [
  { ...reading('manager of 95,000 fields as YAML', `${configMaps}/managed`, yaml), setup: managersThere },
  ofManaged('PUT', 'application/json', run => withData({ ...members('k', 10), k1: String(run) })),
  ofManaged('PUT with the entry', 'application/json', run => ({
    ...withManager('managed', 95_000),
    data: { ...members('k', 10), k1: String(run) },
  })),
  ofManaged('merge patch', mergePatch, run => ({ data: { k2: String(run) } })),
  ofManaged('merge patch of metadata', mergePatch, run => ({ metadata: { labels: { run: String(run) } } })),
  ofManaged('apply', applyPatch, run => withData({ own: String(run) })),
];

/** A range of keys, as a manager applies them. */
function keys(from: number, count: number, value: string): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${from + i}`, value]));
}

function* heldByEight(): Iterable<SentRequest> {
  for (let manager = 0; manager < 8; manager++)
    yield {
      method: 'PATCH',
      path: `${configMaps}/held?fieldManager=m${manager}&force=true`,
      type: applyPatch,
      body: json({ ...configMap('held', 0), data: keys(manager * 2200, 9_000, 'a') }),
    };
}

function ofHeld(name: string, query: string, data: (run: number) => JsonObject): HeavyRequest {
  return {
    name: `24,400 keys held by 8 managers, ${name}`,
    method: 'PATCH',
    path: `${configMaps}/held?${query}`,
    type: applyPatch,
    setup: heldByEight,
    body: (_, run) => json({ ...configMap('held', 0), data: data(run) }),
  };
}

const held: readonly HeavyRequest[] = [
  ofHeld('applied by one', 'fieldManager=m0&force=true&dryRun=All', () => keys(0, 24_400, 'a')),
  ofHeld('changed by one', 'fieldManager=m0&force=true&dryRun=All', () => keys(0, 24_400, 'b')),
  ofHeld('conflicts', 'fieldManager=other&dryRun=All', () => keys(0, 24_400, 'c')),
  ofHeld('one left out', 'fieldManager=m0&force=true&dryRun=All', run => keys(1 + run, 23_000, 'a')),
];

/** Requests about one long object. */
export const longObjects: readonly HeavyRequest[] = [...readings, ...writings, ...managers, ...held];
