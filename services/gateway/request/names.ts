import type { ResourceDefinition } from '@binnacle/api-types';
import type { KindName, ResourceName } from '@binnacle/status-errors';
import type { ApiRequest } from './api-request.ts';

/** The resource as error messages name it. */
export function resourceNameOf(definition: ResourceDefinition): ResourceName {
  return { group: definition.group, resource: definition.resource };
}

/** The kind as findings about its objects name it. */
export function kindNameOf({ group, kind, rules }: ResourceDefinition): KindName {
  return { group: rules.findingsGroup ?? group, kind };
}

/** The namespace of the request's object; '' for cluster-scoped resources. */
export function namespaceOf(request: ApiRequest): string {
  return request.definition.namespaced ? request.info.namespace : '';
}
