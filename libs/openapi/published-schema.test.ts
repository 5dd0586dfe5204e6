import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import {
  createLiveTypeRegistry,
  createTypeRegistry,
  customDefinitionFrom,
  customTypesFrom,
} from '@binnacle/api-types';
import { createLiveOpenApiDocuments } from './live-documents.ts';

const text = { type: 'string' };

/** Schemas that both OpenAPI versions can represent. */
const declared: Readonly<Record<string, JsonObject>> = {
  'with every rule': {
    type: 'object',
    description: 'A widget.',
    required: ['spec'],
    properties: {
      spec: {
        type: 'object',
        title: 'Spec',
        required: ['name'],
        properties: {
          name: { ...text, minLength: 1, maxLength: 63, pattern: '^[a-z]+$', format: 'password' },
          colour: { ...text, enum: ['red', 'green'] },
          size: { type: 'integer', format: 'int32', minimum: 0, exclusiveMinimum: true, maximum: 10 },
          ratio: { type: 'number', multipleOf: 0.5 },
          labels: { type: 'object', additionalProperties: text, maxProperties: 3 },
          tags: { type: 'array', items: text, minItems: 1, maxItems: 4 },
        },
      },
      status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    },
  },
  'with extensions': {
    type: 'object',
    properties: {
      ports: {
        type: 'array',
        'x-cluster-list-type': 'map',
        'x-cluster-list-map-keys': ['name'],
        items: { type: 'object', required: ['name'], properties: { name: text } },
      },
      names: { type: 'array', 'x-cluster-list-type': 'set', items: text },
      selector: { type: 'object', 'x-cluster-map-type': 'atomic', additionalProperties: text },
      free: { 'x-cluster-preserve-unknown-fields': true },
      limited: {
        type: 'object',
        properties: { count: { type: 'integer' } },
        'x-cluster-validations': [{ rule: 'self.count < 10', message: 'too many' }],
      },
    },
  },
  'without properties': { type: 'object', description: 'A bare widget.' },
};

/** Returns the published schema of release 1.26 without the undeclared parts. */
function withoutAdded(published: JsonValue | undefined): JsonObject {
  assert.ok(isJsonObject(published) && isJsonObject(published['properties']));
  const { 'x-cluster-group-version-kind': kinds, properties, ...rest } = published;
  assert.deepEqual(kinds, [{ group: 'ex.com', kind: 'Widget', version: 'v1' }]);
  assert.ok(isJsonObject(properties));
  const { apiVersion, kind, metadata, ...own } = properties;
  for (const added of [apiVersion, kind, metadata]) assert.ok(isJsonObject(added));
  return { ...rest, ...(Object.keys(own).length > 0 && { properties: own }) };
}

async function publishedSchemas(openAPIV3Schema: JsonObject, kubernetesClientCompatibility: boolean) {
  const registry = createLiveTypeRegistry(createTypeRegistry());
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const definition: ApiObject = {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.ex.com' },
    spec: { group: 'ex.com', scope: 'Namespaced', names, versions: [version] },
    status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
  };
  registry.put('widgets.ex.com', customTypesFrom(customDefinitionFrom(definition)));
  const options = { serverVersion: 'v1.26.0', kubernetesClientCompatibility };
  const documents = createLiveOpenApiDocuments(registry, options);
  const v2 = JSON.parse((await documents.v2Json()).bytes.toString());
  const part = await documents.v3Part('apis/ex.com/v1');
  const v3 = JSON.parse(String(part?.document.bytes));
  return { v2: v2.definitions['com.ex.v1.Widget'], v3: v3.components.schemas['com.ex.v1.Widget'] };
}

// Under `cluster`, unmodified clients receive extensions under both names.
for (const compatible of vocabulary === 'cluster' ? [false] : [false, true])
  for (const [what, schema] of Object.entries(declared))
    test(`a schema ${what} is published as declared, ${compatible ? '' : 'not '}for unmodified clients`, async () => {
      const { v2, v3 } = await publishedSchemas(schema, compatible);
      assert.deepEqual({ v2: withoutAdded(v2), v3: withoutAdded(v3) }, { v2: schema, v3: schema });
    });
