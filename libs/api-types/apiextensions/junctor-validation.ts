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

/** Keys that describe a value belong into the structure; logic may only narrow it. */
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

/** The findings about the logic beside a node: it repeats nothing of the structure, and speaks of nothing beyond it. */
export function junctorSchemaErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return listBranches(schema, path).flatMap(([node, at]) =>
    saysIntOrString(schema, node) ? [] : branchErrors(node, schema, { at, path }),
  );
}

interface Places {
  /** Of the logic. */
  readonly at: FieldPath;
  /** Of the structure that it speaks of. */
  readonly path: FieldPath;
}

/** The alternatives beside a node, each with its place. */
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

/** Whether alternatives are those of a value that is an integer or a string, in the one form that other tools understand. */
function isIntOrString({ anyOf }: JSONSchemaProps): boolean {
  return anyOf !== undefined && equalJson(anyOf as JsonObject[], intOrString);
}

/** Whether a branch is one of the two of an integer or a string, which may say their types. */
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

/** The logic below properties and items of a branch, against the same place of the structure. */
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

/** Whether a member of a schema says something: empty texts and lists, and a no, do not. */
export function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
  );
}
