import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ObjectMeta } from '@binnacle/api-objects';
import { BoundedMap } from '@binnacle/event-loop';
import { configMaps, graphObject, nodes, ownedBy } from '../test-drivers/graph-objects.ts';
import { deletionStageFromMetadata } from './deletion-stage.ts';
import { DependencyGraph } from './dependency-graph.ts';
import type { GarbageApi } from './garbage-api.ts';
import type { GarbageWorld } from './garbage-world.ts';
import { reconcileObject } from './reconcile-object.ts';
import { LetGoOwners } from './run-garbage-collector.ts';

const signal = new AbortController().signal;

/** A world of objects by name, as the API has them; the graph knows what it was told. */
class World {
  readonly objects = new Map<string, ObjectMeta>();
  readonly graph = new DependencyGraph();
  /** The API calls and reports, in order. */
  readonly log: string[] = [];
  complete = true;
  /** The next change finds the object in another state. */
  interfere: (() => void) | undefined;
  readonly letGo = new LetGoOwners(10);
  readonly absent = new BoundedMap<string, true>(100);
  #version = 100;

  /** Puts an object where the API finds it, and into the graph unless told otherwise. */
  put(uid: string, metadata: ObjectMeta = {}, { known = true } = {}): void {
    const resourceVersion = String(this.#version++);
    const full = { name: uid, namespace: 'n', uid, resourceVersion, ...metadata };
    this.objects.set(full.name, full);
    if (known) this.observe(full);
  }

  observe(metadata: ObjectMeta): void {
    const { uid = '', ownerReferences = [] } = metadata;
    const stage = deletionStageFromMetadata(metadata);
    this.graph.observe(graphObject(uid, { metadata, owners: ownerReferences, stage }));
  }

  #change(kind: string, name: string, state: { uid: string; resourceVersion: string }): boolean {
    const { interfere } = this;
    this.interfere = undefined;
    interfere?.();
    const { uid, resourceVersion } = this.objects.get(name) ?? {};
    const holds = uid === state.uid && resourceVersion === state.resourceVersion;
    this.log.push(holds ? `${kind} ${name}` : `${kind} ${name} refused`);
    return holds;
  }

  readonly api: GarbageApi = {
    read: async ({ name }) => {
      this.log.push(`read ${name}`);
      return this.objects.get(name);
    },
    remove: async ({ name }, state, { propagation }) => {
      if (!this.objects.has(name)) return 'gone';
      if (!this.#change(`remove ${propagation}`, name, state)) return 'changed';
      this.objects.delete(name);
      return 'done';
    },
    replace: async ({ name }, state, { metadata }) => {
      const current = this.objects.get(name);
      if (current === undefined) return { kind: 'gone' };
      if (!this.#change('replace', name, state)) return { kind: 'changed' };
      const next = { ...current, ...metadata, resourceVersion: String(this.#version++) };
      this.objects.set(name, next);
      return { kind: 'done', metadata: next };
    },
  };

  get world(): GarbageWorld {
    return {
      graph: this.graph,
      api: this.api,
      owners: {
        findKind: (_apiVersion, kind) => [configMaps, nodes].find(type => type.kind === kind),
        absent: this.absent,
        wasLetGo: (uid, createdAt) => this.letGo.has(uid, createdAt),
      },
      isComplete: () => this.complete,
      onInvalidOwner: async ({ uid }, reference) => void this.log.push(`invalid ${uid} ${reference.uid}`),
      onLetGo: owner => this.letGo.add(owner),
      onRemoved: () => {},
    };
  }

  async reconcile(uid: string): Promise<string> {
    return (await reconcileObject(uid, this.world, signal)).kind;
  }

  listOwners(uid: string): string[] {
    return (this.objects.get(uid)?.ownerReferences ?? []).map(owner => owner.uid);
  }
}

const deleted = '2026-01-01T00:00:00Z';
const foreground = { deletionTimestamp: deleted, finalizers: ['foregroundDeletion', 'x/y'] };
const orphaning = { deletionTimestamp: deleted, finalizers: ['orphan'] };
const blocking = { blockOwnerDeletion: true };

test('an object with an owner in the graph is kept without an API call', async () => {
  const world = new World();
  world.put('owner');
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  assert.equal(await world.reconcile('a'), 'done');
  assert.deepEqual(world.log, []);
});

test('an object whose owner is only in the API is kept and reconciled again', async () => {
  const world = new World();
  world.put('owner', {}, { known: false });
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  assert.equal(await world.reconcile('a'), 'retry');
  assert.deepEqual(world.log, ['read owner']);
});

test('an object without its owner is deleted with a precondition on its observed state', async () => {
  const world = new World();
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  assert.equal(await world.reconcile('a'), 'done');
  assert.deepEqual(world.log, ['read owner', 'remove Background a']);
});

test('an object that gets a new owner before its deletion is kept', async () => {
  const world = new World();
  world.put('new-owner');
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  world.interfere = () => world.put('a', { ownerReferences: [ownedBy('new-owner')] }, { known: false });
  assert.equal(await world.reconcile('a'), 'done');
  assert.deepEqual(world.log, ['read owner', 'remove Background a refused', 'read a', 'read new-owner']);
  assert.ok(world.objects.has('a'));
});

test('an object that changes during each attempt is reconciled again', async () => {
  const world = new World();
  const ownerReferences = [ownedBy('owner')];
  world.put('a', { ownerReferences });
  world.interfere = () => {
    world.put('a', { ownerReferences }, { known: false });
    world.interfere = () => world.put('a', { ownerReferences }, { known: false });
  };
  assert.equal(await world.reconcile('a'), 'retry');
  assert.ok(world.objects.has('a'));
  assert.equal(await world.reconcile('a'), 'done');
  assert.ok(!world.objects.has('a'));
});

test('an owner with the same name and another uid does not count', async () => {
  const world = new World();
  world.put('owner', { uid: 'another' }, { known: false });
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  assert.equal(await world.reconcile('a'), 'done');
  assert.deepEqual([...world.objects.keys()], ['owner']);
});

test('a failed API call does not count as absence of the owner', async () => {
  const world = new World();
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  const read: GarbageApi['read'] = async (address, stop) => {
    if (address.name === 'owner') throw new Error('down');
    return world.api.read(address, stop);
  };
  const failing = { ...world.world, api: { ...world.api, read } };
  await assert.rejects(reconcileObject('a', failing, signal), /down/);
  assert.ok(world.objects.has('a'));
});

test('an object with an owner of an unknown kind is reconciled again', async () => {
  const world = new World();
  world.put('a', { ownerReferences: [ownedBy('owner', { kind: 'Beacon' })] });
  assert.equal(await world.reconcile('a'), 'retry');
  assert.deepEqual(world.log, []);
});

test('the absence of an owner is looked up once for many dependents', async () => {
  const world = new World();
  for (const name of ['a', 'b', 'c']) world.put(name, { ownerReferences: [ownedBy('owner')] });
  for (const name of ['a', 'b', 'c']) await world.reconcile(name);
  assert.equal(world.log.filter(entry => entry === 'read owner').length, 1);
  assert.equal(world.objects.size, 0);
});

test('an owner in another namespace is reported, and the object is deleted', async () => {
  const world = new World();
  world.graph.observe(graphObject('owner', { namespace: 'other' }));
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  await world.reconcile('a');
  assert.deepEqual(world.log, ['read owner', 'invalid a owner', 'remove Background a']);
});

test('a cluster-scoped object with a namespaced owner is kept and reported', async () => {
  const world = new World();
  const ownerReferences = [ownedBy('owner')];
  world.graph.observe(
    graphObject('a', { type: nodes, owners: ownerReferences, metadata: { ownerReferences } }),
  );
  assert.equal(await world.reconcile('a'), 'done');
  assert.deepEqual(world.log, ['invalid a owner']);
});

test('a foreground deletion removes its finalizer when no dependent blocks it, and keeps other finalizers', async () => {
  const world = new World();
  world.put('owner', foreground);
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  assert.equal(await world.reconcile('owner'), 'done');
  assert.deepEqual(world.objects.get('owner')?.finalizers, ['x/y']);
});

test('a foreground deletion waits while a dependent blocks it, even if the dependent is being deleted', async () => {
  for (const stage of [{}, foreground, { deletionTimestamp: deleted, finalizers: ['x/y'] }]) {
    const world = new World();
    world.put('owner', foreground);
    world.put('a', { ownerReferences: [ownedBy('owner', blocking)], ...stage });
    assert.equal(await world.reconcile('owner'), 'done');
    assert.deepEqual(world.log, []);
  }
});

for (const [what, stage] of [
  ['in the foreground', foreground],
  ['without its dependents', orphaning],
] as const) {
  test(`the deletion of an owner ${what} waits while a type is unlisted`, async () => {
    const world = new World();
    world.put('owner', stage);
    world.complete = false;
    assert.equal(await world.reconcile('owner'), 'retry');
    assert.deepEqual(world.objects.get('owner')?.finalizers, stage.finalizers);
  });
}

test('in a cycle of owners the last one stops blocking before it is deleted', async () => {
  const world = new World();
  world.put('a', { ...foreground, ownerReferences: [ownedBy('b', blocking)] });
  world.put('b', { ownerReferences: [ownedBy('a', blocking)] });
  const references: unknown[] = [];
  const remove: GarbageApi['remove'] = async (address, ...rest) => {
    references.push(world.objects.get(address.name)?.ownerReferences);
    return world.api.remove(address, ...rest);
  };
  await reconcileObject('b', { ...world.world, api: { ...world.api, remove } }, signal);
  assert.deepEqual(references, [[{ ...ownedBy('a'), blockOwnerDeletion: false }]]);
  assert.deepEqual(world.log, ['read a', 'replace b', 'remove Foreground b']);
});

test('dependents are orphaned in their current state before their owner is deleted', async () => {
  const world = new World();
  world.put('owner', orphaning);
  world.put('other');
  world.put('a', { ownerReferences: [ownedBy('owner'), ownedBy('other')] });
  world.put('b', { ownerReferences: [ownedBy('owner')] });
  world.put('b', { ownerReferences: [ownedBy('owner')], labels: { now: 'other' } }, { known: false });
  world.put('c', { ownerReferences: [ownedBy('owner')] });
  world.objects.delete('c');
  assert.equal(await world.reconcile('owner'), 'done');
  assert.deepEqual([world.listOwners('a'), world.listOwners('b')], [['other'], []]);
  assert.deepEqual(world.objects.get('b')?.labels, { now: 'other' });
  assert.deepEqual(world.objects.get('owner')?.finalizers, []);
  assert.equal(world.log.at(-1), 'replace owner');
});

test('an owner keeps its orphan finalizer when a dependent cannot be updated', async () => {
  const world = new World();
  world.put('owner', orphaning);
  world.put('a', { ownerReferences: [ownedBy('owner')] });
  const replace: GarbageApi['replace'] = async () => {
    throw new Error('down');
  };
  const failing = { ...world.world, api: { ...world.api, replace } };
  await assert.rejects(reconcileObject('owner', failing, signal), /down/);
  assert.deepEqual(world.objects.get('owner')?.finalizers, ['orphan']);
});

test('a dependent observed after the orphaning is orphaned if it is older, and deleted if it is younger', async () => {
  const world = new World();
  world.put('owner', orphaning);
  await world.reconcile('owner');
  world.objects.delete('owner');
  world.graph.forget('owner');
  const ownerReferences = [ownedBy('owner')];
  world.put('old', { ownerReferences, creationTimestamp: deleted });
  world.put('young', { ownerReferences, creationTimestamp: '2026-01-01T00:00:01Z' });
  assert.equal(await world.reconcile('old'), 'retry');
  assert.equal(await world.reconcile('young'), 'done');
  assert.deepEqual([...world.objects.keys(), ...world.listOwners('old')], ['old']);
});
