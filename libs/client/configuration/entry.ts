import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';

/** A named entry of a client configuration. */
export interface Entry {
  readonly fields: JsonObject;
  /** Folder of the file, against which relative paths are resolved. */
  readonly directory: string;
  /** File and name, at the start of error messages. */
  readonly where: string;
}

/** Creates an error that names the file and the entry; `what` must not hold values of fields, which may be secrets. */
export function entryError({ where }: Entry, what: string): Error {
  return new Error(`${where}: ${what}`);
}

/** Reads a text; undefined if it is missing or empty. */
export function readText(entry: Entry, field: string): string | undefined {
  const value = readField(entry, field) ?? '';
  if (typeof value !== 'string') throw entryError(entry, `${field} must be a string`);
  return value === '' ? undefined : value;
}

/** Reads a boolean; false if it is missing. */
export function isOn(entry: Entry, field: string): boolean {
  const value = readField(entry, field) ?? false;
  if (typeof value !== 'boolean') throw entryError(entry, `${field} must be true or false`);
  return value;
}

/** Reads a list of objects; empty if it is missing. */
export function readObjects(entry: Entry, field: string): readonly JsonObject[] {
  const value = readField(entry, field) ?? [];
  if (!Array.isArray(value) || !value.every(isJsonObject))
    throw entryError(entry, `${field} must be a list of objects`);
  return value;
}

/** Reads a list of texts; empty if it is missing. */
export function readTexts(entry: Entry, field: string): readonly string[] {
  const value = readField(entry, field) ?? [];
  if (!Array.isArray(value) || !value.every(item => typeof item === 'string'))
    throw entryError(entry, `${field} must be a list of strings`);
  return value;
}

/** Reads an object as an entry, whose errors name the field; undefined if it is missing. */
export function readPart(entry: Entry, field: string): Entry | undefined {
  const value = readField(entry, field);
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw entryError(entry, `${field} must be an object`);
  return { ...entry, fields: value, where: `${entry.where}: ${field}` };
}

/** Whether the field exists and is not null. */
export function hasField(entry: Entry, field: string): boolean {
  return readField(entry, field) !== undefined;
}

/** Reads bytes from base64 in `<field>-data`, or else from the file that the field names. */
export function readBytes(entry: Entry, field: string): Buffer | undefined {
  const data = readText(entry, `${field}-data`);
  if (data === undefined) return readNamedFile(entry, field);
  const text = data.replaceAll(/\s/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0)
    throw entryError(entry, `${field}-data is not base64`);
  return Buffer.from(text, 'base64');
}

/** Reads the file that the field names. */
export function readNamedFile(entry: Entry, field: string): Buffer | undefined {
  const path = readPath(entry, field);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    throw new Error(entryError(entry, `${field}: cannot read ${path} (${code})`).message, { cause });
  }
}

/** Reads a path and makes it absolute. */
export function readPath(entry: Entry, field: string): string | undefined {
  const path = readText(entry, field);
  return path === undefined ? undefined : resolve(entry.directory, path);
}

function readField({ fields }: Entry, field: string): JsonValue | undefined {
  return Object.hasOwn(fields, field) ? (fields[field] ?? undefined) : undefined;
}
