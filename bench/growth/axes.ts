const workNames = [
  'create',
  'get',
  'patch',
  'list',
  'list-by-label',
  'list-page',
  'delivery',
  'watched-write',
] as const;
/** A kind of work whose cost is measured. */
export type WorkName = (typeof workNames)[number];

/** The unit of each work. */
export const units: Readonly<Record<WorkName, string>> = {
  create: 'request',
  get: 'request',
  patch: 'request',
  list: 'object listed',
  'list-by-label': 'request',
  'list-page': 'request',
  delivery: 'delivered event',
  'watched-write': 'write',
};

/** Everything that can grow. An axis changes one of these from step to step, and holds the others. */
export interface Setting {
  readonly objects: number;
  readonly objectBytes: number;
  /** Namespaces that the objects are spread over. */
  readonly namespaces: number;
  /** Watchers that get every write. */
  readonly watchers: number;
  /** Watches on one connection of HTTP/2; 0: each has a connection of HTTP/1.1. */
  readonly watchesOnConnection: number;
  /** Label selectors that no write matches; `otherWatchers` share them. */
  readonly selectors: number;
  readonly otherWatchers: number;
  /** Writes a second that watchers get. */
  readonly writesPerSecond: number;
  /** Requests a second of works without watchers. */
  readonly requestsPerSecond: number;
  /** Gateways that run. */
  readonly gateways: number;
}

/** One thing that grows, from step to step. */
export interface Axis {
  readonly name: string;
  readonly description: string;
  readonly unit: string;
  readonly grows: keyof Setting;
  readonly steps: readonly number[];
  readonly base: Setting;
  /** The works, and the power of the axis with which the cost of a unit may grow: 0 for not at all, 1 in proportion. */
  readonly works: Partial<Record<WorkName, number>>;
  /** Watchers are on all gateways, and writes go through the first. Otherwise they are on the first, and writes go through the last. */
  readonly isSpread?: boolean;
  /** Each step has objects of its own; those of the step before are deleted. */
  readonly isAnew?: boolean;
  /** Each further unit takes memory of its own, which is reported. */
  readonly usesMemory?: boolean;
  /** Measurements take so many times as long as others. */
  readonly stepFactor?: number;
}

/** The setting from which each axis starts, unless it says otherwise. */
const base: Setting = {
  objects: 1_000,
  objectBytes: 1_024,
  namespaces: 1,
  watchers: 100,
  watchesOnConnection: 0,
  selectors: 0,
  otherWatchers: 0,
  writesPerSecond: 40,
  requestsPerSecond: 100,
  gateways: 2,
};

const kib = 1_024;

/** Every axis, in the order in which they run. */
export const axes: readonly Axis[] = [
  {
    name: 'watchers',
    description: 'Watchers of one gateway over HTTP/1.1, each on a connection of its own.',
    unit: 'watchers',
    grows: 'watchers',
    steps: [100, 300, 1_000, 3_000, 10_000],
    base: { ...base, writesPerSecond: 10 },
    usesMemory: true,
    works: { delivery: 0 },
    stepFactor: 2,
  },
  {
    name: 'watchers-http2',
    description: 'Watchers of one gateway over HTTP/2.',
    unit: 'watchers',
    grows: 'watchers',
    steps: [100, 300, 1_000, 3_000, 10_000],
    base: { ...base, writesPerSecond: 10, watchesOnConnection: 100 },
    usesMemory: true,
    works: { delivery: 0 },
    stepFactor: 2,
  },
  {
    name: 'gateways',
    description: 'Gateways that share the watchers; each of them follows every change.',
    unit: 'gateways',
    grows: 'gateways',
    steps: [1, 2, 3, 4],
    base: { ...base, watchers: 400, writesPerSecond: 20 },
    // Each gateway reads each change: in proportion, were that all that a write costs.
    works: { patch: 1, delivery: 1 },
    isSpread: true,
  },
  {
    name: 'objects',
    description: 'Objects of one namespace.',
    unit: 'objects',
    grows: 'objects',
    steps: [1_000, 5_000, 20_000, 60_000, 200_000],
    base,
    usesMemory: true,
    works: { create: 0, get: 0, patch: 0, list: 0, 'list-by-label': 0, 'list-page': 0, delivery: 0 },
  },
  {
    name: 'object-bytes',
    description: 'Bytes of data in each object.',
    unit: 'bytes',
    grows: 'objectBytes',
    steps: [1, 4, 16, 64, 256, 500].map(size => size * kib),
    base: { ...base, objects: 100, watchers: 10, writesPerSecond: 5, requestsPerSecond: 20 },
    works: { create: 1, get: 1, patch: 1, delivery: 1 },
    isAnew: true,
  },
  {
    name: 'namespaces',
    description: 'Namespaces that the objects are spread over; watchers and lists take all of them.',
    unit: 'namespaces',
    grows: 'namespaces',
    steps: [10, 100, 1_000, 5_000],
    base: { ...base, objects: 5_000 },
    usesMemory: true,
    works: { create: 0, get: 0, patch: 0, list: 0, delivery: 0 },
    isAnew: true,
  },
  {
    name: 'selectors',
    description:
      'Label selectors of 1,000 watchers that no write matches, beside watchers that get each write.',
    unit: 'selectors',
    grows: 'selectors',
    steps: [1, 10, 100, 1_000],
    base: { ...base, watchers: 10, otherWatchers: 1_000 },
    works: { 'watched-write': 0 },
  },
  {
    name: 'unwatched-writes',
    description: 'Writes a second through one gateway; the other one, which has no watchers, follows them.',
    unit: 'writes/s',
    grows: 'requestsPerSecond',
    steps: [10, 40, 100, 400, 1_000, 2_000],
    base,
    works: { patch: 0 },
  },
  {
    name: 'writes',
    description: 'Writes a second, each of which every watcher gets.',
    unit: 'writes/s',
    grows: 'writesPerSecond',
    steps: [10, 40, 100, 400, 1_000, 2_000],
    base,
    works: { 'watched-write': 0 },
  },
];

/** The choice of axes and steps on the command line. */
export interface AxisChoice {
  /** Names of axes; empty: all. */
  readonly only: readonly string[];
  /** `axis=value`: greater steps of that axis are left out. */
  readonly most: readonly string[];
  /** Whether the server has gateways that can be added. */
  readonly hasGateways: boolean;
}

/** The axes that are chosen, with the steps that are chosen of each. Throws an `Error` for a choice that does not exist. */
export function chooseAxes({ only, most, hasGateways }: AxisChoice): readonly Axis[] {
  const possible = axes.filter(({ grows }) => hasGateways || grows !== 'gateways');
  const names = possible.map(({ name }) => name).join(', ');
  const find = (name: string): Axis => {
    const axis = possible.find(candidate => candidate.name === name);
    if (axis === undefined) throw new Error(`no axis is called ${name}; there are ${names}`);
    return axis;
  };
  const limits = new Map<string, number>();
  for (const text of most) {
    const [name = '', value = ''] = text.split('=');
    const axis = find(name);
    const limit = Number(value);
    if (!/^\d+$/.test(value) || limit < (axis.steps[0] ?? 0))
      throw new Error(
        `${text}: must be ${name}=number, and at least ${axis.steps[0]}, which is the first step`,
      );
    limits.set(name, limit);
  }
  const chosen = only.length === 0 ? possible : only.map(find);
  const unused = [...limits.keys()].filter(name => !chosen.some(axis => axis.name === name));
  if (unused.length > 0)
    throw new Error(`the axis ${unused.join(', ')} has a greatest step and is not chosen`);
  return chosen.map(axis => {
    const limit = limits.get(axis.name) ?? Number.POSITIVE_INFINITY;
    return { ...axis, steps: axis.steps.filter(step => step <= limit) };
  });
}
