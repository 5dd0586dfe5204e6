import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofCluster } from '@binnacle/api-names/testing';
import { createTypeRegistry, type ResourceDefinition } from '@binnacle/api-types';
import type { BodyDefinition, FieldValidation } from '@binnacle/codecs';
import { readApplied } from './apply.ts';

type Known = BodyDefinition & Pick<ResourceDefinition, 'rules'>;

const registry = createTypeRegistry({ everyVersion: true });

function findDefinition(group: string, resource: string): Known {
  const found = registry.resource(group, 'v1', resource);
  assert.ok(found);
  return found;
}

const maps = findDefinition('', 'configmaps');

async function read(text: string, definition: Known = maps, fieldValidation: FieldValidation = 'Warn') {
  const request = { body: async () => Buffer.from(text), warnings: [] as string[] };
  return {
    applied: await readApplied(request, { definition, fieldValidation, names: definition.rules.aliasNames }),
    warnings: request.warnings,
  };
}

const configuration = 'kind: ConfigMap\nmetadata: {name: a, odd: 1}\nbogus: {x: 1}\ndata: {k: v}\n';
const known = { kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
const findings = ['unknown field "metadata.odd"', 'unknown field "bogus"'];

test('unknown fields are dropped, each with a warning', async () => {
  assert.deepEqual(await read(configuration), { applied: known, warnings: findings });
});

test('unknown fields are dropped silently with Ignore, and refused with Strict', async () => {
  assert.deepEqual(await read(configuration, maps, 'Ignore'), { applied: known, warnings: [] });
  await assert.rejects(read(configuration, maps, 'Strict'), {
    code: 400,
    reason: 'BadRequest',
    message: `error strict decoding YAML: ${findings.join(', ')}`,
  });
});

test('nulls are kept when fields are dropped, and schema extensions of the other vocabulary are renamed in any case', async () => {
  const { applied } = await read('{"kind":"ConfigMap","data":{"k":null},"immutable":null,"bogus":1}');
  assert.deepEqual(applied, { kind: 'ConfigMap', data: { k: null }, immutable: null });
  const definitions = findDefinition('apiextensions.cluster.io', 'customresourcedefinitions');
  const schema = '{"x-kubernetes-preserve-unknown-fields":true,"odd":1}';
  const defined = await read(
    `{"kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":${schema}}}],"odd":1}}`,
    definitions,
  );
  assert.deepEqual(defined.applied['spec'], {
    versions: [{ schema: { openAPIV3Schema: { 'x-cluster-preserve-unknown-fields': true } } }],
  });
  assert.equal(defined.warnings.length, 2);
  const complete = await read(
    '{"kind":"CustomResourceDefinition","spec":{"versions":[{"schema":{"openAPIV3Schema":{"x-kubernetes-list-type":"set"}}}]}}',
    definitions,
    'Strict',
  );
  assert.deepEqual(complete.applied['spec'], {
    versions: [{ schema: { openAPIV3Schema: { 'x-cluster-list-type': 'set' } } }],
  });
});

test('duplicate keys cause warnings, for all names and in YAML as in JSON', async () => {
  const twice = '"data":{"k":"v","k":"w"}';
  const json = await read(`{"kind":"ConfigMap",${twice}}`);
  assert.deepEqual(json.warnings, ['duplicate field "data.k"']);
  const yaml = await read('kind: ConfigMap\ndata:\n  k: v\n  k: w\n');
  assert.deepEqual(yaml.warnings, ['line 4: key "k" already set in map']);
  await assert.rejects(read(`{"kind":"ConfigMap",${twice}}`, maps, 'Strict'), /"data\.k"/);
  const definitions = findDefinition('apiextensions.cluster.io', 'customresourcedefinitions');
  const schema = '"x-kubernetes-list-type":"set"';
  const renamed = await read(
    `{"kind":"CustomResourceDefinition","spec":{"group":"a","group":"b","versions":[{"schema":{"openAPIV3Schema":{${schema}}}}]}}`,
    definitions,
  );
  assert.deepEqual(renamed.warnings, ['duplicate field "spec.group"']);
});

test('a name under both domains is not a duplicate key', ofCluster, async () => {
  const schema = '"x-kubernetes-list-type":"set","x-cluster-list-type":"set"';
  const { warnings } = await read(
    `{"kind":"CustomResourceDefinition","spec":{"group":"a","group":"b","versions":[{"schema":{"openAPIV3Schema":{${schema}}}}]}}`,
    findDefinition('apiextensions.cluster.io', 'customresourcedefinitions'),
  );
  assert.deepEqual(warnings, ['duplicate field "spec.group"']);
});
