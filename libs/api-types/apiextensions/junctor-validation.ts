import { extensions } from '@binnacle/api-names';
import {
  equalJson,
  type FieldError,
  type FieldPath,
  forbiddenField,
  type JsonObject,
  requiredField,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { getAdditionalPropertySchema, getItemSchema, junctors, listProperties } from './json-schema.ts';
import { patternErrors } from './pattern-validation.ts';

/** Keys that are only allowed in the structure; value validations may only restrict it. */
const structuralKeys = [
  'additionalProperties',
  'default',
  'description',
  'externalDocs',
  'nullable',
  'title',
  'type',
  extensions.embeddedType,
  extensions.intOrString,
  extensions.listMapKeys,
  extensions.listType,
  extensions.mapType,
  extensions.preserveUnknownFields,
  extensions.validations,
] as const;

/** Validates the value validations of a node: they must not repeat the structure, and must refer only to declared parts of it. */
export function junctorSchemaErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return listBranches(schema, path).flatMap(([node, at]) =>
    saysIntOrString(schema, node) ? [] : branchErrors(node, schema, { at, path }),
  );
}

interface Places {
  /** Path of the value validation. */
  readonly at: FieldPath;
  /** Path of the structure that it restricts. */
  readonly path: FieldPath;
}

/** Returns the branches of a node's junctors with their paths. */
export function listBranches(
  schema: JSONSchemaProps,
  path: FieldPath,
): (readonly [JSONSchemaProps, FieldPath])[] {
  const branches = junctors.flatMap(junctor =>
    (schema[junctor] ?? []).map((node, index) => [node, path.child(junctor).index(index)] as const),
  );
  const { not } = schema;
  return not ? [...branches, [not, path.child('not')]] : branches;
}

const intOrString = [{ type: 'integer' }, { type: 'string' }];

/** Whether junctors declare an integer or string in the only form that other tools support. */
function isIntOrString({ anyOf }: JSONSchemaProps): boolean {
  return anyOf !== undefined && equalJson(anyOf as JsonObject[], intOrString);
}

/** Whether a branch is one of the two of an int-or-string, which may declare types. */
function saysIntOrString(schema: JSONSchemaProps, branch: JSONSchemaProps): boolean {
  return isIntOrString(schema) && schema.anyOf?.includes(branch) === true;
}

function branchErrors(node: JSONSchemaProps, structure: JSONSchemaProps, places: Places): FieldError[] {
  const isFirstOfAll = structure.allOf?.[0] === node;
  return [
    ...keyErrors(node, places.at),
    ...patternErrors(node, places.at),
    ...completenessErrors(node, structure, places),
    ...listBranches(node, places.at).flatMap(([branch, at]) =>
      isFirstOfAll && saysIntOrString(node, branch)
        ? []
        : branchErrors(branch, structure, { at, path: places.path }),
    ),
  ];
}

function keyErrors(node: JSONSchemaProps, at: FieldPath): FieldError[] {
  const errors = structuralKeys
    .filter(key => isSet(node[key]) || (key === 'additionalProperties' && node[key] === false))
    .map(key => forbiddenField(at.child(key), 'must be empty to be structural'));
  if (listProperties(node).some(([name]) => name === 'metadata'))
    errors.push(
      forbiddenField(at.child('properties').key('metadata'), 'must not be specified in a nested context'),
    );
  return errors;
}

/** Validates the properties and items of a branch against the same parts of the structure. */
function completenessErrors(
  node: JSONSchemaProps,
  structure: JSONSchemaProps,
  { at, path }: Places,
): FieldError[] {
  const errors: FieldError[] = [];
  const known = new Map(listProperties(structure));
  const others = getAdditionalPropertySchema(structure);
  for (const [name, below] of listProperties(node)) {
    const [to, from] = [path.child('properties').key(name), at.child('properties').key(name)];
    const target = known.get(name);
    if (target) errors.push(...branchErrors(below, target, { at: from, path: to }));
    else if (!others) errors.push(requiredField(to, `because it is defined in ${from}`));
  }
  const items = getItemSchema(node);
  const target = getItemSchema(structure);
  const places = { at: at.child('items'), path: path.child('items') };
  if (items && target) errors.push(...branchErrors(items, target, places));
  else if (items) errors.push(requiredField(places.path, `because it is defined in ${places.at}`));
  return errors;
}

/** Whether a schema member is set: empty texts and lists, and false, are not. */
export function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
  );
}
