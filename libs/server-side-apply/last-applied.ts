import { understood } from '@binnacle/api-names';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  readJson,
  setOwnProperty,
} from '@binnacle/api-objects';
import { difference } from './field-sets/algebra.ts';
import type { FieldSet } from './field-sets/field-set.ts';
import { compareTexts } from './field-sets/value-order.ts';
import { type ServedVersions, versionName } from './managers/versions.ts';
import type { TypedSchema } from './schemas/typed-schema.ts';
import { compare } from './values/compare.ts';
import { fieldSetFromValue } from './values/field-set-from-value.ts';
import { validate } from './values/validate.ts';

/** The manager whose applies go on where the client-side apply of the same tool left off. */
export const clientSideApplier = 'kubectl';

/** Where client-side apply keeps the configuration that it applied last. */
const annotationNames = understood.annotations.lastApplied;

/** The way of a configuration between the record, which has the names that its client knows, and the schema. */
export interface LastAppliedNames {
  read(recorded: JsonObject): JsonObject;
  write(applied: JsonObject): JsonObject;
}

const sameNames: LastAppliedNames = { read: recorded => recorded, write: applied => applied };

/** Annotations of an object may have this many bytes together. */
const annotationsLimit = 256 * 1024;

/** The kind that a record of client-side apply is read against. */
interface RecordedKind {
  readonly schema: TypedSchema;
  readonly apiVersion: string;
  readonly versions?: ServedVersions;
  readonly lastApplied?: LastAppliedNames;
}

/**
 * The fields of the live object that client-side apply set and no other write changed since: the applying manager may
 * take them from any other manager without a conflict. undefined if the object has no such record, or one of
 * another version, or one that cannot be read.
 */
export function unchangedSinceLastApplied(live: JsonObject, kind: RecordedKind): FieldSet | undefined {
  const { schema, lastApplied: { read } = sameNames } = kind;
  const record = findRecord(live);
  const recorded = record === undefined ? undefined : parseObject(record.text);
  if (recorded === undefined || !isOfVersion(recorded, kind)) return undefined;
  const lastApplied = read(recorded);
  if (validate(lastApplied, schema).length > 0) return undefined;
  const { added, modified, removed } = compare(lastApplied, live, schema);
  return [modified, added, removed].reduce(difference, fieldSetFromValue(lastApplied, schema));
}

/**
 * An object whose record of client-side apply, if it has one, is the configuration applied now, so that both ways of
 * applying can take turns. The record goes when it makes the annotations too long. Answers the object itself if nothing
 * changes; else the parts that do not change are shared.
 */
export function withLastApplied(
  object: JsonObject,
  applied: JsonObject,
  { write }: LastAppliedNames = sameNames,
): JsonObject {
  const record = findRecord(object);
  if (record === undefined) return object;
  const text = `${JSON.stringify(sorted(withoutRecord(write(applied))))}\n`;
  if (text === record.text) return object;
  const annotations = { ...record.annotations, [record.name]: text };
  if (measureAnnotations(annotations) > annotationsLimit) delete annotations[record.name];
  const metadata = { ...(object.metadata as JsonObject), annotations }; // the record was found in it
  return { ...object, metadata };
}

interface LastAppliedRecord {
  readonly name: string;
  readonly text: string;
  readonly annotations: JsonObject;
}

/** Asks whether a configuration is of a version, the group of which it may name by an alias. */
export function isOfVersion(
  applied: JsonObject,
  { apiVersion, versions }: Pick<RecordedKind, 'apiVersion' | 'versions'>,
): boolean {
  const sent = ownProperty(applied, 'apiVersion');
  if (typeof sent !== 'string' || sent === apiVersion || versions === undefined) return sent === apiVersion;
  return versionName(versions, sent) === versionName(versions, apiVersion);
}

function findRecord(object: JsonObject): LastAppliedRecord | undefined {
  const annotations = findAnnotations(object);
  if (annotations === undefined) return undefined;
  for (const name of annotationNames) {
    const text = ownProperty(annotations, name);
    if (typeof text === 'string' && text !== '') return { name, text, annotations };
  }
  return undefined;
}

function findAnnotations(object: JsonObject): JsonObject | undefined {
  const metadata = ownProperty(object, 'metadata');
  const annotations = isJsonObject(metadata) ? ownProperty(metadata, 'annotations') : undefined;
  return isJsonObject(annotations) ? annotations : undefined;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = readJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Any user can write the annotation; what cannot be read is no record.
    return undefined;
  }
}

function withoutRecord(applied: JsonObject): JsonObject {
  const annotations = findAnnotations(applied);
  if (annotations === undefined || !annotationNames.some(name => Object.hasOwn(annotations, name)))
    return applied;
  const rest = { ...annotations };
  for (const name of annotationNames) delete rest[name];
  const metadata = { ...(applied.metadata as JsonObject), annotations: rest }; // it has annotations
  return { ...applied, metadata };
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const name of Object.keys(value).sort(compareTexts))
    setOwnProperty(result, name, sorted(value[name]!));
  return result;
}

function measureAnnotations(annotations: JsonObject): number {
  const texts = Object.entries(annotations).flat();
  return texts.reduce<number>((size, text) => size + Buffer.byteLength(String(text)), 0);
}
