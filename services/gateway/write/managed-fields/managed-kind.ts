import { apiVersionOf, type JsonObject } from '@binnacle/api-objects';
import type { ResourceDefinition } from '@binnacle/api-types';
import { emptyObjectOf, type FieldSet, type TypedSchema, typedSchemaOf } from '@binnacle/server-side-apply';
import { resetFieldsOf } from './reset-fields.ts';

/** What the record of field managers needs to know of a resource in one version. */
interface ManagedKind {
  /** With the group's own name. */
  readonly apiVersion: string;
  readonly schema: TypedSchema;
  /** What an object is before anything is set. */
  readonly empty: JsonObject;
  /** By subresource, '' for the resource itself. */
  readonly resetFields: (subresource: string) => FieldSet;
}

const known = new WeakMap<ResourceDefinition, ManagedKind>();

/** The kind of a resource for the record of field managers, made when it is first asked for. */
export function managedKindOf(definition: ResourceDefinition): ManagedKind {
  let kind = known.get(definition);
  if (kind === undefined) {
    kind = createManagedKind(definition);
    known.set(definition, kind);
  }
  return kind;
}

function createManagedKind(definition: ResourceDefinition): ManagedKind {
  const sets = new Map<string, FieldSet>();
  return {
    apiVersion: apiVersionOf(definition),
    schema: typedSchemaOf(definition.message),
    empty: emptyObjectOf(definition.message),
    resetFields(subresource) {
      let set = sets.get(subresource);
      if (set === undefined) {
        set = resetFieldsOf(definition, subresource);
        sets.set(subresource, set);
      }
      return set;
    },
  };
}
