import { parseRequestTarget } from '../request-info/parse-request-target.ts';
import { isProxied } from '../request-info/request-target.ts';
import type { Step } from './exchange.ts';

/** Reads what the request is about; `canonicalGroup` knows the aliases of groups. */
export function readTarget(canonicalGroup: (group: string) => string): Step {
  return async (exchange, next) => {
    exchange.target = parseRequestTarget(exchange, canonicalGroup);
    const { target } = exchange;
    exchange.longRunning = target.kind === 'resource' && (target.verb === 'watch' || isProxied(target));
    await next();
  };
}
