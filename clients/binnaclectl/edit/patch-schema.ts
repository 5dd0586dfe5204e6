import { documentExtensionTable } from '@binnacle/api-names/table';
import { isJsonObject, type JsonObject, type JsonValue } from '@binnacle/api-objects';
import { StatusError } from '@binnacle/status-errors';
import { formatGroupVersion, type ResourceType, resourcePath } from '../discovery/resource-type.ts';
import { objectIn, textIn } from '../objects/page.ts';
import type { Session } from '../session/session.ts';

/** How a strategic merge patch treats a value. */
export interface PatchSchema {
  /** `merge`, `replace`, `retainKeys`. */
  readonly strategies: readonly string[];
  /** The field that tells the items of a list apart; undefined for lists of scalars. */
  readonly mergeKey: string | undefined;
  /** The schema of a member of an object. */
  readonly member: (name: string) => PatchSchema;
  /** The schema of the items of a list. */
  readonly items: () => PatchSchema;
}

export const strategicMediaType = 'application/strategic-merge-patch+json';

/**
 * The schema of a type for strategic merge patches, from the server's OpenAPI document; undefined for types that do not take
 * such patches, custom resources for example.
 */
export async function findPatchSchema(
  { client }: Pick<Session, 'client'>,
  type: ResourceType,
): Promise<PatchSchema | undefined> {
  const root = type.group === '' ? 'api' : 'apis';
  let document: JsonObject;
  try {
    const path = `/openapi/v3/${root}/${formatGroupVersion(type)}`;
    document = await client.json<JsonObject>({ method: 'GET', path });
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return undefined;
    throw error;
  }
  const path = decodeURIComponent(resourcePath(type, '{namespace}', '{name}'));
  const operation = objectIn(objectIn(objectIn(document, 'paths'), path), 'patch');
  const accepted = objectIn(objectIn(operation, 'requestBody'), 'content');
  if (accepted[strategicMediaType] === undefined) return undefined;
  const answer = objectIn(objectIn(objectIn(operation, 'responses'), '200'), 'content');
  return schemaFrom(document, objectIn(objectIn(answer, 'application/json'), 'schema'));
}

/** The schema of a node of an OpenAPI document; references are followed when a member is asked for. */
export function schemaFrom(document: JsonObject, node: JsonObject): PatchSchema {
  const target = () => resolved(document, node);
  return {
    strategies: firstText(node, documentExtensionTable.patchStrategy)?.split(',') ?? [],
    mergeKey: firstText(node, documentExtensionTable.patchMergeKey),
    member(name) {
      const { properties, additionalProperties } = target();
      const member = isJsonObject(properties) ? properties[name] : undefined;
      return schemaFrom(document, firstObject(member, additionalProperties));
    },
    items: () => schemaFrom(document, objectIn(target(), 'items')),
  };
}

function resolved(document: JsonObject, node: JsonObject): JsonObject {
  const [only] = Array.isArray(node['allOf']) ? node['allOf'] : [];
  const reference = textIn(node, '$ref') || (isJsonObject(only) ? textIn(only, '$ref') : '');
  if (reference === '') return node;
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return objectIn(objectIn(objectIn(document, 'components'), 'schemas'), name);
}

/** The value of an extension, under its name in either vocabulary. */
function firstText(node: JsonObject, names: readonly string[]): string | undefined {
  return names.map(name => textIn(node, name)).find(text => text !== '');
}

function firstObject(...values: (JsonValue | undefined)[]): JsonObject {
  return values.find(isJsonObject) ?? {};
}
