import { type JsonObject, setOwnProperty } from '@binnacle/api-objects';
import type { FieldSet } from '../field-sets/field-set.ts';
import type { TypedSchema } from '../schemas/typed-schema.ts';
import type { ManagedFields } from './managed-fields.ts';
import { type ServedVersions, singleVersion, type Versions } from './versions.ts';

/** The input of every recorded write, be it an update or an apply. */
export interface ManagedWrite<V extends ServedVersions = Versions> {
  /** The managers of the fields before; metadata.managedFields of the objects themselves is not looked at. */
  readonly managed: ManagedFields;
  /** The name of the field manager; `unknown` if empty. */
  readonly manager: string;
  /** The version of the request, in which the objects are given, with the name or alias of its group that the record is to have. */
  readonly apiVersion: string;
  /** Empty, the default, for the main resource. */
  readonly subresource?: string;
  /** RFC 3339 text of the present second, see `timestampFrom`. */
  readonly now: string;
  /** The schema of the objects. */
  readonly schema: TypedSchema;
  /** Fields that this request cannot set, with all below them; see `VersionView.resetFields`. Default: none. */
  readonly resetFields?: FieldSet;
  /** The versions of the kind, `apiVersion` among them; default: that one, and managers of others are dropped. */
  readonly versions?: V;
}

/** The versions that a write has to do with: that of the request looks as the request says. */
export function createServedVersions(write: ManagedWrite<ServedVersions>): ServedVersions {
  const { apiVersion, schema, resetFields, versions } = write;
  const version = versions?.view(apiVersion)?.version;
  const own = singleVersion(apiVersion, { schema, resetFields, version });
  return versions === undefined ? own : { view: wanted => own.view(wanted) ?? versions.view(wanted) };
}

/** How a write converts at once: an object of a kind with one version is not converted. */
export function createConversions({ versions }: ManagedWrite): Pick<Versions, 'convert'> {
  return { convert: (object, from, to) => versions?.convert(object, from, to) ?? object };
}

/** The object without metadata.managedFields, which is a record about the object and no part of it. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = Object.hasOwn(object, 'metadata') ? object.metadata : undefined;
  if (typeof metadata !== 'object' || metadata === null || !Object.hasOwn(metadata, 'managedFields'))
    return object;
  const rest: JsonObject = {};
  for (const name of Object.keys(object)) setOwnProperty(rest, name, object[name]!);
  const { managedFields: _, ...kept } = metadata as JsonObject; // only an object has members by name
  rest.metadata = kept;
  return rest;
}
