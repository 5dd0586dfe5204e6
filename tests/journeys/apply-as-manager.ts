import type { JsonObject, JsonValue } from '@binnacle/api-objects';
import { type AdminServer, at } from './admin-server.ts';
import { objectAt, objectsAt } from './setup/json-parts.ts';

/** The parts of an apply besides the configuration. */
interface ApplyOptions {
  readonly force?: boolean;
  /** More of the query: `dryRun=All`. */
  readonly query?: string;
  /** Default: 200. */
  readonly code?: number;
}

/** Applies a configuration, an object or YAML text, as a manager; gives the body of the answer, which must have the code. */
export async function apply(
  server: AdminServer,
  path: string,
  [manager, body, options = {}]: readonly [string, JsonValue, ApplyOptions?],
): Promise<JsonObject> {
  const { force = false, query = '', code = 200 } = options;
  const parameters = new URLSearchParams(query);
  if (manager !== '') parameters.set('fieldManager', manager);
  if (force) parameters.set('force', 'true');
  const contentType = 'application/apply-patch+yaml';
  return await server.expect(code, 'PATCH', `${path}?${parameters}`, { body, contentType });
}

/** The managers of fields, an entry a line: `m1 Apply v1: f:data/f:a f:metadata/f:labels/f:x`; a subresource follows the version. */
export function listManagers(object: JsonObject): string[] {
  return listEntries(object).map(entry => {
    const { manager = '', operation, apiVersion, subresource, fieldsV1 } = entry as Record<string, JsonValue>;
    const head = [manager, operation, apiVersion, ...(subresource === undefined ? [] : [subresource])];
    return `${head.join(' ')}: ${listLeaves(fieldsV1 ?? {}).join(' ')}`;
  });
}

/** The entries of an object as they stand in its metadata. */
export function listEntries(object: JsonObject): JsonObject[] {
  const entries = at(object, 'metadata', 'managedFields');
  return Array.isArray(entries) ? objectsAt(entries) : [];
}

function listLeaves(fields: JsonValue, path: readonly string[] = []): string[] {
  const children = Object.entries(objectAt(fields)); // A tree of objects.
  if (children.length === 0) return [path.join('/')];
  return children.flatMap(([key, child]) =>
    key === '.' ? [path.concat('.').join('/')] : listLeaves(child, [...path, key]),
  );
}
