import type { JsonObject } from '@binnacle/api-objects';
import type { FieldSet } from '../field-sets/field-set.ts';
import type { TypedSchema } from '../schemas/typed-schema.ts';
import type { ManagedFields } from './managed-fields.ts';
import { type ServedVersions, singleVersion, type Versions } from './versions.ts';

/** The common input of updates and applies. */
export interface ManagedWrite<V extends ServedVersions = Versions> {
  /** The managed fields before the write; metadata.managedFields of the objects is ignored. */
  readonly managed: ManagedFields;
  /** The name of the field manager; `unknown` if empty. */
  readonly manager: string;
  /** The version of the request and its objects, with the group name or alias to record in the managed fields. */
  readonly apiVersion: string;
  /** The subresource; default: empty, the main resource. */
  readonly subresource?: string;
  /** The current second as an RFC 3339 text, see `timestampFrom`. */
  readonly now: string;
  /** The schema of the objects. */
  readonly schema: TypedSchema;
  /** Fields, with all fields below them, that this request cannot set; see `VersionView.resetFields`. Default: none. */
  readonly resetFields?: FieldSet;
  /** The versions of the kind, including `apiVersion`; default: only that one, which drops managers of other versions. */
  readonly versions?: V;
}

/** Returns the versions that a write uses; the version of the request has the request's schema. */
export function createServedVersions(write: ManagedWrite<ServedVersions>): ServedVersions {
  const { apiVersion, schema, resetFields, versions } = write;
  const version = versions?.view(apiVersion)?.version;
  const own = singleVersion(apiVersion, { schema, resetFields, version });
  return versions === undefined ? own : { view: wanted => own.view(wanted) ?? versions.view(wanted) };
}

/** Returns the synchronous conversion of a write; objects of a kind with a single version are not converted. */
export function createConversions({ versions }: ManagedWrite): Pick<Versions, 'convert'> {
  return { convert: (object, from, to) => versions?.convert(object, from, to) ?? object };
}

/** Returns the object without metadata.managedFields, which is not part of the object's content. */
export function withoutManagedFields<T extends JsonObject>(object: T): T {
  const metadata = Object.hasOwn(object, 'metadata') ? object['metadata'] : undefined;
  if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, 'managedFields'))
    return object;
  const { managedFields: _, ...kept } = metadata as JsonObject; // Only an object has members by name.
  return { ...object, metadata: kept };
}
