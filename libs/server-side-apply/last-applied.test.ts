import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { apply } from './apply.ts';
import { listPaths } from './field-sets/field-set.ts';
import { pathText } from './field-sets/path-element.ts';
import { unchangedSinceLastApplied, withLastApplied } from './last-applied.ts';
import { decodeManagedFields, encodeManagedFields, noManagers } from './managers/managed-fields.ts';
import { schemaFromMessage } from './schemas/message-schema.ts';
import { update } from './update.ts';

const schema = schemaFromMessage(messageNamed('core.v1.ConfigMap'));
const record = 'kubectl.cluster.io/last-applied-configuration';

function configMap(data: JsonObject, annotations?: JsonObject): JsonObject {
  const metadata: JsonObject = annotations === undefined ? { name: 'x' } : { name: 'x', annotations };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data };
}

const write = { apiVersion: 'v1', schema, now: '2024-01-01T00:00:00Z' };

function appliedOnTheClient(data: JsonObject) {
  const object = configMap(data, { [record]: JSON.stringify(configMap(data)) });
  const managed = update({
    ...write,
    live: {},
    next: object,
    managed: noManagers,
    manager: 'kubectl-client-side-apply',
  });
  return { object, managed };
}

test('server-side apply by kubectl becomes the manager of the fields of client-side apply', () => {
  const { object, managed } = appliedOnTheClient({ k: '1', d: '1' });
  const applied = configMap({ k: '2' });
  const result = apply({ ...write, live: object, applied, managed, manager: 'kubectl' });
  assert.ok(result.kind === 'applied');
  assert.deepEqual(result.object.data, { k: '2', d: '1' });
  const annotations = (result.object.metadata as JsonObject).annotations as JsonObject;
  assert.deepEqual(JSON.parse(String(annotations[record])), applied);
  assert.deepEqual(
    encodeManagedFields(result.managed).map(entry => [entry.manager, entry.operation, entry.fieldsV1]),
    [
      ['kubectl', 'Apply', { 'f:data': { 'f:k': {} } }],
      [
        'kubectl-client-side-apply',
        'Update',
        {
          'f:data': { '.': {}, 'f:d': {} },
          'f:metadata': { 'f:annotations': { '.': {}, [`f:${record}`]: {} } },
        },
      ],
    ],
  );
});

test('the group in the last-applied annotation and the configuration may be an alias, and is kept', () => {
  const spec = (ingressClassName: string) => ({ spec: { ingressClassName } });
  const ingress = (apiVersion: string, content: JsonObject, annotations: JsonObject = {}): JsonObject => ({
    apiVersion,
    kind: 'Ingress',
    metadata: { name: 'x', annotations },
    ...content,
  });
  const [alias, apiVersion] = ['networking.k8s.io/v1', 'networking.cluster.io/v1'];
  const schema = schemaFromMessage(messageNamed('networking.v1.Ingress'));
  const versions = {
    view: (wanted: string) =>
      wanted === alias || wanted === apiVersion ? { schema, version: apiVersion } : undefined,
    convert: () => assert.fail('both names are of one version'),
  };
  const common = { now: write.now, apiVersion, schema, versions };
  const live = ingress(apiVersion, spec('a'), { [record]: JSON.stringify(ingress(alias, spec('a'))) });
  const managed = update({
    ...common,
    live: {},
    next: live,
    managed: noManagers,
    manager: 'kubectl-client-side-apply',
  });
  const applied = ingress(alias, spec('b'));
  const result = apply({ ...common, apiVersion: alias, live, managed, applied, manager: 'kubectl' });
  assert.ok(result.kind === 'applied');
  assert.equal(result.object.apiVersion, apiVersion);
  const annotations = (result.object.metadata as JsonObject).annotations as JsonObject;
  assert.equal(JSON.parse(String(annotations[record])).apiVersion, alias);
  assert.deepEqual(
    encodeManagedFields(result.managed).map(({ manager, apiVersion }) => [manager, apiVersion]),
    [
      ['kubectl', alias],
      ['kubectl-client-side-apply', apiVersion],
    ],
  );
});

test('other managers do not get the fields of client-side apply', () => {
  const { object, managed } = appliedOnTheClient({ k: '1' });
  const result = apply({ ...write, live: object, applied: configMap({ k: '2' }), managed, manager: 'tool' });
  assert.equal(result.kind, 'conflicts');
});

test('fields that another write changed since then are conflicts', () => {
  const { object, managed } = appliedOnTheClient({ k: '1', d: '1' });
  const next = { ...object, data: { k: '1', d: '9' } };
  const changed = update({ ...write, live: object, next, managed, manager: 'edit' });
  const result = apply({
    ...write,
    live: next,
    applied: configMap({ k: '2', d: '2' }),
    managed: changed,
    manager: 'kubectl',
  });
  assert.deepEqual(result, {
    kind: 'conflicts',
    conflicts: [{ manager: '"edit" using v1', path: '.data.d' }],
  });
});

const unreadable = [
  '',
  '{',
  '[]',
  'null',
  '{"apiVersion":"v2"}',
  '{"apiVersion":"v1","data":1}',
  '['.repeat(100_000),
];

for (const text of unreadable) {
  test(`an annotation without a configuration changes no managers: ${text.slice(0, 30)}`, () => {
    assert.equal(
      unchangedSinceLastApplied(configMap({}, { [record]: text }), { schema, apiVersion: 'v1' }),
      undefined,
    );
  });
}

test('unchanged fields are those of the annotation with the values of the object', () => {
  const last = configMap({ same: '1', changed: '1', gone: '1' });
  const live = configMap({ same: '1', changed: '2', added: '1' }, { [record]: JSON.stringify(last) });
  const fields = unchangedSinceLastApplied(live, { schema, apiVersion: 'v1' })!; // The annotation is valid.
  assert.deepEqual(
    [...listPaths(fields)].map(pathText).filter(path => path.startsWith('.data')),
    ['.data.same'],
  );
});

test('the annotation is removed if it makes the annotations too long', () => {
  const object = configMap({}, { [record]: '{}', other: 'x' });
  const rewritten = withLastApplied(object, configMap({ big: 'x'.repeat(300_000) }));
  assert.deepEqual(rewritten.metadata, { name: 'x', annotations: { other: 'x' } });
});

test('an object without the annotation gets none, and the annotation does not contain itself', () => {
  const plain = configMap({ a: '1' });
  assert.equal(withLastApplied(plain, plain), plain);
  const recorded = configMap({ a: '1' }, { [record]: '{}' });
  const annotations = (withLastApplied(recorded, recorded).metadata as JsonObject).annotations as JsonObject;
  assert.deepEqual(JSON.parse(String(annotations[record])), configMap({ a: '1' }, {}));
});

test('entries that cannot be decoded are dropped', () => {
  assert.equal(decodeManagedFields([{ manager: 'x', operation: 'Other' }]).managers.size, 0);
});
