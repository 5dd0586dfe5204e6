import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '@binnacle/api-objects';
import type { CustomDefinition, DefinitionNames } from '@binnacle/api-types';
import { statusWithNames, takenNames } from './accept-names.ts';

const none: DefinitionNames = {
  plural: '',
  singular: '',
  shortNames: [],
  kind: '',
  listKind: '',
  categories: [],
};
const widgets: DefinitionNames = {
  plural: 'widgets',
  singular: 'widget',
  shortNames: ['wd'],
  kind: 'Widget',
  listKind: 'WidgetList',
  categories: [],
};

function createStatus(
  others: readonly Partial<DefinitionNames>[],
  facts: Partial<CustomDefinition> = {},
  group = 'ex.com',
) {
  const definition: CustomDefinition = {
    name: `widgets.${group}`,
    definitionGroup: 'apiextensions.cluster.io',
    group,
    namespaced: true,
    names: widgets,
    acceptedNames: none,
    versions: [],
    established: false,
    terminating: false,
    conversion: 'None',
    ...facts,
  };
  const taken = takenNames(
    group,
    others.map(other => ({ ...none, ...other })),
  );
  return statusWithNames({ storedVersions: ['v1'] }, definition, { taken, now: 0 });
}

function listConditions(status: JsonObject): string[] {
  const conditions = status['conditions'] as JsonObject[];
  return conditions.map(({ type, status: holds, reason }) => `${type}=${holds} ${reason}`);
}

const accepted = ['NamesAccepted=True NoConflicts', 'Established=True InitialNamesAccepted'];
const cases: [what: string, others: Partial<DefinitionNames>[], conditions: string[]][] = [
  ['unused names', [], accepted],
  ['names beside others', [{ plural: 'gadgets', kind: 'Gadget', listKind: 'GadgetList' }], accepted],
  ['the plural of another', [{ plural: 'widgets' }], ['PluralConflict']],
  ['the short name of another as plural', [{ shortNames: ['widgets'] }], ['PluralConflict']],
  ['the singular of another', [{ singular: 'widget' }], ['SingularConflict']],
  ['the short name of another', [{ shortNames: ['x', 'wd'] }], ['ShortNamesConflict']],
  ['the kind of another', [{ kind: 'Widget' }], ['KindConflict']],
  ['the kind of lists of another', [{ listKind: 'WidgetList' }], ['ListKindConflict']],
  ['both kinds of another', [{ kind: 'Widget', listKind: 'WidgetList' }], ['ListKindConflict']],
];
for (const [what, others, expected] of cases)
  test(`${what}`, () => {
    const [reason = ''] = expected;
    assert.deepEqual(
      listConditions(createStatus(others)),
      expected.length === 2 ? expected : [`NamesAccepted=False ${reason}`, 'Established=False NotAccepted'],
    );
  });

test('free names are accepted although others are not', () => {
  const { acceptedNames } = createStatus([{ kind: 'Widget', listKind: 'WidgetList' }]);
  assert.deepEqual(acceptedNames, { plural: 'widgets', singular: 'widget', shortNames: ['wd'], kind: '' });
});

test('an established definition stays established with its accepted names', () => {
  const had = { ...widgets, shortNames: ['old'] };
  const status = createStatus([{ shortNames: ['wd'] }], { established: true, acceptedNames: had });
  assert.deepEqual(listConditions(status), ['NamesAccepted=False ShortNamesConflict']);
  assert.deepEqual((status['acceptedNames'] as JsonObject)['shortNames'], ['old']);
});

test('names of built-in types are reserved in their group', () => {
  const names = { ...widgets, kind: 'Lease' };
  assert.deepEqual(
    listConditions(createStatus([], { names }, 'coordination.cluster.io'))[0],
    'NamesAccepted=False KindConflict',
  );
  assert.deepEqual(listConditions(createStatus([], { names })), accepted);
});

test('a second reconciliation changes nothing', () => {
  const first = createStatus([]);
  const definition = {
    names: widgets,
    acceptedNames: widgets,
    established: true,
  } as unknown as CustomDefinition;
  const taken = takenNames('ex.com', []);
  assert.deepEqual(statusWithNames(first, definition, { taken, now: 60_000 }), first);
});
