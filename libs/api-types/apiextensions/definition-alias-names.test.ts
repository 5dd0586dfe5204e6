import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vocabulary } from '@binnacle/api-names';
import type { JsonObject } from '@binnacle/api-objects';
import { definitionAliasNames } from './definition-alias-names.ts';

const ofCluster = { skip: vocabulary !== 'cluster' && 'aliases are of the vocabulary cluster' };

const definitionWith = (schema: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  kind: 'CustomResourceDefinition',
  metadata,
  spec: { group: 'g', versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
});

/** A schema that contains nested schemas in every possible position; `prefix` is that of its extensions. */
const schemaWith = (prefix: string, embedded: string): JsonObject => {
  const marked = { [`${prefix}preserve-unknown-fields`]: true };
  return {
    [`${prefix}${embedded}`]: true,
    [`${prefix}validations`]: [{ rule: 'self.x-cluster-list-type', message: 'x-kubernetes-list-type' }],
    properties: {
      // Names of properties, and values, are not API names.
      'x-cluster-list-type': { ...marked, default: { 'x-cluster-list-type': 1 } },
      'x-kubernetes-map-type': { enum: [{ 'x-kubernetes-map-type': 'x-cluster-map-type' }] },
      plain: { items: { [`${prefix}int-or-string`]: true }, additionalItems: marked },
    },
    patternProperties: { '^x': marked },
    definitions: { d: marked },
    dependencies: { a: ['x-cluster-list-type'], b: marked },
    additionalProperties: { [`${prefix}list-map-keys`]: ['k'], [`${prefix}list-type`]: 'map' },
    items: [marked, { [`${prefix}map-type`]: 'atomic' }],
    allOf: [marked],
    anyOf: [marked],
    oneOf: [marked],
    not: marked,
    'x-cluster-unknown': 1,
  };
};

const own = schemaWith('x-cluster-', 'embedded-type');
const alias = schemaWith('x-kubernetes-', 'embedded-resource');

test('schema extensions are renamed in every schema, and only there, in both directions', ofCluster, () => {
  const before = JSON.stringify(definitionWith(own));
  const shown = definitionAliasNames.toAlias(JSON.parse(before));
  assert.deepEqual(shown, definitionWith(alias));
  assert.equal(JSON.stringify(definitionAliasNames.fromAlias(shown)), before);
  assert.equal(JSON.stringify(definitionAliasNames.toAlias(shown)), JSON.stringify(shown));
});

test('renaming does not change the given object', ofCluster, () => {
  const object = definitionWith(own, { finalizers: ['customresourcecleanup.apiextensions.cluster.io'] });
  const before = JSON.stringify(object);
  definitionAliasNames.toAlias(object);
  assert.equal(JSON.stringify(object), before);
});

const fieldsWith = (prefix: string, finalizer: string): JsonObject => ({
  'f:metadata': { 'f:finalizers': { '.': {}, [`v:"${finalizer}"`]: {}, 'v:"other"': {} } },
  'f:spec': {
    'f:versions': {
      'k:{"name":"v1"}': {
        'f:schema': {
          'f:openAPIV3Schema': {
            [`f:${prefix}list-type`]: {},
            'f:properties': {
              'f:x-cluster-list-type': { [`f:${prefix}validations`]: { 'k:{"rule":"r"}': { '.': {} } } },
            },
          },
        },
      },
    },
  },
});

test('finalizers and managed fields are renamed with the extensions', ofCluster, () => {
  const entry = (group: string, prefix: string) => ({
    manager: 'm',
    apiVersion: `apiextensions.${group}/v1`,
    fieldsV1: fieldsWith(prefix, `customresourcecleanup.apiextensions.${group}`),
  });
  const metadata = (group: string, prefix: string): JsonObject => ({
    name: 'n',
    finalizers: ['other', `customresourcecleanup.apiextensions.${group}`],
    managedFields: [entry(group, prefix), { manager: 'odd', apiVersion: 'v1', fieldsV1: null }],
  });
  const stored = definitionWith({}, metadata('cluster.io', 'x-cluster-'));
  const shown = definitionWith({}, metadata('k8s.io', 'x-kubernetes-'));
  assert.deepEqual(definitionAliasNames.toAlias(stored), shown);
  assert.deepEqual(definitionAliasNames.fromAlias(shown), stored);
});

test(
  'partial patches and unexpected structures are renamed where they match and otherwise kept',
  ofCluster,
  () => {
    const patch = {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['customresourcecleanup.apiextensions.k8s.io'] },
      spec: {
        versions: [
          null,
          {
            schema: {
              openAPIV3Schema: {
                'x-kubernetes-map-type': null,
                $retainKeys: ['x-kubernetes-list-type'],
                '$setElementOrder/x-kubernetes-validations': [{ rule: 'r' }],
                properties: { $patch: 'replace', p: 1 },
              },
            },
          },
        ],
      },
    };
    assert.deepEqual(definitionAliasNames.fromAlias(patch), {
      metadata: { '$deleteFromPrimitiveList/finalizers': ['customresourcecleanup.apiextensions.cluster.io'] },
      spec: {
        versions: [
          null,
          {
            schema: {
              openAPIV3Schema: {
                'x-cluster-map-type': null,
                $retainKeys: ['x-cluster-list-type'],
                '$setElementOrder/x-cluster-validations': [{ rule: 'r' }],
                properties: { $patch: 'replace', p: 1 },
              },
            },
          },
        ],
      },
    });
    for (const odd of [
      { metadata: 1, spec: [] },
      { spec: { versions: { a: 1 } } },
      JSON.parse('{"__proto__":{"a":1}}'),
    ])
      assert.equal(JSON.stringify(definitionAliasNames.fromAlias(odd)), JSON.stringify(odd));
  },
);

test('messages use the extension names of the client', ofCluster, () => {
  const { textToAlias } = definitionAliasNames;
  assert.equal(
    textToAlias('spec.schema.x-cluster-list-type: x-cluster-embedded-type, x-cluster-other'),
    'spec.schema.x-kubernetes-list-type: x-kubernetes-embedded-resource, x-cluster-other',
  );
});
