import { type ResourceType, resourcePath } from '../discovery/resource-type.ts';

/** The place of an object on the server, which may not have it. */
export interface Place {
  readonly type: ResourceType;
  /** Undefined for types without namespaces. */
  readonly namespace: string | undefined;
  readonly name: string;
  readonly path: string;
}

/** The place of an object by its type, namespace and name. */
export function createPlace(type: ResourceType, namespace: string | undefined, name: string): Place {
  const scope = type.namespaced ? namespace : undefined;
  return { type, namespace: scope, name, path: resourcePath(type, scope, name) };
}
