import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeGraph } from './node-graph.ts';
import {
  type PodReferences,
  type ReferredType,
  referenceKey,
  type VolumeReferences,
} from './object-references.ts';

const nodes = ['n1', 'n2', 'n3'];
const namespaces = ['a', 'b'];
const names = ['x', 'y', 'z'];
const types: readonly ReferredType[] = [
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'persistentvolumes',
  'serviceaccounts',
  'volumeattachments',
];

/** The same graph without indexes: it looks through everything for each question. */
class SlowGraph {
  readonly pods = new Map<string, PodReferences>();
  readonly volumes = new Map<string, VolumeReferences>();
  readonly attachments = new Map<string, string>();

  isRelated(
    node: string,
    type: ReferredType,
    { namespace, name }: { namespace: string; name: string },
  ): boolean {
    if (type === 'volumeattachments') return this.attachments.get(name) === node;
    const pods = [...this.pods.values()].filter(pod => pod.node === node);
    const claims = pods.flatMap(pod => pod.claims);
    const volumes = [...this.volumes].filter(
      ([, { claim }]) => claim !== undefined && claims.includes(claim),
    );
    const key = referenceKey(type, namespace, name);
    if (type === 'persistentvolumes') return volumes.some(([volume]) => volume === name);
    const secrets = volumes.flatMap(([, volume]) => volume.secrets);
    return [...pods.flatMap(pod => pod.things), ...claims, ...secrets].includes(key);
  }
}

function randomFrom(seed: number) {
  let state = seed;
  const below = (bound: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % bound;
  };
  const pick = <T>(values: readonly [T, ...T[]] | readonly T[]): T => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error('nothing to pick from');
    return value;
  };
  return { below, pick };
}

type Random = ReturnType<typeof randomFrom>;

function randomKeys({ below, pick }: Random, type: ReferredType): string[] {
  const keys = Array.from({ length: below(3) }, () => referenceKey(type, pick(namespaces), pick(names)));
  return [...new Set(keys)];
}

/** Changes both graphs in the same way. */
function change(random: Random, graph: NodeGraph, slow: SlowGraph): void {
  const { below, pick } = random;
  const [namespace, name] = [pick(namespaces), pick(names)];
  switch (below(6)) {
    case 0:
      slow.pods.delete(`${namespace}/${name}`);
      graph.removePod(namespace, name);
      break;
    case 1:
      slow.volumes.delete(name);
      graph.removeVolume(name);
      break;
    case 2: {
      const [claim] = randomKeys(random, 'persistentvolumeclaims');
      const references = { claim, secrets: randomKeys(random, 'secrets') };
      slow.volumes.set(name, references);
      graph.putVolume(name, references);
      break;
    }
    case 3:
      changeAttachment(random, graph, slow);
      break;
    default: {
      const things = (['secrets', 'configmaps', 'serviceaccounts'] as const).flatMap(type =>
        randomKeys(random, type),
      );
      const node = pick(['', ...nodes]);
      const references = { node, things, claims: randomKeys(random, 'persistentvolumeclaims') };
      slow.pods.set(`${namespace}/${name}`, references);
      graph.putPod(namespace, name, references);
    }
  }
}

function changeAttachment({ below, pick }: Random, graph: NodeGraph, slow: SlowGraph): void {
  const name = pick(names);
  if (below(2) === 0) {
    slow.attachments.delete(name);
    graph.removeAttachment(name);
    return;
  }
  const node = pick(nodes);
  slow.attachments.set(name, node);
  graph.putAttachment(name, node);
}

for (const seed of [1, 2, 3, 4])
  test(`after any changes the graph equals a reference without indexes (seed ${seed})`, () => {
    const random = randomFrom(seed);
    const graph = new NodeGraph();
    const slow = new SlowGraph();
    let related = 0;
    for (let step = 0; step < 2_000; step++) {
      change(random, graph, slow);
      for (let question = 0; question < 10; question++) {
        const [node, type] = [random.pick(nodes), random.pick(types)];
        const object = { namespace: random.pick(namespaces), name: random.pick(names) };
        const expected = slow.isRelated(node, type, object);
        if (expected) related++;
        const what = `step ${step}: ${type} ${object.namespace}/${object.name} for ${node}`;
        assert.equal(graph.isRelated(node, type, object), expected, what);
      }
    }
    assert.ok(related > 1_000, `${related} questions had a yes`);
    for (const namespace of namespaces) for (const name of names) graph.removePod(namespace, name);
    for (const name of names) {
      graph.removeVolume(name);
      graph.removeAttachment(name);
    }
    assert.ok(graph.isEmpty, 'nothing is left when every object is gone');
  });

const secret = referenceKey('secrets', 'a', 'x');
const object = { namespace: 'a', name: 'x' };

test('a node can read a secret until its last pod with that secret is gone', () => {
  const graph = new NodeGraph();
  for (const name of ['p', 'q']) graph.putPod('a', name, { node: 'n1', things: [secret], claims: [] });
  graph.removePod('a', 'p');
  assert.ok(graph.isRelated('n1', 'secrets', object));
  graph.removePod('a', 'q');
  assert.ok(!graph.isRelated('n1', 'secrets', object));
});

test('a pod of the same name on another node moves its references there', () => {
  const graph = new NodeGraph();
  graph.putPod('a', 'p', { node: 'n1', things: [secret], claims: [] });
  graph.putPod('a', 'p', { node: 'n2', things: [secret], claims: [] });
  assert.ok(!graph.isRelated('n1', 'secrets', object));
  assert.ok(graph.isRelated('n2', 'secrets', object));
});

test('a claim that is bound after its pod leads to its volume and the secret of the volume', () => {
  const graph = new NodeGraph();
  const claim = referenceKey('persistentvolumeclaims', 'a', 'c');
  graph.putPod('a', 'p', { node: 'n1', things: [], claims: [claim] });
  assert.ok(!graph.isRelated('n1', 'secrets', object));
  graph.putVolume('pv', { claim, secrets: [secret] });
  assert.ok(graph.isRelated('n1', 'secrets', object));
  assert.ok(graph.isRelated('n1', 'persistentvolumes', { namespace: '', name: 'pv' }));
  graph.putVolume('pv', { claim: undefined, secrets: [] });
  assert.ok(!graph.isRelated('n1', 'secrets', object));
});
