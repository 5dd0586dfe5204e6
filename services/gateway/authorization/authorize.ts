import type { Exchange } from '../request/exchange.ts';
import type { RequestTarget } from '../request/request-target.ts';
import type { Access, Authorizer, Decision } from './authorizer.ts';
import { denial } from './denial.ts';

/** Open to all clients: a health probe of a server that is starting must not wait for its roles. */
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/livez', '/readyz']);

const openToAll: Decision = { verdict: 'allowed', reason: '' };

/**
 * Authorizes a request, before its resource is looked up. Throws the authorizer's error, or Forbidden (403) for an
 * access that is not allowed.
 */
export function authorize(exchange: Exchange, authorizer: Authorizer): void | Promise<void> {
  const access = accessFromTarget(exchange.target);
  const isOpen = access.kind === 'path' && openPaths.has(access.path);
  const decision = isOpen ? openToAll : authorizer.authorize(exchange.user, access, exchange.call);
  if (decision instanceof Promise) return decision.then(made => assertAllowed(exchange, access, made));
  assertAllowed(exchange, access, decision);
}

function assertAllowed(exchange: Exchange, access: Access, decision: Decision): void {
  exchange.access = decision;
  const { verdict, reason, error } = decision;
  if (verdict === 'allowed') return;
  throw error ?? denial(exchange.user, withRequestedGroup(access, exchange.target), reason);
}

/** The access with the group name that the request used. */
function withRequestedGroup(access: Access, target: RequestTarget): Access {
  return access.kind === 'resource' && target.kind === 'resource'
    ? { ...access, group: target.group }
    : access;
}

/** The access that a request for a target needs. */
export function accessFromTarget(target: RequestTarget): Access {
  if (target.kind === 'path') return target;
  return {
    kind: 'resource',
    verb: target.verb,
    group: target.canonicalGroup,
    version: target.version,
    resource: target.resource,
    subresource: target.subresource,
    namespace: target.namespace,
    name: target.requestedName,
  };
}
