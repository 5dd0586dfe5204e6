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

function define(group: string, spec: JsonObject): void {
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const openAPIV3Schema = { type: 'object', description: 'A widget.', properties: { spec } };
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

async function partOf(path: string) {
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

test('a type that comes has documents, which change with its schema; those of other groups stay', async () => {
  const before = JSON.parse((await documents.v3Index()).bytes.toString());
  assert.equal(before.paths['apis/ex.com/v1'], undefined);
  define('ex.com', spec);
  define('other.com', {});
  const index = JSON.parse((await documents.v3Index()).bytes.toString());
  assert.ok(index.paths['apis/ex.com/v1'] && index.paths['apis/ex.com']);
  assert.deepEqual(index.paths['apis/apps/v1'], before.paths['apis/apps/v1']);
  const first = await partOf('apis/ex.com/v1');
  const other = await partOf('apis/other.com/v1');
  define('ex.com', { ...spec, description: 'Changed.' });
  assert.notEqual((await partOf('apis/ex.com/v1')).hash, first.hash);
  assert.equal((await partOf('apis/other.com/v1')).hash, other.hash);
  registry.put('widgets.other.com', []);
  assert.equal(await documents.v3Part('apis/other.com/v1'), undefined);
});

test('the document has the paths of a custom type, and its schema with what every object has', async () => {
  define('ex.com', spec);
  const { json } = await partOf('apis/ex.com/v1');
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

test('the v2 document says of it what v2 can say', async () => {
  define('ex.com', spec);
  const { definitions, paths } = JSON.parse((await documents.v2Json()).bytes.toString());
  assert.deepEqual(definitions['com.ex.v1.Widget'].properties.spec.properties.size, {});
  assert.ok(paths['/apis/ex.com/v1/widgets']);
  assert.ok((await documents.v2Protobuf()).bytes.length > 0);
});
