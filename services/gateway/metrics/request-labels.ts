import type { ResourceDefinition, TypeRegistry } from '@binnacle/api-types';
import type { Exchange } from '../request/exchange.ts';
import { isProxied, type ResourceTarget } from '../request/request-target.ts';

/** The labels of a request, from a bounded set of values. */
export interface RequestLabels {
  readonly verb: string;
  readonly dryRun: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: string;
}

const verbLabels: ReadonlyMap<string, string> = new Map([
  ['get', 'GET'],
  ['list', 'LIST'],
  ['watch', 'WATCH'],
  ['create', 'POST'],
  ['update', 'PUT'],
  ['patch', 'PATCH'],
  ['delete', 'DELETE'],
  ['deletecollection', 'DELETECOLLECTION'],
  ['head', 'HEAD'],
  ['post', 'POST'],
  ['put', 'PUT'],
]);

const noResource = { group: '', version: '', resource: '', subresource: '', scope: '' };

/**
 * The labels of a request. Names come from the served types, never from the client: for a type that is not served they
 * are empty, whatever the path says.
 */
export function requestLabels(exchange: Exchange, registry: TypeRegistry): RequestLabels {
  const { target, query, isApply } = exchange;
  const verb = isApply ? 'APPLY' : (verbLabels.get(target.verb) ?? 'OTHER');
  const dryRun = query.get('dryRun') === 'All' ? 'All' : '';
  const definition = target.kind === 'resource' ? findDefinition(exchange, target, registry) : undefined;
  if (target.kind !== 'resource' || definition === undefined) return { verb, dryRun, ...noResource };
  const { group, version, resource } = definition;
  return {
    verb: isProxied(target) ? 'CONNECT' : verb,
    dryRun,
    group,
    version,
    resource,
    subresource: definition.subresources.has(target.subresource) ? target.subresource : '',
    scope: scopeFromTarget(target),
  };
}

/**
 * The definition that the labels of a request name, also for one that was refused before its resource was resolved. A
 * type that is no longer served has none: its watches end after its series are removed.
 */
function findDefinition(
  { resolved }: Exchange,
  { canonicalGroup, version, resource }: ResourceTarget,
  registry: TypeRegistry,
): ResourceDefinition | undefined {
  const definition = resolved?.definition;
  if (definition !== undefined && definition.message.structure === undefined) return definition;
  return registry.resource(canonicalGroup, version, resource);
}

function scopeFromTarget({ name, inNamespace }: ResourceTarget): string {
  if (name !== '') return 'resource';
  return inNamespace ? 'namespace' : 'cluster';
}
