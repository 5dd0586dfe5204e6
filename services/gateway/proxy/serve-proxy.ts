import type { AddressFilter, KnownHosts } from '@binnacle/network-filter';
import { createCallContext } from '@binnacle/rpc';
import {
  badRequest,
  resourceNotFound,
  StatusError,
  serviceUnavailable,
  tooManyRequests,
} from '@binnacle/status-errors';
import type { ApiRequest } from '../request/api-request.ts';
import type { Exchange } from '../request/exchange.ts';
import type { CredentialChecks } from '../watch/credential-checks.ts';
import { type ReviewServices, reviewWrite } from '../write/engine/review.ts';
import { passOn } from './pass-on.ts';
import { splitProxiedPath } from './proxied-path.ts';
import type { FindTarget, ProxyTarget } from './proxy-target.ts';

/** Services of proxied requests. */
export interface ProxyServices extends ReviewServices {
  readonly proxying: Proxying;
  readonly credentialChecks: CredentialChecks;
}

/** The bounds of proxied requests, and how many there are. */
export interface Proxying {
  /** Decides on the addresses that the cluster's objects give. */
  readonly filter: AddressFilter;
  /** The services behind this gateway, which the filter refuses. */
  readonly backends: Pick<KnownHosts, 'refresh'>;
  /** The longest until an answer begins, and the longest pause in it, in ms. */
  readonly timeoutMs: number;
  /** Requests under way at a time. */
  readonly limit: number;
  /** Requests under way now. */
  underWay: number;
}

/**
 * Passes a request for a service, pod or node on to it. Admission reviews it first (CONNECT); the address comes from
 * the cluster's objects, never from the request. Throws NotFound, ServiceUnavailable, TooManyRequests, and BadRequest
 * for an upgrade to another protocol.
 */
export async function serveProxy(
  exchange: Exchange,
  { request, findTarget }: { readonly request: ApiRequest; readonly findTarget: FindTarget },
  services: ProxyServices,
): Promise<void> {
  const { proxying } = services;
  if (exchange.request.headers.upgrade !== undefined)
    throw badRequest('this server does not proxy upgrades to another protocol');
  const path = splitProxiedPath(exchange.request.url ?? '');
  if (path === undefined) throw resourceNotFound();
  if (proxying.underWay >= proxying.limit)
    throw tooManyRequests('Too many proxied requests are under way, please try again later.', 1);
  proxying.underWay++;
  const { response, credential } = exchange;
  const holder = { expire: () => void response.destroy() };
  services.credentialChecks.add(credential, holder);
  try {
    const target = await findAllowedTarget(request, services, { path: path.rest, findTarget });
    if (path.rest === '' && (exchange.method === 'GET' || exchange.method === 'HEAD')) {
      // Relative links of the target begin at its root.
      exchange.response.writeHead(301, { Location: `${path.before}/${path.query}` }).end();
      return;
    }
    await passOn(exchange, {
      target,
      path: { ...path, rest: path.rest || '/' },
      timeoutMs: proxying.timeoutMs,
    });
  } finally {
    proxying.underWay--;
    services.credentialChecks.delete(credential, holder);
  }
}

async function findAllowedTarget(
  request: ApiRequest,
  services: ProxyServices,
  { path, findTarget }: { readonly path: string; readonly findTarget: FindTarget },
): Promise<ProxyTarget> {
  const { timeoutMs } = services.proxying;
  using call = createCallContext({ timeoutMs, parent: request.call });
  const bounded = { ...request, call };
  await reviewConnection(bounded, services, path);
  const target = await findTarget(bounded, services);
  await assertAllowed(target, services.proxying);
  return target;
}

/** Throws ServiceUnavailable for an address that the filter refuses, and while the filter cannot decide. */
async function assertAllowed({ address, port }: ProxyTarget, { filter, backends }: Proxying): Promise<void> {
  try {
    await backends.refresh();
  } catch (cause) {
    const message =
      'cannot resolve the addresses of the control plane, to which requests must not be proxied';
    throw new StatusError({ reason: 'ServiceUnavailable', code: 503, message, cause });
  }
  if (filter.refusal(address, port) !== undefined)
    throw serviceUnavailable(`requests must not be proxied to the address ${address}`);
}

async function reviewConnection(request: ApiRequest, services: ReviewServices, path: string): Promise<void> {
  const { definition, info } = request;
  const { warnings } = await reviewWrite(request, services, {
    operation: 'CONNECT',
    name: info.name,
    object: { kind: `${definition.kind}ProxyOptions`, apiVersion: 'v1', metadata: {}, path },
    options: '',
    dryRun: false,
  });
  request.warnings.push(...warnings);
}
