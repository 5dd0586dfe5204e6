import type { Step } from '../request/exchange.ts';
import { parseRequestTarget } from '../request/parse-request-target.ts';
import { isProxied } from '../request/request-target.ts';

/** Reads what the request is about; `canonicalGroup` knows the aliases of groups. */
export function readTarget(canonicalGroup: (group: string) => string): Step {
  return async (exchange, next) => {
    exchange.target = parseRequestTarget(exchange, canonicalGroup);
    const { target } = exchange;
    exchange.longRunning = target.kind === 'resource' && (target.verb === 'watch' || isProxied(target));
    await next();
  };
}
