import { isJsonObject } from '@binnacle/api-objects';
import type { MessageType, ResourceDefinition } from '@binnacle/api-types';
import {
  emptyFieldSet,
  type FieldSet,
  fieldElement,
  fieldSetOfPaths,
  type Path,
} from '@binnacle/server-side-apply';

/** Metadata that a write to the status of a kind cannot set, by `group/resource`; of most kinds it can set all. */
const metadataOfSpecification: Readonly<Record<string, readonly Path[]>> = {
  '/pods': [path('metadata', 'deletionTimestamp'), path('metadata', 'ownerReferences')],
  'apiextensions.cluster.io/customresourcedefinitions': [path('metadata')],
  'apps/deployments': [path('metadata', 'labels')],
};

/** What cannot be set through the other subresources that show the object itself. */
const othersThroughSubresources: Readonly<Record<string, (message: MessageType) => readonly Path[]>> = {
  approval: message => [...specificationOf(message), path('status', 'certificate')],
  ephemeralcontainers: message => [path('status'), ...podSpecificationOf(message)],
  finalize: () => [path('status')],
};

/**
 * The fields that a write through a subresource cannot set, so that the write does not manage them: the status through
 * the resource itself, everything but status and metadata through `status`.
 */
export function resetFieldsOf(definition: ResourceDefinition, subresource: string): FieldSet {
  const { message, subresources } = definition;
  if (!subresources.has('status')) return emptyFieldSet;
  if (subresource === '') return fieldSetOfPaths([path('status')]);
  if (subresource === 'status') return fieldSetOfPaths(resetByStatus(definition));
  return fieldSetOfPaths(othersThroughSubresources[subresource]?.(message) ?? []);
}

function resetByStatus({ group, resource, message }: ResourceDefinition): readonly Path[] {
  const { structure } = message;
  // Of what a schema describes the status is all that is written.
  if (structure !== undefined) return [path('metadata'), ...specificationOf(message)];
  return [...specificationOf(message), ...(metadataOfSpecification[`${group}/${resource}`] ?? [])];
}

function specificationOf({ fields, structure }: MessageType): readonly Path[] {
  const properties = structure?.schema['properties'];
  const names = [...fields.keys(), ...(isJsonObject(properties) ? Object.keys(properties) : [])];
  return names.filter(name => name !== 'metadata' && name !== 'status').map(name => path(name));
}

function podSpecificationOf({ fields }: MessageType): readonly Path[] {
  const type = fields.get('spec')?.type;
  const names = type?.kind === 'message' ? [...type.message.fields.keys()] : [];
  return names.filter(name => name !== 'ephemeralContainers').map(name => path('spec', name));
}

function path(...names: readonly string[]): Path {
  return names.map(name => fieldElement(name));
}
