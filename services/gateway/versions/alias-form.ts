import type { ApiObject } from '@binnacle/api-objects';
import type { AliasNames, ResourceDefinition } from '@binnacle/api-types';
import { type BodyEncoding, decodeStored, encodeStored, type StoredItem } from '@binnacle/codecs';
import { isLong } from '@binnacle/event-loop';
import type { ApiRequest, RequestInfo } from '../request/api-request.ts';
import { bytesInVersion, longObjectInVersion } from './stored-form.ts';

/** In which form an object is shown. */
interface ShownForm {
  readonly names: AliasNames | undefined;
  readonly encoding: BodyEncoding;
}

/** Bytes with the names of an alias, by the stored bytes that they were made from: they live as long as those. */
const known = new WeakMap<Uint8Array, Buffer>();

/** The names that objects have for a request, where it came through an alias that knows others than the own ones. */
export function aliasNamesFor(
  { group, rules }: ResourceDefinition,
  info: Pick<RequestInfo, 'group'>,
): AliasNames | undefined {
  return info.group === group ? undefined : rules.aliasNames;
}

/**
 * Stored bytes as a request shows them: in the form of the definition's version, as `bytesInVersion` gives it, and with the
 * names of the alias, where there are such. Made once, however many readers and watchers want it.
 */
export function bytesShown(
  definition: ResourceDefinition,
  stored: Buffer,
  names: AliasNames | undefined,
): Buffer {
  const bytes = bytesInVersion(definition, stored);
  if (names === undefined) return bytes;
  let shown = known.get(bytes);
  if (shown === undefined) {
    // The resourceVersion is no part of the bytes.
    shown = encodeStored(names.toAlias(decodeStored(bytes, 0)) as ApiObject); // it has all that it had
    known.set(bytes, shown);
  }
  return shown;
}

/**
 * Stored bytes to show the metadata of alone. No schema says anything of metadata: what a schema describes is neither
 * completed nor converted for it, so that no webhook holds up clients that need no more (garbage collection, namespaces).
 */
export function bytesOfMetadata(
  definition: ResourceDefinition,
  stored: Buffer,
  names: AliasNames | undefined,
): Buffer {
  return definition.message.structure === undefined ? bytesShown(definition, stored, names) : stored;
}

/**
 * The object that `bytesShown` are of. In protobuf, where its fields have no names, it has the own ones: the encoder finds
 * the fields by them.
 */
export function objectShown(
  definition: ResourceDefinition,
  { stored, revision }: Pick<StoredItem, 'stored' | 'revision'>,
  { names, encoding }: ShownForm,
): ApiObject {
  if (names === undefined || encoding !== 'protobuf')
    return decodeStored(bytesShown(definition, stored, names), revision);
  const object = decodeStored(bytesInVersion(definition, stored), revision);
  return withAliasNames(object, { names, encoding });
}

/** The same in slices, where the object is long. */
export function longObjectShown(
  definition: ResourceDefinition,
  item: Pick<StoredItem, 'stored' | 'revision'>,
  form: ShownForm,
): ApiObject | Promise<ApiObject> {
  const { stored, revision } = item;
  // Names of an alias are those of kinds whose objects are short.
  if (!isLong(stored.length) || form.names !== undefined) return objectShown(definition, item, form);
  return longObjectInVersion(definition, stored, revision);
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
