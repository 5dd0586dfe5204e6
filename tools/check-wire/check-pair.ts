import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
  copyJson,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseApiVersion,
} from '@binnacle/api-objects';
import { checkTypes, type MessageType } from '@binnacle/api-types';
import { decodeEnvelope, decodeMessage, encodeProtobuf } from '@binnacle/codecs';
import { errorMessage } from '@binnacle/status-errors';
import type { Pair } from './find-pairs.ts';
import type { MessageOfKind } from './messages-of-kinds.ts';
import { renameDocument, renameEnvelope } from './rename.ts';

/** Options of the check of a pair. */
interface CheckOptions {
  readonly messageOf: MessageOfKind;
  /** Whether names are those of existing clients, and are translated first. */
  readonly rename: boolean;
}

/** The fault of a pair, in a sentence; undefined when the forms say the same and the bytes are the same. */
export function checkPair(pair: Pair, options: CheckOptions): string | undefined {
  if (pair.json === undefined) return 'there is no .json file';
  if (pair.protobuf === undefined) return 'there is no .pb file';
  const document: unknown = JSON.parse(readFileSync(pair.json, 'utf8'));
  if (!isJsonObject(document)) return 'the .json file does not hold an object';
  const bytes = readFileSync(pair.protobuf);
  try {
    return options.rename
      ? compare(pair.name, renameDocument(document), renameEnvelope(bytes), options)
      : compare(pair.name, document, bytes, options);
  } catch (error) {
    return errorMessage(error);
  }
}

function compare(
  name: string,
  document: JsonObject,
  bytes: Buffer,
  { messageOf }: CheckOptions,
): string | undefined {
  const { apiVersion, kind, raw } = decodeEnvelope(bytes);
  const { group, version } = parseApiVersion(apiVersion === '' ? 'v1' : apiVersion);
  // A value without a type of its own, such as a watch event, is known by the name of its file.
  const kindName = kind === '' ? (name.split('.').at(-1) ?? '') : kind;
  const message = messageOf(group, version, kindName);
  if (message === undefined) return `there is no definition of ${kindName} in ${group}/${version}`;
  const typeMeta = kind === '' ? {} : { kind, apiVersion };
  return (
    differentValue(message, { ...typeMeta, ...decodeMessage(message, raw) }, document) ??
    differentBytes(encodeProtobuf(message, checked(message, document)), bytes)
  );
}

/** The document as the server keeps it: values in canonical form. Throws for fields that the definition does not have. */
function checked(message: MessageType, document: JsonObject): JsonObject {
  const copy = copyJson(document);
  const { mismatch, unknownFields } = checkTypes(message, copy);
  if (mismatch !== undefined)
    throw new Error(`${mismatch.path}: ${mismatch.found} is no ${mismatch.expected}`);
  if (unknownFields.length > 0)
    throw new Error(`fields without a definition: ${unknownFields.slice(0, 5).join(', ')}`);
  return copy;
}

function differentValue(message: MessageType, decoded: JsonObject, document: JsonObject): string | undefined {
  const path = firstDifference(decoded, checked(message, document), '');
  return path === undefined ? undefined : `decoded, it differs from the JSON at ${path}`;
}

function firstDifference(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  path: string,
): string | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  const [left, right] = [childrenFromValue(a), childrenFromValue(b)];
  if (left === undefined || right === undefined) return `${path}: ${shown(a)}, not ${shown(b)}`;
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const found = firstDifference(left.get(key), right.get(key), `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return path;
}

function childrenFromValue(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined;
}

function shown(value: JsonValue | undefined): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 80);
}

function differentBytes(encoded: Buffer, bytes: Buffer): string | undefined {
  if (encoded.equals(bytes)) return undefined;
  const at = encoded.findIndex((byte, i) => byte !== bytes[i]);
  const around = (buffer: Buffer) => buffer.subarray(Math.max(0, at - 8), at + 8).toString('hex');
  return `encoded, it differs at byte ${at} of ${bytes.length}: ${around(encoded)}, not ${around(bytes)}`;
}
