import { oneOf, type Random } from '../../fuzz/random.ts';

/** What is done to a process. `kill` and `stop` end it and start it again afterwards, `freeze` lets it go on. */
export type FaultKind = 'kill' | 'stop' | 'freeze';

/** One fault of a plan. */
export interface PlannedFault {
  /** Milliseconds after the end of the fault before, or after the beginning where that one has been left alone. */
  readonly afterMs: number;
  readonly kind: FaultKind;
  /** Names of processes; `publisher` is the storage pod that publishes at that moment. */
  readonly targets: readonly string[];
  readonly forMs: number;
}

/** What can be done, and how often compared with the others. */
export interface FaultChoice {
  readonly weight: number;
  readonly kinds: readonly FaultKind[];
  readonly targets: readonly (readonly string[])[];
  readonly longestMs: number;
}

const pods = ['gateway', 'admission', 'token-review', 'webhook-dispatch', 'storage', 'controller-manager'];

/** The faults of the form with one server of each backend. */
export const faultChoices: readonly FaultChoice[] = [
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
  { weight: 2, kinds: ['kill', 'stop', 'freeze'], targets: [['etcd-1']], longestMs: 9_000 },
  { weight: 2, kinds: ['kill', 'stop', 'freeze'], targets: [['kafka-1']], longestMs: 15_000 },
  { weight: 1, kinds: ['kill', 'freeze'], targets: [['redis-1']], longestMs: 10_000 },
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

const shortestMs = 300;

/** The faults of a seed, without end; a run takes as many as fit. */
export function* planFaults(random: Random, choices = faultChoices): Generator<PlannedFault, never> {
  const all = choices.flatMap(choice => Array.from({ length: choice.weight }, () => choice));
  for (;;) {
    const { kinds, targets, longestMs } = oneOf(random, all);
    yield {
      afterMs: 500 + random(6000),
      kind: oneOf(random, kinds),
      targets: oneOf(random, targets),
      forMs: shortestMs + random(longestMs - shortestMs),
    };
  }
}
