import { extensions } from '@binnacle/api-names';
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { bodyPlace, type DefaultPlace, placeBelow, type SchemaStep } from './default-place.ts';
import { defaultSizeErrors } from './default-size.ts';
import { defaultErrors } from './default-validation.ts';
import {
  getAdditionalPropertySchema,
  getItemSchema,
  getPropertyMap,
  isEmbeddedObject,
  keepsUnknownFields,
  listProperties,
} from './json-schema.ts';
import { isSet, junctorSchemaErrors, listBranches } from './junctor-validation.ts';
import { listTypeErrors } from './list-type-validation.ts';
import { patternErrors } from './pattern-validation.ts';

/** The level of a node, which determines its required members. */
type Level = 'root' | 'item' | 'field';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** Unsupported keys, which would relate a node to other parts of the object or to another document. */
const unsupported = [
  '$ref',
  'additionalItems',
  'definitions',
  'dependencies',
  'id',
  'patternProperties',
] as const;

/**
 * Validates that a schema is structural: every node has a type, value validations only restrict the structure, lists and maps
 * have valid merge types, and defaults are valid.
 */
export function structuralSchemaErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const unsupported = unsupportedErrors(schema, path);
  // Other keys may depend on the unsupported ones, so only these are reported.
  if (unsupported.length > 0) return unsupported;
  // Defaults are not created before their size has been validated.
  const tooLarge = defaultSizeErrors(schema, path);
  return tooLarge.length > 0 ? tooLarge : nodeErrors(schema, { level: 'root', place: bodyPlace }, path);
}

/** The level of a node, and the place of its default. */
interface NodePlace {
  readonly level: Level;
  readonly place: DefaultPlace;
}

function nodeErrors(schema: JSONSchemaProps, { level, place }: NodePlace, path: FieldPath): FieldError[] {
  return [
    ...typeErrors(schema, level, path),
    ...otherPropertiesErrors(schema, level, path),
    ...patternErrors(schema, path),
    ...extensionErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...objectMetadataErrors(schema, level, path),
    ...junctorSchemaErrors(schema, path),
    ...validationRuleErrors(schema, path),
    ...embeddedPlaceErrors(schema, place, path),
    ...defaultErrors(schema, place, path),
    ...childErrors(schema, { level, place }, path),
  ];
}

function childErrors(schema: JSONSchemaProps, { level, place }: NodePlace, path: FieldPath): FieldError[] {
  const isRoot = level === 'root';
  return listChildren(schema, path).flatMap(({ node, at, step }) => {
    const below = placeBelow(place, { schema, isRoot }, step);
    return nodeErrors(node, { level: step.kind === 'items' ? 'item' : 'field', place: below }, at);
  });
}

/** A nested schema. */
interface ChildSchema {
  readonly node: JSONSchemaProps;
  readonly at: FieldPath;
  readonly step: SchemaStep;
}

function listChildren(schema: JSONSchemaProps, path: FieldPath): ChildSchema[] {
  const items = getItemSchema(schema);
  const others = getAdditionalPropertySchema(schema);
  const children: ChildSchema[] = listProperties(schema).map(([name, node]) => ({
    node,
    at: path.child('properties').key(name),
    step: { kind: 'property', name },
  }));
  if (others)
    children.unshift({ node: others, at: path.child('additionalProperties'), step: { kind: 'others' } });
  if (items) children.unshift({ node: items, at: path.child('items'), step: { kind: 'items' } });
  return children;
}

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeErrors(schema: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const type = schema.type ?? '';
  const at = path.child('type');
  const isIntOrString = schema[extensions.intOrString] === true;
  if (schema[extensions.embeddedType] === true && type !== 'object') {
    const why = `must be object if ${extensions.embeddedType} is true`;
    return [
      ...embeddedErrors(schema, path),
      type === '' ? requiredField(at, why) : invalidField(at, type, why),
    ];
  }
  if (type === '')
    return isIntOrString || (keepsUnknownFields(schema) && level !== 'root')
      ? []
      : [requiredField(at, emptyType[level])];
  if (!types.includes(type)) return [notSupportedField(at, type, types)];
  if (level === 'root' && type !== 'object') return [invalidField(at, type, 'must be object at the root')];
  if (type === 'array' && schema.items === undefined)
    return [requiredField(path.child('items'), 'must be specified')];
  if (level === 'root' && schema.nullable === true)
    return [forbiddenField(path.child('nullable'), 'nullable cannot be true at the root')];
  return embeddedErrors(schema, path);
}

/** An embedded object without declared properties could only contain apiVersion, kind and metadata. */
function embeddedErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (schema[extensions.embeddedType] !== true || keepsUnknownFields(schema)) return [];
  if (listProperties(schema).length > 0) return [];
  const why = `must not be empty if ${extensions.embeddedType} is true without ${extensions.preserveUnknownFields}`;
  return [requiredField(path.child('properties'), why)];
}

/** apiVersion, kind and metadata of an object must not contain embedded objects. */
function embeddedPlaceErrors(schema: JSONSchemaProps, place: DefaultPlace, path: FieldPath): FieldError[] {
  if (!isEmbeddedObject(schema) || place.kind === 'body') return [];
  return [forbiddenField(path.child(extensions.embeddedType), 'must not be used inside of resource meta')];
}

function unsupportedErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors = unsupported
    .filter(key => schema[key] !== undefined)
    .map(key => forbiddenField(path.child(key), `${key} is not supported`));
  if (schema.uniqueItems === true)
    errors.push(
      forbiddenField(
        path.child('uniqueItems'),
        'uniqueItems cannot be set to true: the cost of checking it is quadratic',
      ),
    );
  if (Array.isArray(schema.items))
    errors.push(forbiddenField(path.child('items'), 'items must be a schema object and not an array'));
  const children = listChildren(schema, path).map(({ node, at }) => [node, at] as const);
  const below = [...children, ...listBranches(schema, path)];
  return [...errors, ...below.flatMap(([node, at]) => unsupportedErrors(node, at))];
}

/** Validates `additionalProperties`: a schema or false must not be combined with properties. */
function otherPropertiesErrors(schema: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const others = schema.additionalProperties;
  if (others === undefined) return [];
  const at = path.child('additionalProperties');
  const errors: FieldError[] = [];
  if (level === 'root') errors.push(forbiddenField(at, 'must not be used at the root'));
  if (others !== true && listProperties(schema).length > 0)
    errors.push(forbiddenField(at, 'additionalProperties and properties are mutually exclusive'));
  if (schema[extensions.embeddedType] === true)
    errors.push(forbiddenField(at, `must not be used if ${extensions.embeddedType} is set`));
  return errors;
}

function extensionErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const preserve = schema[extensions.preserveUnknownFields];
  const type = schema.type ?? '';
  if (preserve === false)
    errors.push(
      invalidField(path.child(extensions.preserveUnknownFields), false, 'must be true or undefined'),
    );
  if (schema[extensions.intOrString] === true)
    for (const key of [extensions.preserveUnknownFields, extensions.embeddedType] as const)
      if (schema[key] === true)
        errors.push(
          invalidField(path.child(key), true, `must be false if ${extensions.intOrString} is true`),
        );
  const mapType = schema[extensions.mapType] ?? '';
  if (mapType === '') return errors;
  const at = path.child(extensions.mapType);
  if (mapType !== 'granular' && mapType !== 'atomic')
    errors.push(notSupportedField(at, mapType, ['atomic', 'granular']));
  if (type !== 'object') {
    const why = `must be object if ${extensions.mapType} is specified`;
    errors.push(
      type === '' ? requiredField(path.child('type'), why) : invalidField(path.child('type'), type, why),
    );
  }
  return errors;
}

/** Validates the form of a node's rules; the caller that evaluates expressions validates the expressions. */
function validationRuleErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return (schema[extensions.validations] ?? []).flatMap((entry, index) => {
    const at = path.child(extensions.validations).index(index);
    const rule = (entry.rule ?? '').trim();
    const message = entry.message ?? '';
    const errors = rule === '' ? [requiredField(at.child('rule'), 'rule is not specified')] : [];
    if (message === '' && rule.includes('\n'))
      errors.push(requiredField(at.child('message'), 'a rule of several lines needs a message'));
    if (message !== '' && message.trim() === '')
      errors.push(invalidField(at.child('message'), message, 'must not be blank where it is given'));
    if (message.trim().includes('\n'))
      errors.push(invalidField(at.child('message'), message, 'must not contain line breaks'));
    return errors;
  });
}

/**
 * The server declares apiVersion, kind and metadata. At the root a schema may only restrict names; within embedded objects it may
 * restrict all metadata.
 */
function objectMetadataErrors(schema: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  if (level !== 'root' && !isEmbeddedObject(schema)) return [];
  const properties = getPropertyMap(schema);
  const at = path.child('properties');
  const errors: FieldError[] = [];
  for (const name of ['apiVersion', 'kind']) {
    const node = properties.get(name);
    if (node && node.type !== 'string')
      errors.push(invalidField(at.key(name).child('type'), node.type ?? '', 'must be string'));
  }
  const metadata = properties.get('metadata');
  if (!metadata) return errors;
  if (metadata.type !== 'object')
    errors.push(invalidField(at.key('metadata').child('type'), metadata.type ?? '', 'must be object'));
  if (level === 'root' && !speaksOfNamesOnly(metadata))
    errors.push(
      forbiddenField(
        at.key('metadata'),
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  return errors;
}

/** Allowed keys in the schema of an object's own metadata; a default is refused elsewhere. */
const namesOnly: ReadonlySet<string> = new Set(['default', 'properties', 'type']);

function speaksOfNamesOnly(metadata: JSONSchemaProps): boolean {
  const isRestricted = listProperties(metadata).every(([name]) => name === 'name' || name === 'generateName');
  return (
    isRestricted && Object.entries(metadata).every(([key, value]) => namesOnly.has(key) || !isSet(value))
  );
}
