import type { CallContext, CallRequest, ServiceReference } from '@binnacle/proto';
import { isLoopbackHost } from './loopback.ts';
import { CallFailed, type Target } from './target.ts';

/** Finds the address of a service of the cluster; undefined when there is no such service or port. */
export type ServiceResolver = (
  service: ServiceReference,
  call: CallContext,
) => Promise<{ readonly host: string; readonly port: number } | undefined>;

/** What decides on where calls may go. */
export interface TargetRules {
  /** Without it there are no services. */
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
  const caBundle = Buffer.from(request.caBundle).toString();
  const target =
    service === undefined ? targetOfUrl(url, rules) : await targetOfService(service, { rules, call });
  // The other side learns how long its answer is waited for.
  target.url.search = `timeout=${request.timeoutSeconds}s`;
  return { ...target, caBundle };
}

function targetOfUrl(text: string, rules: TargetRules): Omit<Target, 'caBundle'> {
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

async function targetOfService(
  service: ServiceReference,
  { rules, call }: { readonly rules: TargetRules; readonly call: CallContext },
): Promise<Omit<Target, 'caBundle'>> {
  const { namespace, name } = service;
  const port = service.port || defaultServicePort;
  const address = await rules.resolveService?.({ ...service, port }, call);
  if (address === undefined)
    throw new CallFailed('NO_SUCH_SERVICE', `service "${name}" not found in namespace "${namespace}"`);
  const serverName = `${name}.${namespace}.svc`;
  const path = service.path.startsWith('/') ? service.path : `/${service.path}`;
  const text = `https://${serverName}:${port}${path}`;
  if (!URL.canParse(text)) throw invalidTarget('the service reference does not make a URL');
  return { url: new URL(text), address, serverName };
}

function invalidTarget(message: string): CallFailed {
  return new CallFailed('INVALID_TARGET', message);
}
