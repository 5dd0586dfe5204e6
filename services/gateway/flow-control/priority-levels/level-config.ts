import { type ApiObject, isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { asNumber, asObject, asText } from '@binnacle/api-types';
import type { Queuing } from '../fair-queuing/queue-set.ts';

/** A PriorityLevelConfiguration as flow control uses it. */
export interface LevelConfig {
  readonly name: string;
  /** "" for a mandatory level that is not stored yet. */
  readonly uid: string;
  /** Undefined: requests of the level are not limited. */
  readonly limits: LevelLimits | undefined;
}

/** What limits the requests of a level. */
export interface LevelLimits {
  readonly shares: number;
  /** How much of its seats other levels may borrow. */
  readonly lendablePercent: number;
  /** How much it may borrow, in percent of its own seats; undefined: anything. */
  readonly borrowingLimitPercent: number | undefined;
  /** Undefined: requests without a seat are rejected. */
  readonly queuing: Queuing | undefined;
}

/** Reads a stored PriorityLevelConfiguration. */
export function levelConfigFrom(object: ApiObject): LevelConfig {
  const spec = object['spec'];
  const { name = '', uid = '' } = object.metadata;
  return { ...levelConfigOfSpec(name, isJsonObject(spec) ? spec : {}), uid };
}

/** Reads the spec of a level that is not stored. */
export function levelConfigOfSpec(name: string, spec: JsonObject): LevelConfig {
  if (asText(spec['type']) === 'Exempt') return { name, uid: '', limits: undefined };
  const limited = asObject(spec['limited']) ?? {};
  const { borrowingLimitPercent } = limited;
  return {
    name,
    uid: '',
    limits: {
      shares: asNumber(limited['nominalConcurrencyShares']),
      lendablePercent: asNumber(limited['lendablePercent']),
      borrowingLimitPercent: typeof borrowingLimitPercent === 'number' ? borrowingLimitPercent : undefined,
      queuing: queuingOf(asObject(limited['limitResponse']) ?? {}),
    },
  };
}

function queuingOf(response: JsonObject): Queuing | undefined {
  const queuing = asObject(response['queuing']);
  if (asText(response['type']) !== 'Queue' || queuing === undefined) return undefined;
  return {
    queues: Math.max(1, asNumber(queuing['queues'])),
    handSize: Math.max(1, asNumber(queuing['handSize'])),
    queueLengthLimit: Math.max(1, asNumber(queuing['queueLengthLimit'])),
  };
}
