import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { defaultErrors } from './default-validation.ts';
import { itemsOf, keepsUnknownFields, otherPropertiesOf, propertiesOf } from './json-schema.ts';
import { junctorSchemaErrors } from './junctor-validation.ts';
import { listTypeErrors } from './list-type-validation.ts';
import { patternFault } from './pattern.ts';

/** Where a node stands: what it must say of itself depends on it. */
type Level = 'root' | 'item' | 'field';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
/** What a schema may not use: it would tie one part of an object to another, or to another document. */
const unsupported = [
  '$ref',
  'additionalItems',
  'definitions',
  'dependencies',
  'id',
  'patternProperties',
] as const;

/**
 * The findings about a schema that is to describe custom objects: every node says its type, logic stands beside the
 * structure and not in place of it, lists and maps have the types that they are merged by, and defaults fit.
 */
export function structuralSchemaErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const unsupported = unsupportedErrors(schema, path);
  // What stands beside something that is not supported may be meant to be described by it.
  return unsupported.length > 0 ? unsupported : nodeErrors(schema, 'root', path);
}

function nodeErrors(schema: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  return [
    ...typeErrors(schema, level, path),
    ...otherPropertiesErrors(schema, path),
    ...patternErrors(schema, path),
    ...extensionErrors(schema, path),
    ...listTypeErrors(schema, path),
    ...(level === 'root' || schema['x-cluster-embedded-type'] === true
      ? objectMetadataErrors(schema, path)
      : []),
    ...junctorSchemaErrors(schema, path),
    ...validationRuleErrors(schema, path),
    ...defaultErrors(schema, path),
    ...childErrors(schema, path),
  ];
}

function childErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return childrenOf(schema, path).flatMap(([node, at, level]) => nodeErrors(node, level, at));
}

function childrenOf(
  schema: JSONSchemaProps,
  path: FieldPath,
): (readonly [JSONSchemaProps, FieldPath, Level])[] {
  const items = itemsOf(schema);
  const others = otherPropertiesOf(schema);
  return [
    ...(items ? [[items, path.child('items'), 'item'] as const] : []),
    ...(others ? [[others, path.child('additionalProperties'), 'field'] as const] : []),
    ...propertiesOf(schema).map(
      ([name, node]) => [node, path.child('properties').key(name), 'field'] as const,
    ),
  ];
}

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeErrors(schema: JSONSchemaProps, level: Level, path: FieldPath): FieldError[] {
  const type = schema.type ?? '';
  const at = path.child('type');
  const isIntOrString = schema['x-cluster-int-or-string'] === true;
  if (schema['x-cluster-embedded-type'] === true && type !== 'object') {
    const why = 'must be object if x-cluster-embedded-type is true';
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

/** An embedded object of which nothing is known could hold nothing but what every object has. */
function embeddedErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  if (schema['x-cluster-embedded-type'] !== true || keepsUnknownFields(schema)) return [];
  if (propertiesOf(schema).length > 0) return [];
  const why =
    'must not be empty if x-cluster-embedded-type is true without x-cluster-preserve-unknown-fields';
  return [requiredField(path.child('properties'), why)];
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
  return [...errors, ...childrenOf(schema, path).flatMap(([node, at]) => unsupportedErrors(node, at))];
}

function otherPropertiesErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const others = schema.additionalProperties;
  if (others === undefined) return [];
  const at = path.child('additionalProperties');
  const errors: FieldError[] = [];
  if (others === false) errors.push(forbiddenField(at, 'additionalProperties cannot be set to false'));
  if (propertiesOf(schema).length > 0)
    errors.push(forbiddenField(at, 'additionalProperties and properties are mutually exclusive'));
  if (schema['x-cluster-embedded-type'] === true)
    errors.push(forbiddenField(at, 'must not be used if x-cluster-embedded-type is set'));
  return errors;
}

/** So much of a pattern is shown. */
const longestShown = 256;

function patternErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const pattern = schema.pattern ?? '';
  const fault = pattern === '' ? undefined : patternFault(pattern);
  if (fault === undefined) return [];
  const why =
    fault === 'malformed'
      ? 'must be a valid regular expression'
      : 'must be a regular expression of at most 10000 characters and 10000 instructions';
  return [invalidField(path.child('pattern'), pattern.slice(0, longestShown), why)];
}

function extensionErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const preserve = schema['x-cluster-preserve-unknown-fields'];
  const type = schema.type ?? '';
  if (preserve === false)
    errors.push(
      invalidField(path.child('x-cluster-preserve-unknown-fields'), false, 'must be true or undefined'),
    );
  const mapType = schema['x-cluster-map-type'] ?? '';
  if (mapType === '') return errors;
  const at = path.child('x-cluster-map-type');
  if (mapType !== 'granular' && mapType !== 'atomic')
    errors.push(notSupportedField(at, mapType, ['atomic', 'granular']));
  if (type !== 'object') {
    const why = 'must be object if x-cluster-map-type is specified';
    errors.push(
      type === '' ? requiredField(path.child('type'), why) : invalidField(path.child('type'), type, why),
    );
  }
  return errors;
}

/** The findings about the form of a node's rules; whether they are expressions is for who evaluates them to say. */
function validationRuleErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  return (schema['x-cluster-validations'] ?? []).flatMap((entry, index) => {
    const at = path.child('x-cluster-validations').index(index);
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

/** What every object has is described by the server; a definition may say more of names only. */
function objectMetadataErrors(schema: JSONSchemaProps, path: FieldPath): FieldError[] {
  const properties = new Map(propertiesOf(schema));
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
  const restricted = propertiesOf(metadata).every(([name]) => name === 'name' || name === 'generateName');
  const required = (metadata.required ?? []).length > 0;
  const others = Object.keys(metadata).some(key => !['type', 'properties', 'description'].includes(key));
  if (!restricted || required || others || otherPropertiesOf(metadata))
    errors.push(
      forbiddenField(
        at.key('metadata'),
        'must not specify anything other than name and generateName, but metadata is implicitly specified',
      ),
    );
  return errors;
}
