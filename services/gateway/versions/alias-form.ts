import type { ApiObject } from '@binnacle/api-objects';
import type { AliasNames, ResourceDefinition } from '@binnacle/api-types';
import {
  type BodyEncoding,
  decodeLongStored,
  decodeStored,
  encodeStored,
  type MetadataBytes,
  type ServedBytes,
  type StoredItem,
} from '@binnacle/codecs';
import { isLong } from '@binnacle/event-loop';
import type { ApiRequest, RequestInfo } from '../request/api-request.ts';
import { isServerConverted, namedBytes, type VersionBytes } from './kept-forms.ts';
import { bytesInVersion } from './version-form.ts';

/** The bytes of an object in the version of a definition, and the revision to show. */
export type VersionItem = Pick<StoredItem<VersionBytes>, 'stored' | 'revision'>;

/** The form that an object is shown in. */
interface ShownForm {
  readonly names: AliasNames | undefined;
  readonly encoding: BodyEncoding;
}

/** The names that objects have for a request, where it came through an alias that knows others than the own ones. */
export function aliasNamesFor(
  { group, rules }: ResourceDefinition,
  info: Pick<RequestInfo, 'group'>,
): AliasNames | undefined {
  return info.group === group ? undefined : rules.aliasNames;
}

/** Bytes in the version of a definition with the names of an alias, where there are such. Made once, however many readers want them. */
export function servedBytes(
  definition: ResourceDefinition,
  bytes: VersionBytes,
  names: AliasNames | undefined,
): ServedBytes {
  if (names === undefined) return bytes as Buffer as ServedBytes; // in the version, and their names are the own ones
  // The resourceVersion is no part of the bytes; the object has all that it had.
  return namedBytes(definition, bytes, () =>
    encodeStored(names.toAlias(decodeStored(bytes, 0)) as ApiObject),
  );
}

/** The items of objects whose names are their own ones. */
export function servedItems(items: readonly StoredItem<VersionBytes>[]): readonly StoredItem<ServedBytes>[] {
  return items as readonly StoredItem[] as readonly StoredItem<ServedBytes>[]; // see above
}

/**
 * Stored bytes to show the metadata of alone. No schema says anything of metadata: what a schema describes is neither
 * completed nor converted for it, so that no webhook holds up clients that need no more (garbage collection, namespaces).
 */
export function metadataBytes(
  definition: ResourceDefinition,
  stored: Buffer,
  names: AliasNames | undefined,
): MetadataBytes {
  if (definition.message.structure !== undefined || !isServerConverted(definition))
    return stored as MetadataBytes; // see above
  return servedBytes(definition, bytesInVersion(definition, stored), names);
}

/**
 * The object that `servedBytes` are of. In protobuf, where its fields have no names, it has the own ones: the encoder finds
 * the fields by them.
 */
export function objectShown(
  definition: ResourceDefinition,
  { stored, revision }: VersionItem,
  { names, encoding }: ShownForm,
): ApiObject {
  if (names === undefined || encoding !== 'protobuf')
    return decodeStored(servedBytes(definition, stored, names), revision);
  return withAliasNames(decodeStored(stored, revision), { names, encoding });
}

/** The object as `objectShown` returns it, in slices where it is long. */
export function longObjectShown(
  definition: ResourceDefinition,
  item: VersionItem,
  form: ShownForm,
): ApiObject | Promise<ApiObject> {
  const { stored, revision } = item;
  // Names of an alias are those of kinds whose objects are short.
  if (!isLong(stored.length) || form.names !== undefined) return objectShown(definition, item, form);
  return decodeLongStored(stored, revision);
}

/** An object, not to be changed, with the names of an alias. */
export function withAliasNames(object: ApiObject, { names, encoding }: ShownForm): ApiObject {
  if (names === undefined) return object;
  const shown = encoding === 'protobuf' ? names.toAliasOnWire(object) : names.toAlias(object);
  return shown as ApiObject; // it has all that it had
}

/** The decoded object of a client, with the own names. */
export function withOwnNames({ definition, info }: ApiRequest, object: ApiObject): ApiObject {
  const names = aliasNamesFor(definition, info);
  return names === undefined ? object : (names.fromAlias(object) as ApiObject); // it has all that it had
}
