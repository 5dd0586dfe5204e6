import { isJsonObject } from '@binnacle/api-objects';
import type { MessageType, ResourceDefinition } from '@binnacle/api-types';
import {
  emptyFieldSet,
  type FieldSet,
  fieldElement,
  fieldSetOfPaths,
  type Path,
} from '@binnacle/server-side-apply';

/**
 * The fields that a write through a subresource cannot set, so that the write does not manage them: the status through
 * the resource itself, everything but status and metadata through `status`.
 */
export function resetFieldsOf(definition: ResourceDefinition, subresource: string): FieldSet {
  const { message, subresources, rules } = definition;
  if (!subresources.has('status')) return emptyFieldSet;
  if (subresource === '') return fieldSetOfPaths([path('status')]);
  const ofKind = (rules.resetFields?.(subresource, message) ?? []).map(names => path(...names));
  return fieldSetOfPaths(subresource === 'status' ? [...specificationOf(message), ...ofKind] : ofKind);
}

function specificationOf({ fields, structure }: MessageType): readonly Path[] {
  const properties = structure?.schema['properties'];
  const names = [...fields.keys(), ...(isJsonObject(properties) ? Object.keys(properties) : [])];
  return names.filter(name => name !== 'metadata' && name !== 'status').map(name => path(name));
}

function path(...names: readonly string[]): Path {
  return names.map(name => fieldElement(name));
}
