import type { ResourceDefinition } from '@binnacle/api-types';
import {
  emptyFieldSet,
  type FieldSet,
  fieldElement,
  fieldSetOfPaths,
  type Path,
} from '@binnacle/server-side-apply';

/** Metadata that a write to the status of a kind cannot set, by `group/resource`; of most kinds it can set all. */
const metadataOfSpecification: Readonly<Record<string, readonly Path[]>> = {
  '/pods': [metadataPath('deletionTimestamp'), metadataPath('ownerReferences')],
  'apiextensions.cluster.io/customresourcedefinitions': [[fieldElement('metadata')]],
  'apps/deployments': [metadataPath('labels')],
};

/**
 * The fields that a write through a subresource cannot set, so that nobody comes to own them by it: the status through
 * the resource itself, everything but status and metadata through `status`.
 */
export function resetFieldsOf(definition: ResourceDefinition, subresource: string): FieldSet {
  if (!definition.subresources.has('status')) return emptyFieldSet;
  if (subresource === '') return fieldSetOfPaths([[fieldElement('status')]]);
  if (subresource !== 'status') return emptyFieldSet;
  const { fields, structure } = definition.message;
  // Of what a schema describes the status is all that is written.
  if (structure !== undefined)
    return fieldSetOfPaths(
      ['metadata', ...Object.keys(structure.schema['properties'] ?? {})]
        .filter(name => name !== 'status')
        .map(name => [fieldElement(name)]),
    );
  const specification = [...fields.keys()]
    .filter(name => name !== 'metadata' && name !== 'status')
    .map(name => [fieldElement(name)]);
  const metadata = metadataOfSpecification[`${definition.group}/${definition.resource}`] ?? [];
  return fieldSetOfPaths([...specification, ...metadata]);
}

function metadataPath(name: string): Path {
  return [fieldElement('metadata'), fieldElement(name)];
}
