import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldError } from './field-error.ts';
import {
  validateDeletionUntouched,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './object-meta-validation.ts';
import type { ObjectMeta } from './objects.ts';
import { removeDuplicateOwnerReferences } from './owner-references.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u1' };

const creations: { what: string; meta: ObjectMeta; errors: string[] }[] = [
  { what: 'a plain name', meta: { name: 'a.b' }, errors: [] },
  { what: 'no name', meta: {}, errors: ['Required metadata.name'] },
  { what: 'a bad name', meta: { name: 'Bad_Name' }, errors: ['Invalid metadata.name'] },
  { what: 'a prefix with a final dash', meta: { generateName: 'web-', name: 'web-x2b4c' }, errors: [] },
  {
    what: 'a bad prefix and the name made of it',
    meta: { generateName: 'We_b', name: 'We_bx2b4c' },
    errors: ['Invalid metadata.generateName', 'Invalid metadata.name'],
  },
  {
    what: 'a bad label',
    meta: { name: 'a', labels: { 'a b': 'c', d: '-' } },
    errors: ['Invalid metadata.labels', 'Invalid metadata.labels'],
  },
  {
    what: 'a bad annotation key',
    meta: { name: 'a', annotations: { 'a b': '' } },
    errors: ['Invalid metadata.annotations'],
  },
  {
    what: 'annotations in upper case',
    meta: { name: 'a', annotations: { 'Example.com/Key': '' } },
    errors: [],
  },
  {
    what: 'huge annotations',
    meta: { name: 'a', annotations: { a: 'x'.repeat(262_144) } },
    errors: ['TooLong metadata.annotations'],
  },
  {
    what: 'an owner without name and uid',
    meta: { name: 'a', ownerReferences: [{ ...owner, name: '', uid: '' }] },
    errors: ['Invalid metadata.ownerReferences.name', 'Invalid metadata.ownerReferences.uid'],
  },
  {
    what: 'two controllers',
    meta: {
      name: 'a',
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, uid: 'u2', controller: true },
      ],
    },
    errors: ['Invalid metadata.ownerReferences'],
  },
  {
    what: 'an Event as owner',
    meta: { name: 'a', ownerReferences: [{ ...owner, kind: 'Event' }] },
    errors: ['Invalid metadata.ownerReferences'],
  },
  {
    what: 'an unqualified finalizer',
    meta: { name: 'a', finalizers: ['mine'] },
    errors: ['Invalid metadata.finalizers[0]'],
  },
  {
    what: 'both deletion finalizers',
    meta: { name: 'a', finalizers: ['orphan', 'foregroundDeletion'] },
    errors: ['Invalid metadata.finalizers'],
  },
  {
    what: 'a negative generation',
    meta: { name: 'a', generation: -1 },
    errors: ['Invalid metadata.generation'],
  },
];
for (const { what, meta, errors } of creations) {
  test(`metadata with ${what} ${errors.length === 0 ? 'is accepted' : 'is refused'}`, () => {
    assert.deepEqual(summary(validateObjectMeta({ namespace: 'n', ...meta }, { namespaced: true })), errors);
  });
}

test('a namespace is required where the kind has one and forbidden elsewhere', () => {
  assert.deepEqual(summary(validateObjectMeta({ name: 'a' }, { namespaced: true })), [
    'Required metadata.namespace',
  ]);
  assert.deepEqual(summary(validateObjectMeta({ name: 'a', namespace: 'a.b' }, { namespaced: true })), [
    'Invalid metadata.namespace',
  ]);
  assert.deepEqual(summary(validateObjectMeta({ name: 'a', namespace: 'b' }, { namespaced: false })), [
    'Forbidden metadata.namespace',
  ]);
});

const live: ObjectMeta = {
  name: 'a',
  namespace: 'n',
  uid: 'u',
  generation: 3,
  finalizers: ['x.io/a'],
  creationTimestamp: '2024-01-01T00:00:00Z',
};
const dying: ObjectMeta = { ...live, deletionTimestamp: '2024-01-02T00:00:00Z' };
const updates: { what: string; old: ObjectMeta; updated: ObjectMeta; errors: string[] }[] = [
  { what: 'no change', old: live, updated: live, errors: [] },
  { what: 'another name', old: live, updated: { ...live, name: 'b' }, errors: ['Invalid metadata.name'] },
  { what: 'another uid', old: live, updated: { ...live, uid: 'v' }, errors: ['Invalid metadata.uid'] },
  {
    what: 'a lower generation',
    old: live,
    updated: { ...live, generation: 2 },
    errors: ['Invalid metadata.generation'],
  },
  { what: 'a deletion', old: live, updated: dying, errors: ['Invalid metadata.deletionTimestamp'] },
  {
    what: 'a new finalizer while alive',
    old: live,
    updated: { ...live, finalizers: ['x.io/a', 'x.io/b'] },
    errors: [],
  },
  {
    what: 'a new finalizer while deleting',
    old: dying,
    updated: { ...dying, finalizers: ['x.io/a', 'x.io/b'] },
    errors: ['Forbidden metadata.finalizers'],
  },
  {
    what: 'a removed finalizer while deleting',
    old: dying,
    updated: { ...dying, finalizers: [] },
    errors: [],
  },
];
for (const { what, old, updated, errors } of updates) {
  test(`an update with ${what} ${errors.length === 0 ? 'is accepted' : 'is refused'}`, () => {
    assert.deepEqual(summary(validateObjectMetaUpdate(updated, old)), errors);
  });
}

const untouched: { what: string; old: ObjectMeta; updated: ObjectMeta; errors: string[] }[] = [
  { what: 'no word about deletion', old: dying, updated: live, errors: [] },
  { what: 'a deletion time', old: live, updated: dying, errors: ['Invalid metadata.deletionTimestamp'] },
  {
    what: 'another deletion time',
    old: dying,
    updated: { deletionTimestamp: '2030-01-01T00:00:00Z' },
    errors: [],
  },
  ...[0, 30, 2n ** 53n].map(deletionGracePeriodSeconds => ({
    what: `a grace period of ${deletionGracePeriodSeconds}`,
    old: live,
    updated: { ...live, deletionGracePeriodSeconds },
    errors: ['Invalid metadata.deletionGracePeriodSeconds'],
  })),
  {
    what: 'the same grace period',
    old: { ...dying, deletionGracePeriodSeconds: 2n ** 53n },
    updated: { deletionGracePeriodSeconds: 2n ** 53n },
    errors: [],
  },
];
for (const { what, old, updated, errors } of untouched)
  test(`an update that says ${what} ${errors.length === 0 ? 'is accepted' : 'is refused'}`, () => {
    assert.deepEqual(summary(validateDeletionUntouched(updated, old)), errors);
  });

test('a kind can require updates to have a resourceVersion', () => {
  const errors = validateObjectMetaUpdate(live, live, { requireResourceVersion: true });
  assert.deepEqual(summary(errors), ['Invalid metadata.resourceVersion']);
});

test('repeated owner references are removed with a warning', () => {
  const meta: ObjectMeta = { name: 'a', ownerReferences: [owner, { ...owner }, { ...owner, uid: 'u2' }] };
  assert.match(removeDuplicateOwnerReferences(meta) ?? '', /ownerReferences contains duplicate entries/);
  assert.deepEqual(meta.ownerReferences, [owner, { ...owner, uid: 'u2' }]);
  assert.equal(removeDuplicateOwnerReferences(meta), undefined);
});

function summary(errors: readonly FieldError[]): string[] {
  return errors.map(({ type, field }) => `${type} ${field}`);
}
