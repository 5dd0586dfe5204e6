import type { ResourceDefinition } from '@binnacle/api-types';
import type { KindName, ResourceName } from '@binnacle/status-errors';
import type { ApiRequest } from '../pipeline/api-request.ts';

/** The resource as error messages name it. */
export function resourceNameOf(definition: ResourceDefinition): ResourceName {
  return { group: definition.group, resource: definition.resource };
}

/** The kind as error messages name it. */
export function kindNameOf(definition: ResourceDefinition): KindName {
  return { group: definition.group, kind: definition.kind };
}

/** The namespace of the request's object; '' for cluster-scoped resources. */
export function namespaceOf(request: ApiRequest): string {
  return request.definition.namespaced ? request.info.namespace : '';
}
