import type { ResourceDefinition } from '@binnacle/api-types';
import type { Operation } from '@binnacle/proto';
import type { TypeCache } from '@binnacle/watch-cache';
import type { EquivalentResources } from './equivalent-resources.ts';
import { type MatchedType, matchesType } from './matches-rules.ts';
import type { WebhookRule } from './webhook.ts';

/** Returns the configured webhooks or policies that can match a write, in their order. */
export type Candidates<T> = (type: MatchedType) => readonly T[];

/** The rules that decide whether a webhook or policy can match a type. */
interface TypeRules {
  /** Rules of which one must match the type; undefined: every type. */
  readonly rules: readonly WebhookRule[] | undefined;
  readonly matchesEquivalents: boolean;
}

/** Options of candidates. */
interface CandidateOptions<T> {
  /** The caches of the configuration. */
  readonly caches: readonly TypeCache[];
  /** Reads the configuration. */
  readonly read: () => readonly T[];
  readonly rulesOf: (one: T) => TypeRules;
  readonly equivalents: EquivalentResources;
}

/**
 * Creates a table of candidates by type and operation. The configuration is read when it has changed, and each entry of the table is
 * filled by the first write of its type and operation: a write without candidates costs two look-ups.
 */
export function createCandidates<T>({
  caches,
  read,
  rulesOf,
  equivalents,
}: CandidateOptions<T>): Candidates<T> {
  let configured: readonly T[] | undefined;
  let table = new WeakMap<ResourceDefinition, Map<Operation, readonly T[]>>();
  for (const cache of caches)
    cache.subscribe(() => {
      configured = undefined;
    });
  return type => {
    if (configured === undefined) {
      configured = read();
      table = new WeakMap();
    }
    if (configured.length === 0) return configured;
    const { definition, operation } = type;
    let byOperation = table.get(definition);
    if (byOperation === undefined) {
      byOperation = new Map();
      table.set(definition, byOperation);
    }
    let candidates = byOperation.get(operation);
    if (candidates === undefined) {
      candidates = configured.filter(one => canConcern(rulesOf(one), type, equivalents));
      byOperation.set(operation, candidates);
    }
    return candidates;
  };
}

function canConcern(
  { rules, matchesEquivalents }: TypeRules,
  type: MatchedType,
  equivalents: EquivalentResources,
): boolean {
  if (rules === undefined || matchesType(rules, type)) return true;
  const { operation, definition } = type;
  return (
    matchesEquivalents &&
    equivalents(definition).some(other => matchesType(rules, { operation, definition: other }))
  );
}
