import type { ApiObject, JsonObject } from '@binnacle/api-objects';
import {
  createLiveTypeRegistry,
  createTypeRegistry,
  customDefinitionFrom,
  customTypesFrom,
} from '@binnacle/api-types';
import { createLiveOpenApiDocuments } from '../live-documents.ts';
import type { OpenApiDocuments } from '../openapi-documents.ts';

/** Every feature that a schema of a definition can use. */
const edges: JsonObject = {
  port: { 'x-cluster-int-or-string': true, default: 3 },
  text: {
    type: 'string',
    title: 'A text',
    format: 'byte',
    pattern: '^a$',
    minLength: 1,
    maxLength: 3,
    default: 'a',
    enum: ['a', 'b', null],
    nullable: true,
  },
  number: {
    type: 'number',
    minimum: -1.5,
    maximum: 1e300,
    exclusiveMinimum: true,
    exclusiveMaximum: true,
    multipleOf: 0.5,
    default: 0.5,
  },
  long: {
    type: 'integer',
    minimum: -9007199254740993n,
    maximum: 9223372036854775807n,
    default: 9007199254740993n,
    enum: [9007199254740993n],
  },
  list: {
    type: 'array',
    minItems: 1,
    maxItems: 9_007_199_254_740_991,
    items: { type: 'boolean', default: false },
  },
  anyMap: { type: 'object', additionalProperties: true },
  map: { type: 'object', minProperties: 1, maxProperties: 7, additionalProperties: { type: 'integer' } },
  choice: {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'integer' } },
    not: { required: ['b'] },
    oneOf: [{ properties: { a: { minimum: 3 } } }, { required: ['c'] }],
    allOf: [{ anyOf: [{ required: ['d'] }] }],
    'x-cluster-preserve-unknown-fields': true,
  },
};

/** Creates the documents of the built-in types and of a definition with such schemas. */
export function documentsOfEdges(): OpenApiDocuments {
  const names = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties: edges } } };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  const registry = createLiveTypeRegistry(createTypeRegistry());
  const definition: ApiObject = {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.ex.com' },
    spec: { group: 'ex.com', scope: 'Namespaced', names, versions: [version] },
    status: { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] },
  };
  registry.put('widgets.ex.com', customTypesFrom(customDefinitionFrom(definition)));
  return createLiveOpenApiDocuments(registry, { serverVersion: 'v1.26.0' });
}
