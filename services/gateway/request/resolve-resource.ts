import type { ResourceDefinition, SubresourceDefinition, TypeRegistry, Verb } from '@binnacle/api-types';
import { methodNotAllowed, resourceNotFound } from '@binnacle/status-errors';
import type { RequestInfo, RequestVerb } from './api-request.ts';
import { PageNotFound } from './page-not-found.ts';
import { isProxied, type ResourceTarget } from './request-target.ts';

/** A resource that is served, with the request for it. */
export interface ResolvedResource {
  readonly definition: ResourceDefinition;
  readonly subresource: SubresourceDefinition | undefined;
  readonly info: RequestInfo;
}

/**
 * Finds the resource that a request is for. Throws a 404 where there is none (a plain page for unknown groups, a
 * Status below known ones) and a 405 where it does not have the verb.
 */
export function resolveResource(
  registry: TypeRegistry,
  target: ResourceTarget,
  method: string,
): ResolvedResource {
  const definition = registry.resource(target.canonicalGroup, target.version, target.resource);
  if (definition === undefined) {
    const knownGroup =
      target.canonicalGroup === '' || registry.groups().some(group => group.group === target.canonicalGroup);
    throw knownGroup ? resourceNotFound() : new PageNotFound();
  }
  assertScope(definition, target);
  const subresource = target.subresource === '' ? undefined : definition.subresources.get(target.subresource);
  if (target.subresource !== '' && subresource === undefined) throw resourceNotFound();
  if (!isProxied(target)) {
    if (target.excess) throw resourceNotFound();
    assertVerb(subresource?.verbs ?? definition.verbs, target, method);
  }
  return { definition, subresource, info: createInfo(definition, target) };
}

function assertScope(definition: ResourceDefinition, target: ResourceTarget): void {
  if (!definition.namespaced && target.inNamespace) throw resourceNotFound();
  const objectOutsideNamespace = definition.namespaced && !target.inNamespace && target.name !== '';
  if (objectOutsideNamespace) throw resourceNotFound();
  const writesAllNamespaces =
    definition.namespaced && !target.inNamespace && target.verb !== 'list' && target.verb !== 'watch';
  if (writesAllNamespaces) throw methodNotAllowed();
}

function assertVerb(verbs: readonly Verb[], target: ResourceTarget, method: string): void {
  const onNamedOnly = target.verb === 'update' || target.verb === 'patch';
  const onCollectionOnly = target.verb === 'create' && target.subresource === '';
  if (target.name === '' ? onNamedOnly : onCollectionOnly) throw methodNotAllowed();
  // On the older form of its path a watch is meant whatever the method.
  if (target.verb === 'watch' && method !== 'GET') throw methodNotAllowed();
  if (method === 'HEAD' || !verbs.some(verb => verb === target.verb)) throw methodNotAllowed();
}

function createInfo(definition: ResourceDefinition, target: ResourceTarget): RequestInfo {
  return {
    verb: target.verb as RequestVerb, // One of the definition's verbs: assertVerb saw to it.
    path: target.path,
    group: target.group,
    version: target.version,
    resource: target.resource,
    subresource: target.subresource,
    namespace: definition.namespaced ? target.namespace : '',
    name: target.name,
  };
}
