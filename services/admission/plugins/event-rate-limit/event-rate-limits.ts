import { groups } from '@binnacle/api-names';
import { isJsonObject, type JsonObject } from '@binnacle/api-objects';
import { asText, canonicalApiVersion } from '@binnacle/api-types';
import { FlagError } from '@binnacle/flags';

/** The key by which a limit counts. */
export type EventLimitType = 'Server' | 'Namespace' | 'User' | 'SourceAndObject';

/** One limit of the configuration. */
export interface EventRateLimit {
  readonly type: EventLimitType;
  /** Events a second that are admitted in the long run. */
  readonly qps: number;
  /** Events that are admitted at once. */
  readonly burst: number;
  /** Namespaces, users or sources that have a counter of their own; the least recently seen is dropped first. */
  readonly cacheSize: number;
}

const expectedVersion = `${groups.eventratelimit}/v1alpha1`;
const types: readonly string[] = ['Server', 'Namespace', 'User', 'SourceAndObject'];
const fields: readonly string[] = ['type', 'qps', 'burst', 'cacheSize'];
const defaultCacheSize = 4096;
/** The largest cache size: a larger table of counters would bound nothing. */
const mostCached = 1_000_000;

/** Reads the configuration of the plugin (spec 2, "Built-in admission controllers"); throws a FlagError for any other. */
export function parseEventRateLimits(document: JsonObject | undefined): readonly EventRateLimit[] {
  if (document === undefined) throw problem('it needs a configuration');
  const { apiVersion, kind, limits } = document;
  if (kind !== 'Configuration' || canonicalApiVersion(asText(apiVersion)) !== expectedVersion)
    throw problem(`its configuration must be of kind Configuration, ${expectedVersion}`);
  if (!Array.isArray(limits) || limits.length === 0) throw problem('it needs at least one limit');
  return limits.map((limit, index) => limitFrom(isJsonObject(limit) ? limit : {}, `limits[${index}]`));
}

function limitFrom(limit: JsonObject, at: string): EventRateLimit {
  const unknown = Object.keys(limit).find(field => !fields.includes(field));
  if (unknown !== undefined) throw problem(`${at} has the unknown field ${JSON.stringify(unknown)}`);
  const { type, qps, burst, cacheSize } = limit;
  if (typeof type !== 'string' || !types.includes(type))
    throw problem(`${at}.type must be one of ${types.join(', ')}`);
  const size = wholeNumber(cacheSize ?? 0, 0, `${at}.cacheSize`);
  return {
    type: type as EventLimitType, // One of the types.
    qps: wholeNumber(qps, 1, `${at}.qps`),
    burst: wholeNumber(burst, 1, `${at}.burst`),
    cacheSize: size === 0 ? defaultCacheSize : size,
  };
}

function wholeNumber(value: unknown, least: number, at: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > mostCached)
    throw problem(`${at} must be a whole number from ${least} to ${mostCached}`);
  return value;
}

function problem(what: string): FlagError {
  return new FlagError(`admission plugin EventRateLimit: ${what}`);
}
