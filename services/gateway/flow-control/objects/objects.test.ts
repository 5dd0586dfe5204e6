import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { annotations } from '@binnacle/api-names';
import { type ApiObject, copyJson, type JsonObject } from '@binnacle/api-objects';
import { createTypeRegistry } from '@binnacle/api-types';
import { flowControlObjects } from '../../bootstrap/default-flow-control.ts';
import { changeTo, newObject } from '../../bootstrap/ensure-objects.ts';
import { withDanglingCondition } from './dangling-status.ts';

const registry = createTypeRegistry();

function defaultObject(resource: string, name: string) {
  const object = flowControlObjects().find(other => other.resource === resource && other.name === name);
  assert.ok(object);
  const definition = registry.resource(object.group, object.version, object.resource);
  assert.ok(definition);
  return { object, created: newObject(object, definition, 0) };
}

interface Case {
  readonly what: string;
  readonly name: string;
  readonly annotation: string | undefined;
  readonly generation: number;
  readonly isChanged: boolean;
  /** Whether the specification is written, and the annotation after it; undefined: nothing is written. */
  readonly written: { readonly spec: boolean; readonly annotation: string | undefined } | undefined;
}

const cases: Case[] = [
  {
    what: 'a suggested object as it was created is left alone',
    name: 'global-default',
    annotation: 'true',
    generation: 1,
    isChanged: false,
    written: undefined,
  },
  {
    what: 'a suggested object of the servers is restored',
    name: 'global-default',
    annotation: 'true',
    generation: 4,
    isChanged: true,
    written: { spec: true, annotation: 'true' },
  },
  {
    what: 'a suggested object that an administrator took over is left alone',
    name: 'global-default',
    annotation: 'false',
    generation: 2,
    isChanged: true,
    written: undefined,
  },
  {
    what: 'a suggested object without annotation is the servers’ at first',
    name: 'global-default',
    annotation: undefined,
    generation: 1,
    isChanged: true,
    written: { spec: true, annotation: 'true' },
  },
  {
    what: 'a suggested object without annotation is its changer’s once it was changed',
    name: 'global-default',
    annotation: undefined,
    generation: 2,
    isChanged: true,
    written: { spec: false, annotation: 'false' },
  },
  {
    what: 'a mandatory object is restored whatever its annotation says',
    name: 'catch-all',
    annotation: 'false',
    generation: 2,
    isChanged: true,
    written: { spec: true, annotation: 'false' },
  },
];

suite('objects of flow control', () => {
  for (const { what, name, annotation, generation, isChanged, written } of cases)
    for (const resource of ['flowschemas', 'prioritylevelconfigurations'])
      test(`${what} (${resource})`, () => {
        const { object, created } = defaultObject(resource, name);
        const existing = copyJson(created) as ApiObject; // The copy of an object is one.
        existing.metadata.generation = generation;
        existing.metadata.annotations =
          annotation === undefined ? {} : { [annotations.apfAutoupdate]: annotation };
        if (isChanged) existing['spec'] = { matchingPrecedence: 7, type: 'Limited' };
        const change = changeTo(existing, object);
        if (written === undefined) return assert.equal(change.kind, 'none');
        assert.ok(change.kind === 'update');
        assert.deepEqual(change.object['spec'], written.spec ? created['spec'] : existing['spec']);
        assert.equal(change.object.metadata.generation, generation + (written.spec ? 1 : 0));
        assert.equal(change.object.metadata.annotations?.[annotations.apfAutoupdate], written.annotation);
        assert.equal(changeTo(change.object, object).kind, 'none');
      });
});

suite('the condition Dangling', () => {
  const { created } = defaultObject('flowschemas', 'global-default');
  const findCondition = (object: ApiObject | undefined) =>
    (object?.['status'] as { conditions: JsonObject[] } | undefined)?.conditions[0];

  test('says whether the priority level exists, and is written once', () => {
    const found = withDanglingCondition(created, () => true, 0);
    assert.deepEqual(findCondition(found), {
      type: 'Dangling',
      status: 'False',
      reason: 'Found',
      message:
        'This FlowSchema references the PriorityLevelConfiguration object named "global-default" and it exists',
      lastTransitionTime: '1970-01-01T00:00:00Z',
    });
    assert.ok(found);
    assert.equal(
      withDanglingCondition(found, () => true, 5_000),
      undefined,
    );
    const gone = withDanglingCondition(found, () => false, 5_000);
    assert.deepEqual(
      [
        findCondition(gone)?.['status'],
        findCondition(gone)?.['reason'],
        findCondition(gone)?.['lastTransitionTime'],
      ],
      ['True', 'NotFound', '1970-01-01T00:00:05Z'],
    );
    assert.equal(gone?.metadata.generation, created.metadata.generation);
  });

  test('is added to the conditions of others', () => {
    const other = { type: 'Other', status: 'True' };
    const updated = withDanglingCondition({ ...created, status: { conditions: [other] } }, () => true, 0);
    assert.deepEqual((updated?.['status'] as { conditions: JsonObject[] }).conditions[0], other);
  });
});
