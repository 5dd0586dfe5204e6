import type { Event as CoreEvent } from '@binnacle/api-types/core/v1';
import type { Event as EventsEvent } from '@binnacle/api-types/events/v1';
import type { Review } from '../../chain/review.ts';
import type { EventLimitType, EventRateLimit } from './event-rate-limits.ts';
import { createTokenBucket, type TokenBucket } from './token-bucket.ts';

/** One limit at work. */
interface EventLimiter {
  readonly type: EventLimitType;
  /** Counts an event; answers whether it is within the limit. */
  takes(review: Review): boolean;
}

/** Creates a limiter that counts apart what its type tells apart: at most `cacheSize` at a time. */
export function createEventLimiter(limit: EventRateLimit, clock: () => number): EventLimiter {
  const { type, cacheSize } = limit;
  const buckets = new Map<string, TokenBucket>();
  return {
    type,
    takes(review) {
      const key = keyOf(type, review);
      const bucket = buckets.get(key) ?? createTokenBucket(limit, clock);
      // What is put in again is the youngest: the first of the map is what was not asked for longest.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > cacheSize) {
        const [oldest = ''] = buckets.keys();
        buckets.delete(oldest);
      }
      return bucket.take();
    },
  };
}

function keyOf(type: EventLimitType, review: Review): string {
  switch (type) {
    case 'Server':
      return '';
    case 'Namespace':
      return review.namespace;
    case 'User':
      return review.user.username;
    case 'SourceAndObject':
      return sourceAndObjectOf(review.object);
  }
}

/** The members of both forms of events: the older one, and that of the events group. */
type AnyEvent = CoreEvent & Pick<EventsEvent, 'deprecatedSource' | 'regarding' | 'reportingController'>;

function sourceAndObjectOf(event: AnyEvent | undefined): string {
  const { component, host } = event?.source ?? event?.deprecatedSource ?? {};
  const { kind, namespace, name, uid, apiVersion } = event?.involvedObject ?? event?.regarding ?? {};
  return [
    component ?? event?.reportingController,
    host ?? event?.reportingInstance,
    kind,
    namespace,
    name,
    uid,
    apiVersion,
  ].join('\n');
}
