import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '@binnacle/api-objects';
import { findDefinition } from '../test-drivers/process.ts';
import { applyDefaults } from './apply-defaults.ts';

test('empty fields are dropped from nested schemas, in every alternative', () => {
  const definition = findDefinition('customresourcedefinitions');
  const schema = { type: 'string', exclusiveMaximum: false, uniqueItems: false };
  const openAPIV3Schema = {
    ...schema,
    items: { ...schema },
    additionalProperties: { ...schema },
    dependencies: { a: { ...schema }, b: ['c'] },
    properties: { a: { additionalProperties: false } },
  };
  const object: ApiObject = {
    apiVersion: 'apiextensions.cluster.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {},
    spec: { versions: [{ schema: { openAPIV3Schema } }] },
  };
  applyDefaults(definition, object);
  const type = { type: 'string' };
  assert.deepEqual(openAPIV3Schema, {
    ...type,
    items: type,
    additionalProperties: type,
    dependencies: { a: type, b: ['c'] },
    properties: { a: { additionalProperties: false } },
  });
});
