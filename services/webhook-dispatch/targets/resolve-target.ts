import type { CallContext, CallRequest, ServiceAddress, ServiceReference } from '@binnacle/proto';
import { isLoopbackHost } from './loopback.ts';
import { CallFailed, type Target } from './target.ts';

/** Finds the address of a service of the cluster; undefined when there is no such service or port. */
export type ServiceResolver = (
  service: ServiceReference,
  call: CallContext,
) => Promise<ServiceAddress | undefined>;

/**
 * How the address of a service is found: it is the one that the caller read in the cluster's objects, or the name
 * service knows it, or services are not called at all.
 */
export const serviceResolutions = ['cluster-ip', 'dns', 'none'] as const;

/** One of them. */
export type ServiceResolution = (typeof serviceResolutions)[number];

/** What decides on where calls may go. */
export interface TargetRules {
  readonly serviceResolution: ServiceResolution;
  /** Asked for services whose address the caller does not give; without it there are none. */
  readonly resolveService?: ServiceResolver | undefined;
  readonly allowLoopback: boolean;
}

const defaultServicePort = 443;

/** The target of a call (spec 2, "URL rules"); throws CallFailed when there is none, or none that is permitted. */
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
  // The other side learns how long its answer is waited for.
  target.url.search = `timeout=${request.timeoutSeconds}s`;
  return { ...target, caBundle, credentials };
}

/** Where a call goes, without what is the same for every kind of target. */
type Place = Pick<Target, 'url' | 'address' | 'serverName'>;

function targetOfUrl(text: string, rules: TargetRules): Place {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw invalidTarget('the URL cannot be read');
  if (url.protocol !== 'https:') throw invalidTarget('the scheme of the URL must be https');
  if (url.username !== '' || url.password !== '')
    throw invalidTarget('the URL may not hold user information');
  if (text.includes('#')) throw invalidTarget('the URL may not have a fragment');
  if (text.includes('?')) throw invalidTarget('the URL may not have a query');
  if (!rules.allowLoopback && isLoopbackHost(url.hostname))
    throw invalidTarget(`${url.hostname} is this machine, which this server does not call`);
  return { url, serverName: url.hostname.replace(/^\[|\]$/g, '') };
}

interface ServiceContext {
  readonly rules: TargetRules;
  readonly call: CallContext;
  /** The address that the caller found. */
  readonly known: ServiceAddress | undefined;
}

async function targetOfService(service: ServiceReference, context: ServiceContext): Promise<Place> {
  const { namespace, name } = service;
  const port = service.port || defaultServicePort;
  const address = await addressOfService({ ...service, port }, context);
  if (address !== undefined && !context.rules.allowLoopback && isLoopbackHost(address.host))
    throw invalidTarget(`service "${name}" is at this machine, which this server does not call`);
  const serverName = `${name}.${namespace}.svc`;
  const path = service.path.startsWith('/') ? service.path : `/${service.path}`;
  const text = `https://${serverName}:${port}${path}`;
  if (!URL.canParse(text)) throw invalidTarget('the service reference does not make a URL');
  return { url: new URL(text), address, serverName };
}

/** Undefined where the name service is to be asked for the service's own name. */
async function addressOfService(
  service: ServiceReference,
  { rules, call, known }: ServiceContext,
): Promise<ServiceAddress | undefined> {
  const { name, namespace } = service;
  switch (rules.serviceResolution) {
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

function invalidTarget(message: string): CallFailed {
  return new CallFailed('INVALID_TARGET', message);
}
