import type { Event as CoreEvent, ObjectReference } from '@binnacle/api-types/core/v1';
import type { Event as EventsEvent } from '@binnacle/api-types/events/v1';
import { BoundedMap } from '@binnacle/event-loop';
import type { Review } from '../../chain/review.ts';
import type { EventLimitType, EventRateLimit } from './event-rate-limits.ts';

/** The counter of one limit. */
interface EventLimiter {
  readonly type: EventLimitType;
  /** Counts an event; returns whether it is within the limit. */
  admits(review: Review): boolean;
}

/** Creates a limiter with a counter for each key of its type, at most `cacheSize` at a time. */
export function createEventLimiter(limit: EventRateLimit, clock: () => number): EventLimiter {
  const { type, cacheSize } = limit;
  const buckets = new BoundedMap<string, TokenBucket>(cacheSize);
  return {
    type,
    admits(review) {
      const key = bucketKey(type, review);
      const bucket = buckets.get(key) ?? createTokenBucket(limit, clock);
      buckets.set(key, bucket);
      return bucket.take();
    },
  };
}

function bucketKey(type: EventLimitType, review: Review): string {
  switch (type) {
    case 'Server':
      return '';
    case 'Namespace':
      return review.namespace;
    case 'User':
      return review.user.username;
    case 'SourceAndObject':
      return sourceAndObjectKey(review);
  }
}

function sourceAndObjectKey({ definition, object }: Review): string {
  return (definition.group === '' ? partsOfCore(object) : partsOfEvents(object)).join('\n');
}

/** The parts of a core event's key: its source counts, the reporting component does not. */
function partsOfCore(event: CoreEvent | undefined): readonly (string | undefined)[] {
  const { component, host } = event?.source ?? {};
  return [component, host, ...partsOfObject(event?.involvedObject)];
}

function partsOfEvents(event: EventsEvent | undefined): readonly (string | undefined)[] {
  const { component, host } = event?.deprecatedSource ?? {};
  return [
    component ?? event?.reportingController,
    host ?? event?.reportingInstance,
    ...partsOfObject(event?.regarding),
  ];
}

function partsOfObject(reference: ObjectReference = {}): readonly (string | undefined)[] {
  const { kind, namespace, name, uid, apiVersion } = reference;
  return [kind, namespace, name, uid, apiVersion];
}

/** A token bucket. */
interface TokenBucket {
  /** Takes one token; returns whether there was one. */
  take(): boolean;
}

/** Creates a bucket of `burst` tokens, full at first, that gains `qps` tokens a second; `clock` is in milliseconds. */
function createTokenBucket(
  { qps, burst }: { readonly qps: number; readonly burst: number },
  clock: () => number,
): TokenBucket {
  let tokens = burst;
  let at = clock();
  return {
    take() {
      const now = clock();
      // A clock that was set back adds nothing.
      tokens = Math.min(burst, tokens + (Math.max(0, now - at) / 1000) * qps);
      at = now;
      if (tokens < 1) return false;
      tokens--;
      return true;
    },
  };
}
