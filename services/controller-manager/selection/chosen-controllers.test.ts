import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosenControllers, controllerNames, controllersFlag } from './chosen-controllers.ts';

const all = [...controllerNames];
const without = (...names: string[]) => all.filter(name => !names.includes(name));
const cases: readonly (readonly [list: string, chosen: readonly string[]])[] = [
  ['*', all],
  ['', []],
  ['namespace', ['namespace']],
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

test('all of them run unless something else is said; uses add up', () => {
  assert.deepEqual([...controllersFlag().defaultValue], all);
  assert.deepEqual([...controllersFlag().parse(['*', '-namespace'])], without('namespace'));
});

test('names that no controller has are refused', () => {
  for (const list of ['attachdetach', '-bogus', 'Namespace', '-*', '--namespace'])
    assert.throws(
      () => chosenControllers(['*', list]),
      /is not in the list of known controllers: clusterrole-aggr/,
    );
});
