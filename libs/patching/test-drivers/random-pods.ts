import { type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { pickOne, pickSome, type Random } from './random.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The parts of a pod that the properties look at. */
export interface TestPod {
  readonly metadata: { readonly labels: JsonObject; readonly finalizers: string[] };
  readonly spec: { readonly containers: TestContainer[]; readonly nodeName?: string };
}

/** A container; `name` is what tells it from the others. */
export interface TestContainer extends JsonObject {
  readonly name: string;
}

/** A pod with lists that merge by key, lists that merge as sets, lists that do not merge, and maps. */
export function randomPod(random: Random): JsonObject & TestPod {
  const labels: JsonObject = {};
  for (const name of pickSome(random, names)) setOwnProperty(labels, name, `v${random(3)}`);
  return {
    metadata: { labels, finalizers: pickSome(random, names).map(name => `x.io/${name}`) },
    spec: {
      containers: pickSome(random, names).map(name => randomContainer(random, name)),
      ...(random(2) === 0 ? { nodeName: `n${random(3)}` } : {}),
    },
  };
}

/** A patch of pods without directives: some of what a pod has, with nulls. */
export function randomPodPatch(random: Random): JsonObject & TestPod {
  const pod = randomPod(random);
  const labels: JsonObject = {};
  for (const name of Object.keys(pod.metadata.labels))
    setOwnProperty(labels, name, random(3) === 0 ? null : (pod.metadata.labels[name] ?? null));
  const containers = pod.spec.containers.map(container =>
    random(3) === 0 ? { ...container, args: null } : container,
  );
  return { metadata: { ...pod.metadata, labels }, spec: { ...pod.spec, containers } };
}

/** The strategic merge patch that makes one pod of another, as clients write it: with directives. */
export function podPatchBetween(from: TestPod, to: TestPod): JsonObject {
  const { metadata, spec } = to;
  const gone = from.spec.containers.filter(({ name }) => !spec.containers.some(c => c.name === name));
  const { finalizers } = metadata;
  return {
    metadata: {
      labels: { $patch: 'replace', ...metadata.labels },
      finalizers: [...finalizers],
      '$setElementOrder/finalizers': [...finalizers],
      '$deleteFromPrimitiveList/finalizers': from.metadata.finalizers.filter(f => !finalizers.includes(f)),
    },
    spec: {
      $retainKeys: Object.keys(spec),
      ...spec,
      containers: [
        ...spec.containers.map(containerPatch),
        ...gone.map(({ name }): JsonObject => ({ $patch: 'delete', name })),
      ],
      '$setElementOrder/containers': spec.containers.map(({ name }): JsonObject => ({ name })),
    },
  };
}

/** A container that replaces the one of its name: the list of ports would merge otherwise. */
function containerPatch(container: TestContainer): JsonObject {
  const { ports } = container;
  const replaced = Array.isArray(ports) ? { ports: [{ $patch: 'replace' }, ...ports] } : {};
  return { $retainKeys: Object.keys(container), ...container, ...replaced };
}

function randomContainer(random: Random, name: string): TestContainer {
  const optional: [string, JsonValue][] = [
    ['image', `image:${random(3)}`],
    ['args', pickSome(random, names)],
    [
      'ports',
      pickSome(random, [80, 443, 8080]).map(containerPort => ({
        containerPort,
        protocol: pickOne(random, ['TCP', 'UDP']),
      })),
    ],
  ];
  return { name, ...Object.fromEntries(optional.filter(() => random(3) > 0)) };
}
