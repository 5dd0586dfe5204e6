import { type JsonObject, type JsonValue, setOwnProperty } from '@binnacle/api-objects';
import { pickOne, pickSome, type Random } from './random.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** The parts of a pod that the properties check. */
export interface TestPod {
  readonly metadata: { readonly labels: JsonObject; readonly finalizers: string[] };
  readonly spec: { readonly containers: TestContainer[]; readonly nodeName?: string };
}

/** A container; `name` identifies it. */
export interface TestContainer extends JsonObject {
  readonly name: string;
}

/** Returns a pod with lists that merge by key, lists that merge as sets, lists that do not merge, and maps. */
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

/** Returns a patch of pods without directives: random parts of a pod, with nulls. */
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

/** Returns the strategic merge patch, with directives, that turns one pod into another, as clients create it. */
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

/** Returns a patch that replaces a container: its list of ports would merge otherwise. */
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
