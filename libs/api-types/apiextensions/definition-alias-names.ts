import { understood } from '@binnacle/api-names';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwnProperty,
  splitApiVersion,
} from '@binnacle/api-objects';
import type { AliasNames } from '../definitions/kind-rules.ts';
import { extensionAliases } from '../group-names/extension-names.ts';

/** Renaming in one direction; other names are unchanged. */
interface Renaming {
  readonly extensions: ReadonlyMap<string, string>;
  readonly finalizers: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, string>;
}

/** Schema members whose values are maps of schemas by name. */
const schemasByName: ReadonlySet<string> = new Set([
  'definitions',
  'dependencies',
  'patternProperties',
  'properties',
]);
/** Schema members that are a schema or a list of schemas. */
const schemas: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'items',
  'not',
  'oneOf',
]);

const toAlias: Renaming = {
  extensions: extensionAliases,
  finalizers: ownToAlias(understood.finalizers.customResources),
  groups: ownToAlias(understood.groups.apiextensions),
};
const fromAlias: Renaming = {
  extensions: inverse(toAlias.extensions),
  finalizers: inverse(toAlias.finalizers),
  groups: inverse(toAlias.groups),
};

/**
 * Names in CustomResourceDefinition objects that depend on the alias of their group: schema extensions, the finalizer, and both
 * in managed fields. Values within schemas (defaults, enumerations, examples) and property names are unchanged.
 */
export const definitionAliasNames: AliasNames = {
  toAlias: object => renamed(object, toAlias),
  toAliasOnWire: object => withMember(object, 'metadata', metadata => renamedMetadata(metadata, toAlias)),
  fromAlias: object => renamed(object, fromAlias),
  textToAlias: text => text.replace(/\bx-[a-z-]+/g, name => toAlias.extensions.get(name) ?? name),
};

function ownToAlias([own, ...aliases]: readonly string[]): Map<string, string> {
  return new Map(aliases.map(alias => [own!, alias])); // The first name always exists.
}

function inverse(names: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...names].map(([from, to]) => [to, from]));
}

function renamed(object: JsonObject, names: Renaming): JsonObject {
  const withMetadata = withMember(object, 'metadata', metadata => renamedMetadata(metadata, names));
  return withMember(withMetadata, 'spec', spec =>
    withElements(spec, 'versions', version =>
      withMember(version, 'schema', schema =>
        withMember(schema, 'openAPIV3Schema', root => renamedSchema(root, names.extensions)),
      ),
    ),
  );
}

function renamedSchema(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    // Directives of a strategic merge patch contain the field name.
    const start = key.startsWith('$') ? key.indexOf('/') + 1 : 0;
    const name = key.slice(start);
    const renamedKey = key.slice(0, start) + (names.get(name) ?? name);
    const isNameList = key === '$retainKeys' && Array.isArray(value);
    setOwnProperty(
      result,
      renamedKey,
      isNameList ? value.map(item => renamedText(item, names)) : renamedPart(name, value, names),
    );
  }
  return result;
}

function renamedPart(name: string, value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  const inner = (one: JsonValue) => (isJsonObject(one) ? renamedSchema(one, names) : one);
  if (schemas.has(name)) return Array.isArray(value) ? value.map(inner) : inner(value);
  if (!schemasByName.has(name) || !isJsonObject(value)) return value;
  const result: JsonObject = {};
  for (const [key, schema] of Object.entries(value)) setOwnProperty(result, key, inner(schema));
  return result;
}

function renamedMetadata(metadata: JsonObject, names: Renaming): JsonObject {
  let result = metadata;
  for (const [key, value] of Object.entries(metadata)) {
    if ((key === 'finalizers' || key.endsWith('/finalizers')) && Array.isArray(value)) {
      const finalizers = new Set(value.map(one => renamedText(one, names.finalizers)));
      result = { ...result, [key]: [...finalizers] };
    }
  }
  return withElements(result, 'managedFields', entry => renamedEntry(entry, names));
}

function renamedEntry(entry: JsonObject, names: Renaming): JsonObject {
  const { apiVersion } = entry;
  const { group, version } = splitApiVersion(typeof apiVersion === 'string' ? apiVersion : '');
  const other = names.groups.get(group);
  const inGroup = other === undefined ? entry : { ...entry, apiVersion: `${other}/${version}` };
  return withMember(inGroup, 'fieldsV1', fields => renamedFields(fields, names));
}

/** Renames a field set outside of schemas. */
function renamedFields(set: JsonObject, names: Renaming): JsonObject {
  const result: JsonObject = {};
  for (const [element, below] of Object.entries(set)) {
    if (!isJsonObject(below)) setOwnProperty(result, element, below);
    else if (element === 'f:openAPIV3Schema')
      setOwnProperty(result, element, renamedSchemaFields(below, names.extensions));
    else if (element === 'f:finalizers') setOwnProperty(result, element, renamedFinalizers(below, names));
    else setOwnProperty(result, element, renamedFields(below, names));
  }
  return result;
}

function renamedFinalizers(set: JsonObject, { finalizers }: Renaming): JsonObject {
  const elements = new Map(
    [...finalizers].map(([from, to]) => [createSetElement(from), createSetElement(to)]),
  );
  return Object.fromEntries(
    Object.entries(set).map(([element, below]) => [elements.get(element) ?? element, below]),
  );
}

function createSetElement(value: string): string {
  return `v:${JSON.stringify(value)}`;
}

function renamedSchemaFields(set: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const result: JsonObject = {};
  for (const [element, below] of Object.entries(set)) {
    const name = element.startsWith('f:') ? element.slice(2) : '';
    const other = names.get(name);
    const isByName = schemasByName.has(name);
    const value =
      !isJsonObject(below) || !(isByName || schemas.has(name))
        ? below
        : isByName
          ? eachBelow(below, schema => renamedSchemaFields(schema, names))
          : renamedSchemaFields(below, names);
    setOwnProperty(result, other === undefined ? element : `f:${other}`, value);
  }
  return result;
}

function eachBelow(set: JsonObject, change: (below: JsonObject) => JsonObject): JsonObject {
  const result: JsonObject = {};
  for (const [element, below] of Object.entries(set))
    setOwnProperty(result, element, isJsonObject(below) ? change(below) : below);
  return result;
}

function renamedText(value: JsonValue, names: ReadonlyMap<string, string>): JsonValue {
  return typeof value === 'string' ? (names.get(value) ?? value) : value;
}

function withMember(object: JsonObject, key: string, change: (member: JsonObject) => JsonObject): JsonObject {
  const member = Object.hasOwn(object, key) ? object[key] : undefined;
  return isJsonObject(member) ? { ...object, [key]: change(member) } : object;
}

function withElements(
  object: JsonObject,
  key: string,
  change: (element: JsonObject) => JsonObject,
): JsonObject {
  const list = Object.hasOwn(object, key) ? object[key] : undefined;
  if (!Array.isArray(list)) return object;
  return { ...object, [key]: list.map(element => (isJsonObject(element) ? change(element) : element)) };
}
