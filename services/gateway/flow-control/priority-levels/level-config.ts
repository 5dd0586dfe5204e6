import type {
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '@binnacle/api-types/flowcontrol/v1beta3';
import type { Queuing } from '../fair-queuing/queue-set.ts';

/** A PriorityLevelConfiguration as flow control uses it. */
export interface LevelConfig {
  readonly name: string;
  /** "" for a mandatory level that is not stored yet. */
  readonly uid: string;
  /** Undefined: requests of the level are not limited. */
  readonly limits: LevelLimits | undefined;
}

/** The limits of a level's requests. */
export interface LevelLimits {
  readonly shares: number;
  /** Percentage of its seats that other levels may borrow. */
  readonly lendablePercent: number;
  /** Seats that it may borrow, in percent of its own; undefined: no limit. */
  readonly borrowingLimitPercent: number | undefined;
  /** Undefined: requests without a seat are rejected. */
  readonly queuing: Queuing | undefined;
}

/** Reads a stored PriorityLevelConfiguration. */
export function levelConfigFrom({ metadata, spec = {} }: PriorityLevelConfiguration): LevelConfig {
  const { name = '', uid = '' } = metadata;
  return { ...levelConfigOfSpec(name, spec), uid };
}

/** Reads the spec of a level that is not stored. */
export function levelConfigOfSpec(name: string, spec: PriorityLevelConfigurationSpec): LevelConfig {
  if (spec.type === 'Exempt') return { name, uid: '', limits: undefined };
  const { limited = {} } = spec;
  return {
    name,
    uid: '',
    limits: {
      shares: limited.nominalConcurrencyShares ?? 0,
      lendablePercent: limited.lendablePercent ?? 0,
      borrowingLimitPercent: limited.borrowingLimitPercent,
      queuing: queuingFromResponse(limited.limitResponse ?? {}),
    },
  };
}

function queuingFromResponse({ type, queuing }: LimitResponse): Queuing | undefined {
  if (type !== 'Queue' || queuing === undefined) return undefined;
  return {
    queues: Math.max(1, queuing.queues ?? 0),
    handSize: Math.max(1, queuing.handSize ?? 0),
    queueLengthLimit: Math.max(1, queuing.queueLengthLimit ?? 0),
  };
}
