import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { at } from '../drivers/conformance-server.ts';

/**
 * Who owns what of an object, as its metadata.managedFields tell: paths in alphabetical order by manager and operation,
 * with the subresource if there is one. `{ 'm Apply': ['.data.a'], 'k Update status': ['.spec.ports[{"port":80}]'] }`.
 */
export function fieldManagers(object: JsonObject): Record<string, string[]> {
  const entries = at(object, 'metadata', 'managedFields') ?? [];
  if (!Array.isArray(entries)) throw new Error(`managedFields is no list: ${JSON.stringify(entries)}`);
  return Object.fromEntries(
    entries.map(entry => {
      const { manager = '', operation = '', subresource } = isJsonObject(entry) ? entry : {};
      const head = [manager, operation, ...(subresource === undefined ? [] : [subresource])].join(' ');
      return [head, pathsIn(at(entry, 'fieldsV1'), '').sort()];
    }),
  );
}

/** The entry of a manager in the metadata.managedFields of an object; undefined where there is none. */
export function managerEntry(object: JsonObject, manager: string): JsonObject | undefined {
  const entries = at(object, 'metadata', 'managedFields') ?? [];
  if (!Array.isArray(entries)) throw new Error(`managedFields is no list: ${JSON.stringify(entries)}`);
  return entries.filter(isJsonObject).find(entry => entry['manager'] === manager);
}

function pathsIn(fields: JsonValue | undefined, path: string): string[] {
  if (!isJsonObject(fields) || Object.keys(fields).length === 0) return [path];
  return Object.entries(fields).flatMap(([key, value]) =>
    key === '.' ? [path] : pathsIn(value, path + formatStep(key)),
  );
}

function formatStep(key: string): string {
  const text = key.slice(2);
  if (key.startsWith('f:')) return `.${text}`;
  if (key.startsWith('k:') || key.startsWith('v:') || key.startsWith('i:')) return `[${text}]`;
  throw new Error(`no element of a path: ${key}`);
}
