import { isJsonObject, type JsonObject, type JsonValue, parseApiVersion } from '@binnacle/api-objects';
import { canonicalGroup } from '@binnacle/api-types';

const magicLength = 4;
const typeMetaTag = 0x0a;
const apiVersionTag = 0x0a;
/** Lengths below this take one byte. */
const shortLength = 0x80;

/** An apiVersion with its group under its canonical name. */
function renameApiVersion(apiVersion: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  return group === '' ? apiVersion : `${canonicalGroup(group)}/${version}`;
}

/** A document with its apiVersion, and the extension keys of schemas, as this server names them. */
export function renameDocument(document: JsonObject): JsonObject {
  const renamed = renameKeys(document) as JsonObject; // an object stays one
  const { apiVersion } = renamed;
  return typeof apiVersion === 'string' ? { ...renamed, apiVersion: renameApiVersion(apiVersion) } : renamed;
}

function renameKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(renameKeys);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [renameKey(key), renameKeys(item)]));
}

function renameKey(key: string): string {
  if (key === 'x-kubernetes-embedded-resource') return 'x-cluster-embedded-type';
  return key.replace(/^x-kubernetes-/, 'x-cluster-');
}

/** An envelope with the apiVersion of its type meta as this server names it; the object in it stays as it is. */
export function renameEnvelope(bytes: Buffer): Buffer {
  const typeMetaLength = bytes[magicLength + 1];
  const apiVersionLength = bytes[magicLength + 3];
  const isUsual =
    bytes[magicLength] === typeMetaTag &&
    bytes[magicLength + 2] === apiVersionTag &&
    typeMetaLength !== undefined &&
    typeMetaLength < shortLength &&
    apiVersionLength !== undefined;
  if (!isUsual) return bytes;
  const textStart = magicLength + 4;
  const textEnd = textStart + apiVersionLength;
  const renamed = Buffer.from(renameApiVersion(bytes.toString('utf8', textStart, textEnd)));
  const growth = renamed.length - apiVersionLength;
  if (typeMetaLength + growth >= shortLength) return bytes;
  const head = Buffer.from([typeMetaTag, typeMetaLength + growth, apiVersionTag, renamed.length]);
  return Buffer.concat([bytes.subarray(0, magicLength), head, renamed, bytes.subarray(textEnd)]);
}
