import type { LiveTypeRegistry, ResourceDefinition } from '@binnacle/api-types';
import type { CallContext } from '@binnacle/proto';
import { badRequest, notFound, StatusError, verbNotSupported } from '@binnacle/status-errors';
import { PageNotFound } from '../request/page-not-found.ts';
import type { ResourceTarget } from '../request/request-target.ts';
import { type ResolvedResource, resolveResource } from '../request/resolve-resource.ts';
import type { CustomDefinitions } from './custom-definitions.ts';

/** The known types, and a way to wait for new ones. */
export interface KnownTypes {
  readonly registry: LiveTypeRegistry;
  readonly customDefinitions: CustomDefinitions;
}

/** The parts of a request that name its target. */
interface TargetedRequest {
  readonly target: ResourceTarget;
  readonly method: string;
  readonly call: CallContext;
}

/**
 * Finds the resource that a request is for, as `resolveResource` does. One that is not known may have been defined a
 * moment ago, through another server. Errors about missing parts of custom resources name the resource.
 */
export function knownResource(
  request: TargetedRequest,
  types: KnownTypes,
): ResolvedResource | Promise<ResolvedResource> {
  const { target, method } = request;
  const type = types.registry.resource(target.canonicalGroup, target.version, target.resource);
  if (type === undefined && target.canonicalGroup.includes('.')) return resourceAfterCatchUp(request, types);
  if (type?.message.structure !== undefined) assertCustomRequest(type, target);
  return resolveResource(types.registry, target, method);
}

async function resourceAfterCatchUp(
  { target, method, call }: TargetedRequest,
  { registry, customDefinitions }: KnownTypes,
): Promise<ResolvedResource> {
  await customDefinitions.catchUp(call);
  const { canonicalGroup, version, resource } = target;
  const type = registry.resource(canonicalGroup, version, resource);
  // A group without built-in types has only the types of definitions.
  const isBuiltIn = registry.builtIn.groups().some(({ group }) => group === canonicalGroup);
  if (type === undefined && !isBuiltIn) throw new PageNotFound();
  if (type?.message.structure !== undefined) assertCustomRequest(type, target);
  return resolveResource(registry, target, method);
}

const acrossNamespaces: ReadonlySet<string> = new Set(['list', 'watch']);

/**
 * Throws the errors in which custom resources differ from built-in ones: a plain page for a path of the other scope, a
 * 404 that names the object for an unknown subresource, a 405 that names the resource for a verb that it does not
 * have.
 */
function assertCustomRequest(type: ResourceDefinition, target: ResourceTarget): void {
  const { group, resource, namespaced } = type;
  const { verb, name, inNamespace } = target;
  if (inNamespace ? !namespaced : namespaced && !acrossNamespaces.has(verb)) throw new PageNotFound();
  const subresource = type.subresources.get(target.subresource);
  if (target.subresource !== '' && subresource === undefined) throw notFound({ group, resource }, name);
  // All its objects are being deleted.
  if (verb === 'create' && target.subresource === '' && !type.verbs.includes('create'))
    throw notWhileTerminating(group, resource);
  const verbs: readonly string[] = subresource?.verbs ?? type.verbs;
  const isMisplaced = verb === 'create' && name !== '';
  if (isMisplaced || !verbs.includes(verb)) throw verbNotSupported({ group, resource }, verb);
  if (name === '' && (verb === 'update' || verb === 'patch')) throw badRequest('name must be provided');
}

function notWhileTerminating(group: string, resource: string): StatusError {
  return new StatusError({
    reason: 'MethodNotAllowed',
    code: 405,
    message: `create is not allowed on ${resource}.${group} while its definition is being deleted`,
    details: { group, kind: resource },
  });
}
