import {
  equalJson,
  type FieldError,
  type FieldPath,
  invalidField,
  type JsonObject,
  type JsonValue,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
} from '@binnacle/api-objects';
import { asList, asObjects, asTexts } from '../json-access.ts';
import { embeddedObjectErrors } from './embedded-object-validation.ts';
import {
  isEmbeddedObject,
  junctors,
  otherPropertiesOf,
  propertyMapOf,
  type SchemaNode,
} from './json-schema.ts';
import { matchPattern } from './pattern.ts';
import { repeatedItemErrors } from './repeated-items.ts';
import { formatFault } from './value-formats.ts';

/** The findings about a value that a schema describes; properties that the schema does not know are no finding. */
export function schemaValueErrors(schema: SchemaNode, value: JsonValue, path: FieldPath): FieldError[] {
  if (value === null)
    return schema['nullable'] === true ? [] : [typeInvalidField(path, null, mustBe(path, schema, 'null'))];
  const actual = typeOf(value);
  if (!hasType(schema, value, actual)) return [typeInvalidField(path, value, mustBe(path, schema, actual))];
  return [
    ...enumErrors(schema, value, path),
    ...(typeof value === 'number' ? numberErrors(schema, value, path) : []),
    ...(typeof value === 'string' ? textErrors(schema, value, path) : []),
    ...(Array.isArray(value) ? listErrors(schema, value, path) : []),
    ...(typeof value === 'object' && !Array.isArray(value) ? objectErrors(schema, value, path) : []),
    ...junctorErrors(schema, value, path),
  ];
}

function typeOf(value: Exclude<JsonValue, null>): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'number') return typeof value;
  return Number.isInteger(value) ? 'integer' : 'number';
}

function hasType(schema: SchemaNode, value: JsonValue, actual: string): boolean {
  if (schema['x-cluster-int-or-string'] === true) return actual === 'integer' || typeof value === 'string';
  const { type } = schema;
  return !type || type === actual || (type === 'number' && actual === 'integer');
}

function mustBe(path: FieldPath, schema: SchemaNode, actual: string): string {
  const type =
    schema['x-cluster-int-or-string'] === true ? 'integer or string' : String(schema['type'] || 'value');
  return `${path} in body must be of type ${type}: "${actual}"`;
}

function enumErrors(schema: SchemaNode, value: JsonValue, path: FieldPath): FieldError[] {
  const allowed = asList(schema['enum']);
  if (allowed.length === 0 || allowed.some(one => equalJson(one, value))) return [];
  const texts = allowed.map(one => (typeof one === 'string' ? one : JSON.stringify(one)));
  return [notSupportedField(path, value, texts)];
}

function numberErrors(schema: SchemaNode, value: number, path: FieldPath): FieldError[] {
  const { minimum, maximum, multipleOf, format } = schema;
  const [above, below] = [schema['exclusiveMinimum'] === true, schema['exclusiveMaximum'] === true];
  const faults: string[] = [];
  if (typeof minimum === 'number' && (above ? value <= minimum : value < minimum))
    faults.push(`should be greater than ${above ? '' : 'or equal to '}${minimum}`);
  if (typeof maximum === 'number' && (below ? value >= maximum : value > maximum))
    faults.push(`should be less than ${below ? '' : 'or equal to '}${maximum}`);
  if (typeof multipleOf === 'number' && multipleOf > 0 && !isMultiple(value, multipleOf))
    faults.push(`should be a multiple of ${multipleOf}`);
  if (format === 'int32' && Math.trunc(value) !== (value | 0)) faults.push('should be an int32');
  return faults.map(fault => invalidField(path, value, `${path} in body ${fault}`));
}

/** As far as binary fractions can tell. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

function textErrors(schema: SchemaNode, value: string, path: FieldPath): FieldError[] {
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  const errors: FieldError[] = [];
  if (typeof maxLength === 'number' && length > maxLength) errors.push(tooLongField(path, value, maxLength));
  if (typeof minLength === 'number' && length < minLength)
    errors.push(invalidField(path, value, `${path} in body should be at least ${minLength} chars long`));
  const verdict = typeof pattern === 'string' && pattern !== '' ? matchPattern(pattern, value) : 'matches';
  if (verdict === 'differs')
    errors.push(invalidField(path, value, `${path} in body should match '${pattern}'`));
  if (verdict === 'too-long')
    errors.push(invalidField(path, '', `${path} in body is too long to be matched with its pattern`));
  if (typeof format === 'string' && formatFault(format, value))
    errors.push(typeInvalidField(path, value, `${path} in body must be of type ${format}: "${value}"`));
  return errors;
}

function listErrors(schema: SchemaNode, value: readonly JsonValue[], path: FieldPath): FieldError[] {
  const { minItems, maxItems, items } = schema;
  const errors: FieldError[] = [];
  if (typeof maxItems === 'number' && value.length > maxItems)
    errors.push(tooManyField(path, value.length, maxItems));
  if (typeof minItems === 'number' && value.length < minItems)
    errors.push(invalidField(path, value.length, `${path} in body should have at least ${minItems} items`));
  if (typeof items === 'object' && items !== null && !Array.isArray(items))
    for (const [index, item] of value.entries())
      errors.push(...schemaValueErrors(items, item, path.index(index)));
  errors.push(...repeatedItemErrors(schema, value, path));
  return errors;
}

function objectErrors(schema: SchemaNode, value: JsonObject, path: FieldPath): FieldError[] {
  const { minProperties, maxProperties } = schema;
  const size = Object.keys(value).length;
  const errors: FieldError[] = [];
  if (typeof maxProperties === 'number' && size > maxProperties)
    errors.push(tooManyField(path, size, maxProperties));
  if (typeof minProperties === 'number' && size < minProperties)
    errors.push(invalidField(path, size, `${path} in body should have at least ${minProperties} properties`));
  for (const name of asTexts(schema['required']))
    if (!Object.hasOwn(value, name)) errors.push(requiredField(path.child(name)));
  const properties = propertyMapOf(schema);
  const others = otherPropertiesOf(schema);
  for (const [name, item] of Object.entries(value)) {
    const node = properties.get(name) ?? others;
    if (node && item !== undefined) errors.push(...schemaValueErrors(node, item, path.child(name)));
  }
  if (isEmbeddedObject(schema)) errors.push(...embeddedObjectErrors(value, path));
  return errors;
}

function junctorErrors(schema: SchemaNode, value: JsonValue, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const junctor of junctors) {
    const nodes = asObjects(schema[junctor]);
    if (nodes.length === 0) continue;
    const findings = nodes.map(node => schemaValueErrors(node, value, path));
    const valid = findings.filter(found => found.length === 0).length;
    if (junctor === 'allOf') errors.push(...findings.flat());
    else if (valid === 0 || (junctor === 'oneOf' && valid > 1))
      errors.push(
        invalidField(path, value, `${path} in body must validate ${howMany[junctor]} (${junctor})`),
      );
  }
  const not = schema['not'];
  if (typeof not === 'object' && not !== null && !Array.isArray(not))
    if (schemaValueErrors(not, value, path).length === 0)
      errors.push(invalidField(path, value, `${path} in body must not validate the schema (not)`));
  return errors;
}

const howMany = { anyOf: 'at least one schema', oneOf: 'one and only one schema' };
