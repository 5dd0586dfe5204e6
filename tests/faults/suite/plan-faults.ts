import { pickOne, type Random } from '../../fuzz/random.ts';

/**
 * The faults of processes. `kill` and `stop` end them and start them again afterwards, `freeze` lets them go on, `slow` freezes them
 * for most of the time, again and again, `cut` cuts each of these members of etcd off from all others, `fill` takes all room from
 * their disks, `clock` steps their wall clocks.
 */
export type FaultKind = 'kill' | 'stop' | 'freeze' | 'slow' | 'cut' | 'fill' | 'clock';

/** Targets that are looked for when it is their turn, among the processes that run. */
export const roles = ['publisher', 'etcd-leader', 'etcd-follower', 'topic-leader'] as const;

/** The storage pod that publishes, the member of etcd that leads, one that does not, the broker that leads most of the topic. */
export type Role = (typeof roles)[number];

/** One fault of a plan. */
export interface PlannedFault {
  /** Milliseconds after the end of the fault before, or after the beginning where that one has been left alone. */
  readonly afterMs: number;
  readonly kind: FaultKind;
  /** Names of processes, or roles of some. */
  readonly targets: readonly (Role | string)[];
  readonly forMs: number;
  /** With `clock`: milliseconds by which the clocks are set ahead, or back where they are negative. */
  readonly stepMs?: number;
}

/** A kind of fault, and how often it is chosen compared with the others. */
interface FaultChoice {
  readonly weight: number;
  readonly kinds: readonly FaultKind[];
  readonly targets: readonly (readonly string[])[];
  readonly longestMs: number;
}

const pods = ['gateway', 'admission', 'token-review', 'webhook-dispatch', 'storage', 'controller-manager'];

/** Faults of the pods, whichever backends there are. */
const podChoices: readonly FaultChoice[] = [
  {
    weight: 6,
    kinds: ['kill', 'stop', 'freeze'],
    targets: pods.flatMap(pod => [[`${pod}-1`], [`${pod}-2`]]),
    longestMs: 12_000,
  },
  { weight: 2, kinds: ['kill', 'stop', 'freeze'], targets: [['publisher']], longestMs: 12_000 },
  // All pods of a service that answers for others.
  {
    weight: 1,
    kinds: ['kill', 'freeze'],
    targets: ['admission', 'token-review', 'storage'].map(pod => [`${pod}-1`, `${pod}-2`]),
    longestMs: 6_000,
  },
  { weight: 1, kinds: ['kill', 'freeze'], targets: [['redis-1']], longestMs: 10_000 },
  { weight: 1, kinds: ['slow'], targets: [['publisher'], ['gateway-1'], ['admission-1']], longestMs: 12_000 },
  {
    weight: 2,
    kinds: ['clock'],
    targets: [
      ...['publisher', ...pods.map(pod => `${pod}-1`), 'gateway-2', 'redis-1', 'kafka-1'].map(name => [name]),
      ['storage-1', 'storage-2'],
      ['gateway-1', 'controller-manager-2', 'storage-1'],
    ],
    longestMs: 15_000,
  },
];

/** Seconds by which clocks are stepped: certificates are valid for longer before, as they are on machines whose clocks differ. */
const clockSteps = [2, 30, 1800].flatMap(seconds => [seconds * 1000, -seconds * 1000]);

/** The names of the processes whose disks are small enough to be filled. */
export function smallDiskNames({ ha }: { readonly ha: boolean }): readonly string[] {
  return ha ? ['etcd-3', 'kafka-3'] : ['etcd-1', 'kafka-1'];
}

/** The faults of the form with one server of each backend. */
const singleChoices: readonly FaultChoice[] = [
  ...podChoices,
  { weight: 2, kinds: ['kill', 'stop', 'freeze', 'slow'], targets: [['etcd-1']], longestMs: 9_000 },
  { weight: 2, kinds: ['kill', 'stop', 'freeze', 'slow'], targets: [['kafka-1']], longestMs: 15_000 },
  { weight: 1, kinds: ['fill'], targets: [['etcd-1'], ['kafka-1']], longestMs: 10_000 },
  // Two things at once.
  {
    weight: 2,
    kinds: ['kill', 'freeze'],
    targets: [
      ['kafka-1', 'gateway-1'],
      ['publisher', 'kafka-1'],
      ['etcd-1', 'gateway-2'],
      ['publisher', 'etcd-1'],
      ['gateway-1', 'storage-1'],
      ['gateway-2', 'admission-1'],
    ],
    longestMs: 10_000,
  },
];

const etcdMembers = [['etcd-1'], ['etcd-2'], ['etcd-3']];
const twoEtcdMembers = [
  ['etcd-1', 'etcd-2'],
  ['etcd-2', 'etcd-3'],
  ['etcd-1', 'etcd-3'],
];

/** The faults of the form with backends of three: of each one member, which may lead, and most members. */
const clusterChoices: readonly FaultChoice[] = [
  ...podChoices,
  { weight: 4, kinds: ['kill', 'stop', 'freeze', 'slow', 'cut'], targets: etcdMembers, longestMs: 15_000 },
  {
    weight: 4,
    kinds: ['kill', 'freeze', 'slow', 'cut'],
    targets: [['etcd-leader'], ['etcd-leader'], ['etcd-follower']],
    longestMs: 15_000,
  },
  { weight: 2, kinds: ['kill', 'stop', 'freeze', 'slow'], targets: [['topic-leader']], longestMs: 15_000 },
  { weight: 2, kinds: ['kill', 'freeze', 'cut'], targets: twoEtcdMembers, longestMs: 8_000 },
  {
    weight: 1,
    kinds: ['fill'],
    targets: [['etcd-3'], ['kafka-3'], ['etcd-3', 'kafka-3']],
    longestMs: 15_000,
  },
  {
    weight: 3,
    kinds: ['kill', 'stop', 'freeze'],
    targets: [['kafka-1'], ['kafka-2'], ['kafka-3']],
    longestMs: 15_000,
  },
  {
    weight: 1,
    kinds: ['kill', 'freeze'],
    targets: [
      ['kafka-1', 'kafka-2'],
      ['kafka-2', 'kafka-3'],
    ],
    longestMs: 12_000,
  },
  {
    weight: 2,
    kinds: ['kill', 'freeze'],
    targets: [
      ['publisher', 'etcd-leader'],
      ['etcd-leader', 'topic-leader'],
      ['etcd-2', 'kafka-2'],
      ['gateway-1', 'etcd-3'],
      ['gateway-2', 'kafka-1'],
    ],
    longestMs: 10_000,
  },
];

const shortestMs = 300;

/** The faults of a seed, without end; a run takes as many as fit. `ha`: of the form with backends of three. */
export function* planFaults(
  random: Random,
  { ha }: { readonly ha: boolean },
): Generator<PlannedFault, never> {
  const choices = ha ? clusterChoices : singleChoices;
  const all = choices.flatMap(choice => Array.from({ length: choice.weight }, () => choice));
  for (;;) {
    const { kinds, targets, longestMs } = pickOne(random, all);
    const kind = pickOne(random, kinds);
    yield {
      afterMs: 500 + random(6000),
      kind,
      ...(kind === 'clock' ? { stepMs: pickOne(random, clockSteps) } : {}),
      targets: pickOne(random, targets),
      forMs: shortestMs + random(longestMs - shortestMs),
    };
  }
}
