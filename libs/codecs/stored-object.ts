import {
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
  readJson,
} from '@binnacle/api-objects';
import { isLong } from '@binnacle/event-loop';
import { internalError } from '@binnacle/status-errors';
import { readWrittenJson, writeLongJson } from './json/long-json.ts';

/**
 * The stored form of an object.
 *
 * Byte 0 is the format, 1. Bytes 1 to 4 are the length P of the prefix, big-endian. The JSON text of the object without
 * metadata.resourceVersion follows; its first P bytes are exactly `{"kind":"K","apiVersion":"V","metadata":{`; metadata is never
 * empty. An object at a revision is therefore the prefix, `"resourceVersion":"R",` and the rest: three copies without parsing. A
 * list item, or an object under another apiVersion, has another prefix before the same rest.
 *
 * Format 2 has a tag of 8 bytes between the length and the text: it identifies the rules under which the object was stored, for
 * kinds whose rules change.
 */
interface StoredParts {
  /** Number of bytes of `json` before the first member of metadata. */
  readonly prefixLength: number;
  /** A view of the JSON text. */
  readonly json: Buffer;
}

declare const metadataServed: unique symbol;
declare const served: unique symbol;

/** Stored bytes whose metadata may be sent to clients. */
export type MetadataBytes = Buffer & { readonly [metadataServed]: true };

/**
 * Stored bytes in the API version and vocabulary of the response, the only ones that can be rendered. Kinds with several stored
 * versions convert objects to them; for kinds with one version they are the stored bytes.
 */
export type ServedBytes = MetadataBytes & { readonly [served]: true };

/** A stored object and the revision of its last write. */
export interface StoredItem<Bytes extends Buffer = Buffer> {
  readonly stored: Bytes;
  readonly revision: number;
  /** Result of `measureRest`, kept so that the size of a list is known without reading its objects. */
  readonly restLength: number;
}

const plainFormat = 1;
const shortHeaderLength = 5;
const taggedFormat = 2;
const tagLength = 8;
/** Prefix of a value that storage has encrypted, and has not decrypted: it has no provider for the type. */
const encryptedPrefix = Buffer.from('k8s:enc:');
const versionBefore = Buffer.from('"resourceVersion":"');
const versionAfter = Buffer.from('",');
const zero = 0x30;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Prefix of list items, without kind and apiVersion. */
export const itemPrefix: Buffer = Buffer.from('{"metadata":{');

/** Returns the prefix of an object with this kind and apiVersion. */
export function objectPrefix(kind: string, apiVersion: string): Buffer {
  return Buffer.from(prefixText(kind, apiVersion));
}

function prefixText(kind: string, apiVersion: string): string {
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":{`;
}

/** Encodes an object in stored form without metadata.resourceVersion, with a tag of 8 bytes if given. */
export function encodeStored(object: ApiObject, tag?: Uint8Array): Buffer {
  return storedBytes(object, JSON.stringify(storedShape(object)), tag);
}

/** Encodes an object as `encodeStored` does, in slices if it has many bytes. */
export function encodeLongStored(
  object: ApiObject,
  { bytes, tag }: { readonly bytes: number; readonly tag?: Uint8Array | undefined },
): Buffer | Promise<Buffer> {
  if (!isLong(bytes)) return encodeStored(object, tag);
  const text = writeLongJson(storedShape(object), bytes);
  return typeof text === 'string'
    ? storedBytes(object, text, tag)
    : text.then(written => storedBytes(object, written, tag));
}

/** Returns an object as stored, with kind, apiVersion and metadata as its first members. */
function storedShape({ kind, apiVersion, metadata, ...rest }: ApiObject): JsonObject {
  const { resourceVersion: _, ...kept } = metadata;
  for (const _ in kept) return { kind, apiVersion, metadata: kept as JsonObject, ...rest };
  throw internalError(`a ${kind} without metadata cannot be stored`);
}

function storedBytes(object: ApiObject, json: string, tag: Uint8Array | undefined): Buffer {
  const prefix = prefixText(object.kind, object.apiVersion);
  const text = json.startsWith(prefix) ? json : textInOrder(object);
  const headerLength = tag === undefined ? shortHeaderLength : shortHeaderLength + tagLength;
  // Allocated outside the shared pool: the store and the cache would otherwise copy the bytes.
  const stored = Buffer.allocUnsafeSlow(headerLength + Buffer.byteLength(text));
  writeHeader(stored, Buffer.byteLength(prefix), tag);
  stored.write(text, headerLength);
  return stored;
}

/** Encodes an object with integer-like member names, which JavaScript orders first. */
function textInOrder(object: ApiObject): string {
  const { kind, apiVersion, metadata, ...rest } = storedShape(object);
  const others = JSON.stringify(rest);
  return `${JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1)},${others.slice(1)}`;
}

function writeHeader(stored: Buffer, prefixLength: number, tag: Uint8Array | undefined): void {
  stored[0] = tag === undefined ? plainFormat : taggedFormat;
  stored.writeUInt32BE(prefixLength, 1);
  if (tag !== undefined) stored.set(tag.subarray(0, tagLength), shortHeaderLength);
}

/**
 * Encodes an object as JSON text that `storedFromJson` can convert to its stored form, in slices if it has many bytes: kind,
 * apiVersion and the resourceVersion, if any, come first.
 */
export function writeStorableJson(object: ApiObject, bytes: number): string | Promise<string> {
  const { kind, apiVersion, metadata, ...rest } = object;
  const { resourceVersion, ...kept } = metadata;
  const ordered = resourceVersion === undefined ? kept : { resourceVersion, ...kept };
  return writeLongJson({ kind, apiVersion, metadata: ordered as JsonObject, ...rest }, bytes);
}

/**
 * Builds the stored form of an object, equal to the result of `encodeStored`, from the text of `writeStorableJson` without
 * encoding it again. Undefined for any other text.
 */
export function storedFromJson(object: ApiObject, json: Uint8Array, tag?: Uint8Array): Buffer | undefined {
  const prefix = objectPrefix(object.kind, object.apiVersion);
  const { resourceVersion } = object.metadata;
  const version =
    resourceVersion === undefined ? '' : `"resourceVersion":${JSON.stringify(resourceVersion)},`;
  const text = asBuffer(json);
  const restStart = prefix.length + Buffer.byteLength(version);
  if (text.length < restStart || text.compare(prefix, 0, prefix.length, 0, prefix.length) !== 0)
    return undefined;
  if (text.toString('utf8', prefix.length, restStart) !== version || text[restStart] !== quote)
    return undefined;
  const headerLength = tag === undefined ? shortHeaderLength : shortHeaderLength + tagLength;
  const stored = Buffer.allocUnsafe(headerLength + text.length - Buffer.byteLength(version));
  writeHeader(stored, prefix.length, tag);
  stored.set(prefix, headerLength);
  text.copy(stored, headerLength + prefix.length, restStart);
  return stored;
}

/** Whether stored bytes have this tag. */
export function hasTag(stored: Uint8Array, tag: Uint8Array): boolean {
  if (stored[0] !== taggedFormat) return false;
  for (let i = 0; i < tagLength; i++) if (stored[shortHeaderLength + i] !== tag[i]) return false;
  return true;
}

/** Decodes a stored object and sets its resourceVersion; throws an internal error if the bytes are not a stored object. */
export function decodeStored(stored: Uint8Array, revision: number): ApiObject {
  const object = parseStored(storedParts(stored).json);
  object.metadata.resourceVersion = String(revision);
  return object;
}

/** Decodes a stored object as `decodeStored` does, a long one in slices. */
export function decodeLongStored(stored: Uint8Array, revision: number): ApiObject | Promise<ApiObject> {
  const value = readWrittenJson(storedParts(stored).json.toString());
  const decoded = (read: JsonValue): ApiObject => {
    const object = storedObject(read);
    object.metadata.resourceVersion = String(revision);
    return object;
  };
  return value instanceof Promise ? value.then(decoded) : decoded(value);
}

/**
 * Decodes only the metadata of a stored object, with its resourceVersion; does not parse or read the rest of the text. Throws an
 * internal error if the bytes are not a stored object.
 */
export function decodeStoredMetadata(stored: Uint8Array, revision: number): ObjectMeta {
  const { json, prefixLength } = storedParts(stored);
  const start = prefixLength - 1;
  const metadata = readJson(json.toString('utf8', start, objectEnd(json, start)), false) as ObjectMeta; // written by encodeStored
  metadata.resourceVersion = String(revision);
  return metadata;
}

/**
 * Returns only the metadata of a stored object for rendering: the caller replaces the prefix and appends `}`. Nothing is parsed.
 * Throws an internal error if the bytes are not a stored object.
 */
export function storedMetadata(stored: MetadataBytes, revision: number): StoredItem<ServedBytes> {
  const restStart = readHeaderLength(stored) + readPrefixLength(stored);
  const end = objectEnd(stored, restStart - 1);
  // The result contains only metadata, which may be sent to clients.
  return { stored: stored.subarray(0, end) as ServedBytes, revision, restLength: end - restStart };
}

/** Returns the position after the object that begins at `start`. */
function objectEnd(json: Buffer, start: number): number {
  let depth = 0;
  for (let i = start; i < json.length; i++) {
    const byte = json[i];
    if (byte === quote) {
      i++;
      while (i < json.length && json[i] !== quote) i += json[i] === backslash ? 2 : 1;
    } else if (byte === openBrace) depth++;
    else if (byte === closeBrace && --depth === 0) return i + 1;
  }
  throw internalError('stored bytes are truncated');
}

/** Splits stored bytes into the length of the prefix and a view of the JSON text. */
export function storedParts(stored: Uint8Array): StoredParts {
  const bytes = asBuffer(stored);
  return { prefixLength: readPrefixLength(bytes), json: bytes.subarray(readHeaderLength(bytes)) };
}

/** Returns the number of bytes after the prefix; throws an internal error if the bytes are not a stored object. */
export function measureRest(stored: Uint8Array): number {
  return stored.length - readHeaderLength(stored) - readPrefixLength(stored);
}

/** Creates a renderable item of stored bytes; throws an internal error if they are not a stored object. */
export function storedItem<Bytes extends Buffer>(stored: Bytes, revision: number): StoredItem<Bytes> {
  return { stored, revision, restLength: measureRest(stored) };
}

/** Renders a stored object at a revision as JSON in a new Buffer; `prefix` replaces the stored one. */
export function renderStored(stored: ServedBytes, revision: number, prefix?: Uint8Array): Buffer {
  const item = storedItem(stored, revision);
  const target = Buffer.allocUnsafe(renderedSize(item, prefix));
  writeRendered(target, 0, item, prefix);
  return target;
}

/** Returns the number of bytes that `writeRendered` writes; with `prefix` it reads no stored bytes. */
export function renderedSize(
  { stored, revision, restLength }: StoredItem<ServedBytes>,
  prefix?: Uint8Array,
): number {
  const prefixLength =
    prefix === undefined ? stored.length - readHeaderLength(stored) - restLength : prefix.length;
  return prefixLength + versionBefore.length + decimalLength(revision) + versionAfter.length + restLength;
}

/** Writes the JSON text of a stored object into `target` at `offset`; returns the offset after it. */
export function writeRendered(
  target: Buffer,
  offset: number,
  { stored, revision, restLength }: StoredItem<ServedBytes>,
  prefix?: Uint8Array,
): number {
  const restStart = stored.length - restLength;
  let end = offset;
  if (prefix === undefined) {
    const headerLength = readHeaderLength(stored);
    target.set(stored.subarray(headerLength, restStart), end);
    end += restStart - headerLength;
  } else {
    target.set(prefix, end);
    end += prefix.length;
  }
  end = writeVersion(target, end, revision);
  // Copies without creating a view: this runs for every item of every list.
  end += stored.copy(target, end, restStart);
  return end;
}

/** Writes `"resourceVersion":"R",` byte by byte: faster than a native call, and without an intermediate string. */
function writeVersion(target: Buffer, offset: number, revision: number): number {
  let end = offset;
  for (let i = 0; i < versionBefore.length; i++) target[end++] = versionBefore[i]!;
  const digits = decimalLength(revision);
  let rest = revision;
  for (let i = end + digits - 1; i >= end; i--) {
    const quotient = Math.floor(rest / 10);
    target[i] = zero + (rest - quotient * 10);
    rest = quotient;
  }
  end += digits;
  for (let i = 0; i < versionAfter.length; i++) target[end++] = versionAfter[i]!;
  return end;
}

function readPrefixLength(stored: Uint8Array): number {
  if (stored.length < shortHeaderLength || (stored[0] !== plainFormat && stored[0] !== taggedFormat))
    throw internalError(
      encryptedPrefix.equals(stored.subarray(0, encryptedPrefix.length))
        ? 'stored bytes are encrypted: storage needs --encryption-provider-config with the type and its key'
        : 'stored bytes have an unknown format',
    );
  const length = ((stored[1]! << 24) | (stored[2]! << 16) | (stored[3]! << 8) | stored[4]!) >>> 0;
  if (readHeaderLength(stored) + length > stored.length) throw internalError('stored bytes are truncated');
  return length;
}

function readHeaderLength(stored: Uint8Array): number {
  return stored[0] === taggedFormat ? shortHeaderLength + tagLength : shortHeaderLength;
}

function parseStored(json: Buffer): ApiObject {
  return storedObject(readJson(json.toString(), false));
}

function storedObject(value: JsonValue): ApiObject {
  if (!isJsonObject(value) || !isJsonObject(value['metadata']))
    throw internalError('stored bytes hold no object');
  return value as JsonObject as ApiObject; // Written by encodeStored from an ApiObject.
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Number of decimal digits of a non-negative integer. */
function decimalLength(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  return digits;
}
