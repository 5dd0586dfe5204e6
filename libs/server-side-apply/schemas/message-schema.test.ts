import assert from 'node:assert/strict';
import { test } from 'node:test';
import { messageNamed } from '@binnacle/api-types';
import { type FieldSet, listPaths } from '../field-sets/field-set.ts';
import { pathText } from '../field-sets/path-element.ts';
import { fieldSetFromValue } from '../values/field-set-from-value.ts';
import { validate } from '../values/validate.ts';
import { schemaFromMessage } from './message-schema.ts';
import { untypedAtomic } from './typed-schema.ts';

function core(name: string) {
  return schemaFromMessage(messageNamed(`core.v1.${name}`));
}

function texts(set: FieldSet): string[] {
  return [...listPaths(set)].map(pathText);
}

test('lists follow their markers, and defaults complete keys', () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { finalizers: ['a'], ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'n', uid: 'u' }] },
    spec: {
      containers: [{ name: 'c', args: ['x'], ports: [{ containerPort: 80 }] }],
      nodeSelector: { a: 'b' },
    },
  };
  const schema = core('Pod');
  assert.deepEqual(validate(pod, schema), []);
  assert.deepEqual(texts(fieldSetFromValue(pod, schema)), [
    '.apiVersion',
    '.kind',
    '.metadata.finalizers[="a"]',
    '.metadata.ownerReferences[uid="u"]',
    '.spec.nodeSelector',
    '.spec.containers[name="c"]',
    '.spec.containers[name="c"].args',
    '.spec.containers[name="c"].name',
    '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"]',
    '.spec.containers[name="c"].ports[containerPort=80,protocol="TCP"].containerPort',
  ]);
});

test('scalars with several forms accept each of them', () => {
  const service = (targetPort: string | number) => ({ spec: { ports: [{ port: 1, targetPort }] } });
  assert.deepEqual(validate(service('http'), core('Service')), []);
  assert.deepEqual(validate(service(80), core('Service')), []);
  assert.deepEqual(validate({ spec: { ports: [{ port: '1' }] } }, core('Service')).length, 1);
});

test('types can be recursive', () => {
  const message = messageNamed('apiextensions.v1.JSONSchemaProps');
  const schema = schemaFromMessage(message);
  const fields = schema.map!.fields; // A message is a struct.
  assert.equal(fields.get('not')!.schema, schema);
  assert.equal(fields.get('items')!.schema, untypedAtomic);
});
