import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenControllers, controllerNames, controllersFlag } from './chosen-controllers.ts';

const onlyNamed = ['bootstrapsigner', 'tokencleaner'];
const all = controllerNames.filter(name => !onlyNamed.includes(name));
const without = (...names: string[]): string[] => all.filter(name => !names.includes(name));
const cases: readonly (readonly [list: string, chosen: readonly string[]])[] = [
  ['*', all],
  ['', []],
  ['namespace', ['namespace']],
  ['*,tokencleaner', [...all, 'tokencleaner']],
  ['bootstrapsigner', ['bootstrapsigner']],
  ['*,-tokencleaner', all],
  ['*,-endpoint,-endpointslice', without('endpoint', 'endpointslice')],
  ['-endpoint,*', without('endpoint')],
  ['-endpoint', []],
  // The first item that names a controller decides.
  ['-namespace,namespace,*', without('namespace')],
  ['namespace,-namespace', ['namespace']],
];

for (const [list, chosen] of cases)
  test(`--controllers=${list}`, () => {
    assert.deepEqual([...controllersFlag().parse([list])], chosen);
  });

test('by default all controllers run except those disabled by default, and repeated flags add up', () => {
  assert.deepEqual([...controllersFlag().defaultValue], all);
  assert.deepEqual([...controllersFlag().parse(['*', '-namespace'])], without('namespace'));
});

test('unknown controller names are refused', () => {
  for (const list of ['attachdetach', '-bogus', 'Namespace', '-*', '--namespace'])
    assert.throws(
      () => chosenControllers(['*', list]),
      /is not in the list of known controllers: bootstrapsigner, clusterrole-aggr/,
    );
});
