import type { ApiObject } from '@binnacle/api-objects';
import type { AliasNames, ResourceDefinition } from '@binnacle/api-types';
import { decodeStored, encodeStored } from '@binnacle/codecs';
import type { ApiRequest, RequestInfo } from '../pipeline/api-request.ts';
import { bytesInVersion } from './stored-form.ts';

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

/** What a client sent, decoded, with the own names. */
export function withOwnNames({ definition, info }: ApiRequest, object: ApiObject): ApiObject {
  const names = aliasNamesFor(definition, info);
  return names === undefined ? object : (names.fromAlias(object) as ApiObject); // it has all that it had
}
