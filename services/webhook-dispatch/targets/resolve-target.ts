import { isIP } from 'node:net';
import type { AddressFilter } from '@binnacle/network-filter';
import type { CallContext, CallRequest, ServiceAddress, ServiceReference } from '@binnacle/proto';
import { CallFailed, type Target } from './target.ts';

/** Finds the address of a service of the cluster; undefined when there is no such service or port. */
export type ResolveService = (
  service: ServiceReference,
  call: CallContext,
) => Promise<ServiceAddress | undefined>;

/**
 * The ways to find the address of a service: from the caller, which read it from the cluster's objects, from the name service, or none,
 * so that services are not called.
 */
export const serviceResolvers = ['cluster-ip', 'dns', 'none'] as const;

/** The rules for the targets of calls. */
export interface TargetRules {
  readonly serviceResolver: (typeof serviceResolvers)[number];
  /** Finds the addresses of services for which the caller gives none; without it these services cannot be called. */
  readonly resolveService?: ResolveService | undefined;
  /** Filter of literal addresses; the addresses of names are checked when they are looked up. */
  readonly filter: AddressFilter;
}

const defaultServicePort = 443;

/** Resolves the target of a call (spec 2, "URL rules"); throws CallFailed when there is none, or a forbidden one. */
export async function resolveTarget(
  request: CallRequest,
  rules: TargetRules,
  call: CallContext,
): Promise<Target> {
  const { url, service } = request;
  if ((url === '') === (service === undefined))
    throw invalidTarget('exactly one of url and service must be given');
  const { credentials } = request;
  const caBundle = Buffer.from(request.caBundle).toString();
  const target =
    service === undefined
      ? targetOfUrl(url, rules)
      : await targetOfService(service, { rules, call, known: request.address });
  // Tells the webhook how long the caller waits.
  target.url.search = `timeout=${request.timeoutSeconds}s`;
  return { ...target, caBundle, credentials };
}

/** The parts of a target that depend on its kind. */
type Place = Pick<Target, 'url' | 'address' | 'serverName'>;

function targetOfUrl(text: string, rules: TargetRules): Place {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw invalidTarget('the URL cannot be read');
  if (url.protocol !== 'https:') throw invalidTarget('the scheme of the URL must be https');
  if (url.username !== '' || url.password !== '')
    throw invalidTarget('the URL may not hold user information');
  if (text.includes('#')) throw invalidTarget('the URL may not have a fragment');
  if (text.includes('?')) throw invalidTarget('the URL may not have a query');
  const serverName = url.hostname.replace(/^\[|\]$/g, '');
  assertAllowed(serverName, serverName, rules);
  return { url, serverName };
}

interface ServiceContext {
  readonly rules: TargetRules;
  readonly call: CallContext;
  /** Address from the caller. */
  readonly known: ServiceAddress | undefined;
}

async function targetOfService(service: ServiceReference, context: ServiceContext): Promise<Place> {
  const { namespace, name } = service;
  const port = service.port || defaultServicePort;
  const address = await addressOfService({ ...service, port }, context);
  if (address !== undefined) assertAllowed(address.host, `service "${name}"`, context.rules);
  const serverName = `${name}.${namespace}.svc`;
  const path = service.path.startsWith('/') ? service.path : `/${service.path}`;
  const text = `https://${serverName}:${port}${path}`;
  if (!URL.canParse(text)) throw invalidTarget('the service reference does not make a URL');
  return { url: new URL(text), address, serverName };
}

/** Finds the address of a service; undefined where the name service resolves the service's own name. */
async function addressOfService(
  service: ServiceReference,
  { rules, call, known }: ServiceContext,
): Promise<ServiceAddress | undefined> {
  const { name, namespace } = service;
  switch (rules.serviceResolver) {
    case 'dns':
      return undefined;
    case 'none':
      throw new CallFailed('NO_SUCH_SERVICE', `service "${name}" not called: this server calls no services`);
    case 'cluster-ip': {
      const address = known ?? (await rules.resolveService?.(service, call));
      if (address !== undefined) return address;
      throw new CallFailed('NO_SUCH_SERVICE', `service "${name}" not found in namespace "${namespace}"`);
    }
  }
}

/** Asserts that a literal address is allowed; throws CallFailed otherwise. */
function assertAllowed(host: string, what: string, { filter }: TargetRules): void {
  const literal = isLocalName(host) ? '127.0.0.1' : host;
  const refusal = isIP(literal) === 0 ? undefined : filter.refusal(literal);
  if (refusal === undefined) return;
  throw invalidTarget(
    what === host ? `${host} ${refusal}` : `${what} has the address ${host}, which ${refusal}`,
  );
}

/** Whether a host is `localhost` or a name below it, which always mean this machine (RFC 6761). */
function isLocalName(host: string): boolean {
  const name = host.replace(/\.$/, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost');
}

function invalidTarget(message: string): CallFailed {
  return new CallFailed('INVALID_TARGET', message);
}
