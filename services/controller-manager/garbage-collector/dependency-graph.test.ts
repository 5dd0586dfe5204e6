import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMaps, graphObject, nodes, ownedBy } from '../test-drivers/graph-objects.ts';
import { DependencyGraph, type GraphObject } from './dependency-graph.ts';

function createGraph(...objects: GraphObject[]): DependencyGraph {
  const graph = new DependencyGraph();
  for (const object of objects) graph.observe(object);
  return graph;
}

const blocking = { blockOwnerDeletion: true };
const uids = (objects: readonly GraphObject[]) => objects.map(({ uid }) => uid).sort();

interface Case {
  readonly what: string;
  readonly known: readonly GraphObject[];
  /** An object to observe, or the uid of one that is gone. */
  readonly change: GraphObject | string;
  readonly affected: readonly string[];
}

const owner = graphObject('owner');
const waiting = graphObject('owner', { stage: 'deleting-dependents' });
const dependent = graphObject('dependent', { owners: [ownedBy('owner')] });
const blocker = graphObject('dependent', { owners: [ownedBy('owner', blocking)] });

const cases: readonly Case[] = [
  { what: 'an object without owners', known: [], change: owner, affected: [] },
  { what: 'an object with a known owner', known: [owner], change: dependent, affected: [] },
  { what: 'an object with an unknown owner', known: [], change: dependent, affected: ['dependent'] },
  {
    what: 'an object that names an owner in another namespace',
    known: [graphObject('owner', { namespace: 'other' })],
    change: dependent,
    affected: ['dependent'],
  },
  {
    what: 'an object that names an owner of another kind',
    known: [graphObject('owner', { type: { ...configMaps, kind: 'Secret' } })],
    change: dependent,
    affected: ['dependent'],
  },
  {
    what: 'an object that names an owner of another group',
    known: [graphObject('owner', { type: { ...configMaps, group: 'g' } })],
    change: dependent,
    affected: ['dependent'],
  },
  {
    what: 'an object that names its owner by another version of the group',
    known: [graphObject('owner', { type: { ...configMaps, group: 'g', version: 'v2' } })],
    change: graphObject('dependent', { owners: [ownedBy('owner', { apiVersion: 'g/v1' })] }),
    affected: [],
  },
  {
    what: 'an object in a namespace with an owner in none',
    known: [graphObject('owner', { type: nodes })],
    change: graphObject('dependent', { owners: [ownedBy('owner', { kind: 'Node' })] }),
    affected: [],
  },
  {
    what: 'an object in no namespace with an owner in one',
    known: [owner],
    change: graphObject('dependent', { type: nodes, owners: [ownedBy('owner')] }),
    affected: ['dependent'],
  },
  {
    what: 'an object whose owner waits for its dependents',
    known: [waiting],
    change: dependent,
    affected: ['dependent'],
  },
  {
    what: 'an owner that appears where its dependent does not look',
    known: [dependent],
    change: graphObject('owner', { namespace: 'other' }),
    affected: ['dependent'],
  },
  { what: 'an owner that appears where it is looked for', known: [dependent], change: owner, affected: [] },
  {
    what: 'an owner that begins to wait for its dependents',
    known: [owner, dependent],
    change: waiting,
    affected: ['dependent', 'owner'],
  },
  {
    what: 'an owner that goes on waiting',
    known: [waiting, dependent],
    change: { ...waiting, metadata: { resourceVersion: '2' } },
    affected: [],
  },
  {
    what: 'an owner that begins to let its dependents go',
    known: [owner, dependent],
    change: graphObject('owner', { stage: 'orphaning-dependents' }),
    affected: ['owner'],
  },
  { what: 'an owner that is gone', known: [owner, dependent], change: 'owner', affected: ['dependent'] },
  {
    what: 'a dependent that is gone, of an owner that waits',
    known: [waiting, blocker],
    change: 'dependent',
    affected: ['owner'],
  },
  {
    what: 'a dependent that is gone, of a live owner',
    known: [owner, blocker],
    change: 'dependent',
    affected: [],
  },
  {
    what: 'a dependent that does not block its waiting owner any more',
    known: [waiting, blocker],
    change: { ...blocker, owners: [ownedBy('owner', { blockOwnerDeletion: false })] },
    affected: ['owner'],
  },
  {
    what: 'a dependent that lost its waiting owner',
    known: [waiting, blocker],
    change: { ...blocker, owners: [] },
    affected: ['owner'],
  },
  {
    what: 'an object that names an unknown owner as before',
    known: [dependent],
    change: { ...dependent, metadata: { resourceVersion: '2' } },
    affected: [],
  },
  {
    what: 'an object that gets an unknown owner besides a known one',
    known: [owner, dependent],
    change: { ...dependent, owners: [ownedBy('owner'), ownedBy('nobody')] },
    affected: ['dependent'],
  },
  { what: 'an unknown object that is gone', known: [], change: 'owner', affected: [] },
];

for (const { what, known, change, affected } of cases) {
  const found = affected.length === 0 ? 'nothing' : affected.join(' and ');
  test(`${what}: ${found} is reconciled`, () => {
    const graph = createGraph(...known);
    const result = typeof change === 'string' ? graph.forget(change) : graph.observe(change);
    assert.deepEqual([...result].sort(), affected);
  });
}

test('the dependents of an owner are those with a reference to it, whichever was observed first', () => {
  const graph = createGraph(dependent, owner, graphObject('other', { owners: [ownedBy('owner', blocking)] }));
  assert.deepEqual(uids(graph.findDependents('owner')), ['dependent', 'other']);
  graph.observe({ ...dependent, owners: [] });
  assert.deepEqual(uids(graph.findDependents('owner')), ['other']);
  graph.forget('owner');
  assert.deepEqual(
    uids(graph.findDependents('owner')),
    ['other'],
    'who names an owner that is gone is known',
  );
  assert.equal(graph.isBlocked('owner'), true);
  graph.forget('other');
  assert.equal(graph.isBlocked('owner'), false);
  assert.deepEqual([graph.findDependents('owner'), graph.size], [[], 1]);
});

test('only a dependent with blockOwnerDeletion blocks its owner', () => {
  assert.equal(createGraph(owner, dependent).isBlocked('owner'), false);
  assert.equal(createGraph(owner, dependent, blocker).isBlocked('owner'), true);
});

test('an object does not depend on itself', () => {
  const graph = createGraph(graphObject('a', { owners: [ownedBy('a', blocking)] }));
  assert.deepEqual([graph.findDependents('a'), graph.isBlocked('a')], [[], false]);
});

test('a dropped type leaves no objects, and its dependents are no longer kept by owners of that type', () => {
  const node = graphObject('node', { type: nodes });
  const owned = graphObject('owned', { owners: [ownedBy('node', { kind: 'Node' })] });
  const graph = createGraph(node, owned, graphObject('other', { type: nodes, owners: [ownedBy('owned')] }));
  assert.equal(graph.standsByOwners(owned), true);
  graph.dropType(nodes);
  assert.deepEqual([graph.size, graph.get('node'), graph.findDependents('owned')], [1, undefined, []]);
  assert.equal(graph.standsByOwners(owned), false);
});
