import { type FieldError, type FieldPath, forbiddenField, requiredField } from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { itemsOf, junctors, otherPropertiesOf, propertiesOf } from './json-schema.ts';

/** What says what a value is belongs into the structure; logic may only narrow it. */
const structuralKeys = [
  'additionalProperties',
  'default',
  'description',
  'nullable',
  'title',
  'type',
  'x-cluster-embedded-type',
  'x-cluster-int-or-string',
  'x-cluster-list-map-keys',
  'x-cluster-list-type',
  'x-cluster-map-type',
  'x-cluster-preserve-unknown-fields',
  'x-cluster-validations',
] as const;

/** The findings about the logic beside a node: it repeats nothing of the structure, and speaks of nothing beyond it. */
export function junctorSchemaErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return branchesOf(schema, path).flatMap(([node, at]) => [
    ...keyErrors(node, at, schema),
    ...completenessErrors(node, schema, { at, path }),
    ...junctorsBelow(node, schema, { at, path }),
  ]);
}

interface Places {
  /** Of the logic. */
  readonly at: FieldPath;
  /** Of the structure that it speaks of. */
  readonly path: FieldPath;
}

function branchesOf(schema: JSONSchemaProps, path: FieldPath): (readonly [JSONSchemaProps, FieldPath])[] {
  const branches = junctors.flatMap(junctor =>
    (schema[junctor] ?? []).map((node, index) => [node, path.child(junctor).index(index)] as const),
  );
  const { not } = schema;
  return not ? [...branches, [not, path.child('not')]] : branches;
}

function keyErrors(node: JSONSchemaProps, at: FieldPath, structure: JSONSchemaProps): FieldError[] {
  // An integer or a string may say so in the one form that other tools understand.
  const allowsType = structure['x-cluster-int-or-string'] === true;
  return structuralKeys
    .filter(key => isSet(node[key]) && !(key === 'type' && allowsType))
    .map(key => forbiddenField(at.child(key), 'must be empty to be structural'));
}

/** The logic below properties and items of a branch, against the same place of the structure. */
function completenessErrors(
  node: JSONSchemaProps,
  structure: JSONSchemaProps,
  { at, path }: Places,
): FieldError[] {
  const errors: FieldError[] = [];
  const known = new Map(propertiesOf(structure));
  const others = otherPropertiesOf(structure);
  for (const [name, below] of propertiesOf(node)) {
    const [to, from] = [path.child('properties').key(name), at.child('properties').key(name)];
    const target = known.get(name);
    if (target) errors.push(...belowErrors(below, target, { at: from, path: to }));
    else if (!others) errors.push(requiredField(to, `because it is defined in ${from}`));
  }
  const items = itemsOf(node);
  const target = itemsOf(structure);
  const places = { at: at.child('items'), path: path.child('items') };
  if (items && target) errors.push(...belowErrors(items, target, places));
  else if (items) errors.push(requiredField(places.path, `because it is defined in ${places.at}`));
  return errors;
}

function belowErrors(node: JSONSchemaProps, structure: JSONSchemaProps, places: Places): FieldError[] {
  return [
    ...keyErrors(node, places.at, structure),
    ...completenessErrors(node, structure, places),
    ...junctorsBelow(node, structure, places),
  ];
}

function junctorsBelow(
  node: JSONSchemaProps,
  structure: JSONSchemaProps,
  { at, path }: Places,
): FieldError[] {
  return branchesOf(node, at).flatMap(([branch, from]) => belowErrors(branch, structure, { at: from, path }));
}

function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== '' && value !== false && !(Array.isArray(value) && value.length === 0)
  );
}
