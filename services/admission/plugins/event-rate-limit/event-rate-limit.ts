import { groups } from '@binnacle/api-names';
import { tooManyRequests } from '@binnacle/status-errors';
import type { PluginRegistration } from '../../chain/plugin-registration.ts';
import type { Review } from '../../chain/review.ts';
import { createEventLimiter } from './event-limiter.ts';
import { parseEventRateLimits } from './event-rate-limits.ts';

const eventGroups: readonly string[] = ['', groups.events];

/**
 * EventRateLimit, off by default: refuses events beyond its limits with a 429. Each limit counts every event, including those
 * that another limit refuses. Every admission pod counts for itself.
 */
export const eventRateLimit: PluginRegistration = {
  name: 'EventRateLimit',
  byDefault: false,
  concerns: eventGroups.map(group => `${group}/events`),
  configurable: true,
  create({ configuration, clock }) {
    const limiters = parseEventRateLimits(configuration?.document).map(limit =>
      createEventLimiter(limit, clock),
    );
    return {
      name: 'EventRateLimit',
      async validate(review) {
        if (!isEvent(review) || review.dryRun) return;
        const refusals = limiters.filter(limiter => !limiter.admits(review));
        if (refusals.length === 0) return;
        const types = refusals.map(({ type }) => type).join(', ');
        throw tooManyRequests(`there are more events than the limit allows (${types})`, 1);
      },
    };
  },
};

function isEvent({ definition, operation }: Review): boolean {
  const writes = operation === 'CREATE' || operation === 'UPDATE';
  return writes && definition.resource === 'events' && eventGroups.includes(definition.group);
}
