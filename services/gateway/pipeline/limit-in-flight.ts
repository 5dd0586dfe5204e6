import { tooManyRequests } from '@binnacle/status-errors';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import type { Exchange, Step } from '../request/exchange.ts';
import { isHealthPath } from '../request/request-target.ts';
import { mastersGroup } from '../request/users.ts';

/** How many requests may be under way at a time. */
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
 * Turns requests away with a 429 while too many are under way. Watches, health checks, metrics and `system:masters` are let
 * through: what keeps the cluster alive must not wait for what burdens it.
 */
export function limitInFlight(limits: InFlightLimits): Step {
  const count = { readOnly: 0, mutating: 0 };
  return async (exchange, next) => {
    if (isExempt(exchange)) {
      await next();
      return;
    }
    const kind = readingVerbs.has(exchange.target.verb) ? 'readOnly' : 'mutating';
    if (limits[kind] > 0 && count[kind] >= limits[kind] && !exchange.user.groups.includes(mastersGroup)) {
      limits.metrics.rejected(kind);
      limits.metrics.terminated(exchange, 429);
      throw tooManyRequests('Too many requests are under way, please try again later.', retryAfterSeconds);
    }
    count[kind]++;
    limits.metrics.inFlight(kind, 1);
    try {
      await next();
    } finally {
      count[kind]--;
      limits.metrics.inFlight(kind, -1);
    }
  };
}

function isExempt({ longRunning, target }: Exchange): boolean {
  return longRunning || (target.kind === 'path' && (isHealthPath(target.path) || target.path === '/metrics'));
}
