import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ManagedFieldsEntry } from '@binnacle/api-objects';
import { messageNamed } from '@binnacle/api-types';
import { apply } from '../apply.ts';
import { schemaFromMessage } from '../schemas/message-schema.ts';
import { update } from '../update.ts';
import { decodeManagedFields, encodeManagedFields } from './managed-fields.ts';
import { managersFromScale, managersOfScale, type ReplicasPaths } from './scale-managers.ts';

const paths: ReplicasPaths = new Map([['apps/v1', ['f:spec', 'f:replicas']]]);
const schema = schemaFromMessage(messageNamed('autoscaling.v1.Scale'));
const kind = { apiVersion: 'apps/v1', paths };

function entry(
  manager: string,
  operation: string,
  fieldsV1: ManagedFieldsEntry['fieldsV1'] & {},
): ManagedFieldsEntry {
  const time = '2024-01-01T00:00:00Z';
  return { manager, operation, apiVersion: 'apps/v1', time, fieldsType: 'FieldsV1', fieldsV1 };
}

const replicas = { 'f:spec': { 'f:replicas': {} } };
const managed = decodeManagedFields([
  entry('applier', 'Apply', { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } }),
  entry('other', 'Update', { 'f:spec': { 'f:paused': {} } }),
  entry('scaler', 'Update', replicas),
]);
const live = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'x' }, spec: { replicas: 1 } };
const write = {
  ...{ live, apiVersion: 'autoscaling/v1', subresource: 'scale', schema, now: '2024-01-01T00:00:05Z' },
  managed: managersOfScale(managed, paths),
};

function shown(entries: readonly ManagedFieldsEntry[]): string[] {
  return entries.map(
    e => `${e.manager} ${e.operation} ${e.subresource ?? ''} ${e.apiVersion} ${JSON.stringify(e.fieldsV1)}`,
  );
}

test('the managers of a Scale are those of the replicas', () => {
  assert.deepEqual(shown(encodeManagedFields(write.managed)), [
    'applier Apply  autoscaling/v1 {"f:spec":{"f:replicas":{}}}',
    'scaler Update  autoscaling/v1 {"f:spec":{"f:replicas":{}}}',
  ]);
});

test('a write of the Scale removes the replicas from the managers of the object', () => {
  const next = { ...live, spec: { replicas: 3 } };
  const after = managersFromScale(managed, update({ ...write, next, manager: 'hpa' }), kind);
  assert.deepEqual(shown(encodeManagedFields(after)), [
    'applier Apply  apps/v1 {"f:spec":{"f:paused":{}}}',
    'other Update  apps/v1 {"f:spec":{"f:paused":{}}}',
    'hpa Update scale apps/v1 {"f:spec":{"f:replicas":{}}}',
  ]);
});

test('a write that changes nothing leaves the managers as they are', () => {
  const after = managersFromScale(managed, update({ ...write, next: live, manager: 'hpa' }), kind);
  assert.deepEqual(encodeManagedFields(after), encodeManagedFields(managed));
});

test('an apply of the Scale conflicts with the managers of the object', () => {
  const applied = { ...live, spec: { replicas: 3 } };
  const result = apply({ ...write, applied, manager: 'hpa' });
  assert.ok(result.kind === 'conflicts');
  assert.deepEqual(
    result.conflicts.map(({ path }) => path),
    ['.spec.replicas', '.spec.replicas'],
  );
});
