import { tooManyRequests } from '@binnacle/status-errors';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { type Exchange, freePlace, type Place, type RequestLimits } from '../request/exchange.ts';
import { isHealthPath } from '../request/request-target.ts';
import { mastersGroup } from '../request/users.ts';

/** Limits on the requests that are under way at a time. */
interface InFlightLimits {
  /** Requests that only read; 0: no limit. */
  readonly readOnly: number;
  /** Requests that write; 0: no limit. */
  readonly mutating: number;
  readonly metrics: GatewayMetrics;
}

const readingVerbs = new Set(['get', 'list', 'head', 'options']);
const retryAfterSeconds = 1;

/**
 * Refuses requests with a 429 while too many are under way. Watches, health checks, metrics and `system:masters` are
 * exempt, so that a cluster under load can still be managed.
 */
export function createInFlightLimits(limits: InFlightLimits): RequestLimits {
  const { metrics } = limits;
  const count = { readOnly: 0, mutating: 0 };
  const createPlace = (kind: keyof typeof count): Place => ({
    ...freePlace,
    leave() {
      count[kind]--;
      metrics.inFlight(kind, -1);
    },
  });
  const places = { readOnly: createPlace('readOnly'), mutating: createPlace('mutating') };
  return {
    enter(exchange) {
      if (isExempt(exchange)) return freePlace;
      const kind = readingVerbs.has(exchange.target.verb) ? 'readOnly' : 'mutating';
      if (limits[kind] > 0 && count[kind] >= limits[kind] && !exchange.user.groups.includes(mastersGroup)) {
        metrics.rejected(kind);
        metrics.terminated(exchange, 429);
        throw tooManyRequests('Too many requests are under way, please try again later.', retryAfterSeconds);
      }
      count[kind]++;
      metrics.inFlight(kind, 1);
      return places[kind];
    },
  };
}

function isExempt({ longRunning, target }: Exchange): boolean {
  return longRunning || (target.kind === 'path' && (isHealthPath(target.path) || target.path === '/metrics'));
}
