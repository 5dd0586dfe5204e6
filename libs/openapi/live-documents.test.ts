import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import {
  createLiveTypeRegistry,
  createTypeRegistry,
  customDefinitionFrom,
  customTypesFrom,
} from '@binnacle/api-types';
import { createLiveOpenApiDocuments } from './live-documents.ts';

const registry = createLiveTypeRegistry(createTypeRegistry());
const documents = createLiveOpenApiDocuments(registry, { serverVersion: 'v1.26.0' });

function define(group: string, spec: JsonObject, more: JsonObject = {}): void {
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const openAPIV3Schema = { type: 'object', description: 'A widget.', properties: { spec }, ...more };
  const definition: ApiObject = {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema },
          subresources: { status: {} },
        },
      ],
    },
    status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
  };
  registry.put(`widgets.${group}`, customTypesFrom(customDefinitionFrom(definition)));
}

async function readPart(path: string) {
  const part = await documents.v3Part(path);
  assert.ok(part, path);
  return { hash: part.document.hash, json: JSON.parse(part.document.bytes.toString()) };
}

const spec = {
  type: 'object',
  properties: {
    size: { type: 'integer', default: 1, nullable: true },
    free: { type: 'object', 'x-cluster-preserve-unknown-fields': true },
  },
};

test('an added type has documents that change with its schema, and documents of other groups do not change', async () => {
  const before = JSON.parse((await documents.v3Index()).bytes.toString());
  assert.equal(before.paths['apis/ex.com/v1'], undefined);
  define('ex.com', spec);
  define('other.com', {});
  const index = JSON.parse((await documents.v3Index()).bytes.toString());
  assert.ok(index.paths['apis/ex.com/v1'] && index.paths['apis/ex.com']);
  assert.deepEqual(index.paths['apis/apps/v1'], before.paths['apis/apps/v1']);
  const first = await readPart('apis/ex.com/v1');
  const other = await readPart('apis/other.com/v1');
  define('ex.com', { ...spec, description: 'Changed.' });
  assert.notEqual((await readPart('apis/ex.com/v1')).hash, first.hash);
  assert.equal((await readPart('apis/other.com/v1')).hash, other.hash);
  registry.put('widgets.other.com', []);
  assert.equal(await documents.v3Part('apis/other.com/v1'), undefined);
});

test('the document has the paths and the schema of a custom type, with kind, apiVersion and metadata', async () => {
  define('ex.com', spec);
  const { json } = await readPart('apis/ex.com/v1');
  const root = '/apis/ex.com/v1';
  assert.deepEqual(Object.keys(json.paths).sort(), [
    `${root}/`,
    `${root}/namespaces/{namespace}/widgets`,
    `${root}/namespaces/{namespace}/widgets/{name}`,
    `${root}/namespaces/{namespace}/widgets/{name}/status`,
    `${root}/widgets`,
  ]);
  const patch = json.paths[`${root}/namespaces/{namespace}/widgets/{name}`].patch.requestBody.content;
  assert.deepEqual(Object.keys(patch).sort(), [
    'application/apply-patch+yaml',
    'application/json-patch+json',
    'application/merge-patch+json',
  ]);
  const widget = json.components.schemas['com.ex.v1.Widget'];
  assert.equal(widget.description, 'A widget.');
  assert.deepEqual(Object.keys(widget.properties), ['apiVersion', 'kind', 'metadata', 'spec']);
  assert.deepEqual(widget['x-kubernetes-group-version-kind'], [
    { group: 'ex.com', kind: 'Widget', version: 'v1' },
  ]);
  const { size, free } = widget.properties.spec.properties;
  assert.deepEqual(size, { type: 'integer', default: 1, nullable: true });
  assert.equal(free['x-cluster-preserve-unknown-fields'], true);
  assert.equal(free['x-kubernetes-preserve-unknown-fields'], true);
  assert.ok(json.components.schemas['com.ex.v1.WidgetList']);
});

/** Returns a schema as in the v2 document, without the Kubernetes names of its extensions. */
async function inV2(schema: JsonObject): Promise<JsonObject> {
  define('ex.com', { type: 'object', properties: { it: schema } });
  const { definitions } = JSON.parse((await documents.v2Json()).bytes.toString());
  return definitions['com.ex.v1.Widget'].properties.spec.properties.it;
}

const preserve = { 'x-cluster-preserve-unknown-fields': true };
const preserved = { ...preserve, 'x-kubernetes-preserve-unknown-fields': true };
const text = { type: 'string' };
// As published by apiextensions-apiserver of release 1.26.
const inV2Cases: [string, JsonObject, JsonObject][] = [
  ['an array of anything has no type', { type: 'array', items: { type: 'object' }, ...preserve }, preserved],
  [
    'an array of anything has no type, deep inside',
    {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'array', items: text, ...preserve } },
    },
    { type: 'array', items: { type: 'object', additionalProperties: preserved } },
  ],
  [
    'an object of anything has neither type nor properties, but the other rules',
    { type: 'object', properties: { a: text }, required: ['a'], minProperties: 1, ...preserve },
    { required: ['a'], minProperties: 1, ...preserved },
  ],
  [
    'anything else keeps its type',
    { type: 'string', maxLength: 3, ...preserve },
    { type: 'string', maxLength: 3, ...preserved },
  ],
  [
    'what can be null has no type, items or properties',
    { type: 'array', items: text, nullable: true, maxItems: 4 },
    { maxItems: 4 },
  ],
  [
    'what can be null keeps the values of its map',
    { type: 'object', additionalProperties: text, nullable: true },
    { additionalProperties: text },
  ],
  [
    'members that can be null are not required',
    { type: 'object', required: ['a', 'b'], properties: { a: { ...text, nullable: true }, b: text } },
    { type: 'object', required: ['b'], properties: { a: {}, b: text } },
  ],
  [
    'a map of values that can be null requires none',
    { type: 'object', required: ['a'], additionalProperties: { ...text, nullable: true } },
    { type: 'object', additionalProperties: {} },
  ],
  [
    'alternatives and defaults are left out, and what no document has',
    {
      ...text,
      default: 'a',
      anyOf: [{ maxLength: 3 }],
      not: { enum: ['b'] },
      example: 'c',
      externalDocs: {},
    },
    text,
  ],
  ['an extension that is off is none', { ...text, 'x-cluster-preserve-unknown-fields': false }, text],
];
for (const [what, schema, expected] of inV2Cases)
  test(`in the v2 document, ${what}`, async () => assert.deepEqual(await inV2(schema), expected));

const eitherOf = [{ type: 'integer' }, { type: 'string' }];
const isEither = { 'x-cluster-int-or-string': true };
const marked = { ...isEither, 'x-kubernetes-int-or-string': true };
const inV3Cases: [string, JsonObject, JsonObject][] = [
  ['a number that can be a text says so', isEither, { ...marked, anyOf: eitherOf }],
  ['what says so itself is left', { ...isEither, anyOf: eitherOf }, { ...marked, anyOf: eitherOf }],
  [
    'what says so in its first allOf is left',
    { ...isEither, allOf: [{ anyOf: eitherOf }, { pattern: 'a' }] },
    { ...marked, allOf: [{ anyOf: eitherOf }, { pattern: 'a' }] },
  ],
  [
    'other alternatives stay beside it',
    { ...isEither, anyOf: [{ pattern: 'a' }], allOf: [{ maxLength: 3 }] },
    { ...marked, anyOf: [{ pattern: 'a' }], allOf: [{ anyOf: eitherOf }, { maxLength: 3 }] },
  ],
  ['other rules go with it', { ...isEither, pattern: 'a' }, { ...marked, pattern: 'a', anyOf: eitherOf }],
  [
    'it is found below others',
    { type: 'array', items: { type: 'object', additionalProperties: isEither } },
    { type: 'array', items: { type: 'object', additionalProperties: { ...marked, anyOf: eitherOf } } },
  ],
  ['nothing else does', { type: 'string' }, { type: 'string' }],
];
for (const [what, schema, expected] of inV3Cases)
  test(`in the v3 document, ${what}`, async () => {
    define('ex.com', { type: 'object', properties: { it: schema } });
    const { json } = await readPart('apis/ex.com/v1');
    const { it } = json.components.schemas['com.ex.v1.Widget'].properties.spec.properties;
    assert.deepEqual(it, expected);
    assert.equal((await inV2(schema))['anyOf'], undefined);
  });

test('an embedded object has kind, apiVersion and metadata, unless v2 does not allow properties', async () => {
  const embedded = {
    type: 'object',
    'x-cluster-embedded-type': true,
    properties: { spec: { type: 'object' } },
  };
  const inDocument = await inV2(embedded);
  assert.deepEqual(Object.keys(inDocument['properties'] ?? {}).sort(), [
    'apiVersion',
    'kind',
    'metadata',
    'spec',
  ]);
  assert.deepEqual(inDocument['required'], ['kind', 'apiVersion']);
  assert.equal((await inV2({ ...embedded, ...preserve }))['properties'], undefined);
  const { json } = await readPart('apis/ex.com/v1');
  const inV3 = json.components.schemas['com.ex.v1.Widget'].properties.spec.properties.it;
  assert.deepEqual(Object.keys(inV3.properties).sort(), ['apiVersion', 'kind', 'metadata', 'spec']);
});

test('every array in the v2 document has items, and a type that preserves unknown fields has no properties', async () => {
  define('ex.com', { type: 'object' });
  define('free.com', { type: 'object' }, preserve);
  const { definitions } = JSON.parse((await documents.v2Json()).bytes.toString());
  const arraysWithoutItems = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : Object.values(value).reduce(
          (sum: number, inner) => sum + arraysWithoutItems(inner),
          'type' in value && value.type === 'array' && !('items' in value) ? 1 : 0,
        );
  assert.equal(arraysWithoutItems(definitions), 0);
  const {
    'x-cluster-group-version-kind': _,
    'x-kubernetes-group-version-kind': __,
    ...free
  } = definitions['com.free.v1.Widget'];
  assert.deepEqual(free, { description: 'A widget.', type: 'object' });
  registry.put('widgets.free.com', []);
});

test('the v2 document describes a custom type as far as v2 can', async () => {
  define('ex.com', spec);
  const { definitions, paths } = JSON.parse((await documents.v2Json()).bytes.toString());
  assert.deepEqual(definitions['com.ex.v1.Widget'].properties.spec.properties.size, {});
  assert.ok(paths['/apis/ex.com/v1/widgets']);
  assert.ok((await documents.v2Protobuf()).bytes.length > 0);
});
