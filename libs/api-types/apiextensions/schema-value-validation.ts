import { extensions } from '@binnacle/api-names';
import {
  equalJson,
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidField,
  isInt64,
  isNumber,
  type JsonObject,
  type JsonValue,
  notSupportedField,
  requiredField,
  tooLongField,
  tooManyField,
  typeInvalidField,
} from '@binnacle/api-objects';
import type { JSONSchemaProps } from '../generated/apiextensions/v1.ts';
import { embeddedObjectErrors } from './embedded-object-validation.ts';
import { formatFault } from './formats/value-formats.ts';
import {
  getAdditionalPropertySchema,
  getItemSchema,
  getPropertyMap,
  isEmbeddedObject,
} from './json-schema.ts';
import { matchPattern, mostMatchSteps } from './pattern.ts';
import { repeatedItemErrors } from './repeated-items.ts';
import { Findings, mostSchemaSteps, StepsSpent, stepsSpentMessage } from './schema-findings.ts';

/**
 * Validates a value against a schema; undeclared properties are no error. The work is bounded: a value that needs more than
 * `mostSchemaSteps` steps is refused, and at most 1,000 errors are reported.
 */
export function schemaValueErrors(schema: JSONSchemaProps, value: JsonValue, path: FieldPath): FieldError[] {
  const findings = new Findings({ left: mostSchemaSteps }, { left: mostMatchSteps });
  try {
    check(schema, value, { path, findings });
  } catch (thrown) {
    if (!(thrown instanceof StepsSpent)) throw thrown;
    findings.add(() => forbiddenField(path, stepsSpentMessage));
  }
  return findings.errors;
}

/** The context of a value's validation. */
interface Checking {
  readonly path: FieldPath;
  readonly findings: Findings;
}

function check(schema: JSONSchemaProps, value: JsonValue, checking: Checking): void {
  const { path, findings } = checking;
  findings.step();
  if (value === null) {
    if (forbidsNull(schema)) findings.add(() => nullError(schema, path));
    checkEnum(schema, value, checking);
    return;
  }
  const actual = typeOf(value);
  const isOfType = hasType(schema, value, actual);
  if (!isOfType) findings.add(() => typeInvalidField(path, value, mustBe(path, schema, actual)));
  checkEnum(schema, value, checking);
  if (!isOfType) return;
  if (isNumber(value)) checkNumber(schema, value, checking);
  else if (typeof value === 'string') checkText(schema, value, checking);
  else if (Array.isArray(value)) checkList(schema, value, checking);
  else if (typeof value === 'object') checkObject(schema, value, checking);
  if (!findings.isDecided) checkJunctors(schema, value, checking);
}

/** Whether a schema forbids null; a value without a type may be null even if it is not nullable. */
export function forbidsNull(schema: JSONSchemaProps): boolean {
  return schema.nullable !== true && (schema[extensions.intOrString] === true || Boolean(schema.type));
}

/** Creates the error for a forbidden null. */
export function nullError(schema: JSONSchemaProps, path: FieldPath): FieldError {
  return typeInvalidField(path, null, mustBe(path, schema, 'null'));
}

function typeOf(value: Exclude<JsonValue, null>): string {
  if (Array.isArray(value)) return 'array';
  if (!isNumber(value)) return typeof value;
  return isInt64(value) ? 'integer' : 'number';
}

function hasType(schema: JSONSchemaProps, value: JsonValue, actual: string): boolean {
  if (schema[extensions.intOrString] === true) return actual === 'integer' || typeof value === 'string';
  const { type } = schema;
  return !type || type === actual || (type === 'number' && actual === 'integer');
}

function mustBe(path: FieldPath, schema: JSONSchemaProps, actual: string): string {
  const type = schema[extensions.intOrString] === true ? 'integer or string' : schema.type || 'value';
  return `${path} in body must be of type ${type}: "${actual}"`;
}

function checkEnum(schema: JSONSchemaProps, value: JsonValue, { path, findings }: Checking): void {
  const { enum: allowed = [] } = schema;
  if (allowed.length === 0) return;
  if (typeof value === 'string' ? textsIn(allowed).has(value) : isAmong(value, allowed, findings)) return;
  findings.add(() => notSupportedField(path, value, shownMembers(allowed)));
}

const enumMembers = new WeakMap<readonly JsonValue[], readonly string[]>();

/** Returns the members of an enumeration as shown in errors. */
function shownMembers(allowed: readonly JsonValue[]): readonly string[] {
  let shown = enumMembers.get(allowed);
  if (shown === undefined) {
    shown = allowed.map(one => (typeof one === 'string' ? one : JSON.stringify(one)));
    enumMembers.set(allowed, shown);
  }
  return shown;
}

const enumTexts = new WeakMap<readonly JsonValue[], ReadonlySet<JsonValue>>();

/** Returns the members of an enumeration as a set for lookups of texts. */
function textsIn(allowed: readonly JsonValue[]): ReadonlySet<JsonValue> {
  let texts = enumTexts.get(allowed);
  if (texts === undefined) {
    texts = new Set(allowed);
    enumTexts.set(allowed, texts);
  }
  return texts;
}

/** Whether a value is a member of an enumeration; null never is, even if it is listed. */
function isAmong(value: JsonValue, allowed: readonly JsonValue[], findings: Findings): boolean {
  findings.step(allowed.length);
  if (value === null) return false;
  return allowed.some(one => equalJson(one, value));
}

function checkNumber(schema: JSONSchemaProps, value: number | bigint, { path, findings }: Checking): void {
  for (const fault of numberFaults(schema, value))
    findings.add(() => invalidField(path, value, `${path} in body ${fault}`));
}

/** Validates a number. An integer is compared with the integer part of a bound. Number formats are not validated. */
function numberFaults(schema: JSONSchemaProps, value: number | bigint): string[] {
  const { multipleOf } = schema;
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  const bound = (limit: number | bigint | undefined) =>
    typeof limit === 'number' && isWhole ? Math.trunc(limit) : limit;
  const [minimum, maximum] = [bound(schema.minimum), bound(schema.maximum)];
  const [above, below] = [schema.exclusiveMinimum === true, schema.exclusiveMaximum === true];
  const faults: string[] = [];
  if (minimum !== undefined && (above ? value <= minimum : value < minimum))
    faults.push(`should be greater than ${above ? '' : 'or equal to '}${minimum}`);
  if (maximum !== undefined && (below ? value >= maximum : value > maximum))
    faults.push(`should be less than ${below ? '' : 'or equal to '}${maximum}`);
  if (multipleOf !== undefined && multipleOf > 0 && !isMultiple(value, multipleOf))
    faults.push(`should be a multiple of ${multipleOf}`);
  return faults;
}

/** Relative distance from an integer up to which a quotient of binary fractions counts as an integer. */
const quotientTolerance = 1e-9;

/** Whether a number is a multiple; for an integer, a factor from 1 is truncated to its integer part. */
function isMultiple(value: number | bigint, factor: number | bigint): boolean {
  if (typeof value === 'bigint' || typeof factor === 'bigint') {
    const isWhole = factor >= 1 && (typeof value === 'bigint' || Number.isInteger(value));
    if (!isWhole) return isMultiple(Number(value), Number(factor));
    return BigInt(value) % BigInt(typeof factor === 'bigint' ? factor : Math.trunc(factor)) === 0n;
  }
  if (factor >= 1 && Number.isInteger(value)) return value % Math.trunc(factor) === 0;
  // The reciprocal of a decimal fraction such as 0.1 is exact, unlike the quotient.
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  if (!Number.isFinite(quotient)) return false;
  const whole = Math.trunc(quotient);
  const distance = Math.abs(quotient - whole);
  return distance === 0 || distance / (Math.abs(quotient) + Math.abs(whole)) < quotientTolerance;
}

/** Number of characters of a text that count as one step. */
const charactersOfStep = 256;

function checkText(schema: JSONSchemaProps, value: string, { path, findings }: Checking): void {
  const { format } = schema;
  findings.step(Math.floor(value.length / charactersOfStep));
  const fault = textFault(schema, value, { path, findings });
  if (fault !== undefined) findings.add(fault);
  if (format !== undefined && (!schema.type || schema.type === 'string') && formatFault(format, value))
    findings.add(() =>
      typeInvalidField(path, value, `${path} in body must be of type ${format}: "${value}"`),
    );
}

/** Returns the fault of a text: of its length, or if that is valid, of its pattern. */
function textFault(
  { minLength, maxLength, pattern }: JSONSchemaProps,
  value: string,
  { path, findings }: Checking,
): (() => FieldError) | undefined {
  // A code point has one or two code units.
  if (maxLength !== undefined && value.length > maxLength && countCodePoints(value) > maxLength)
    return () => tooLongField(path, value, maxLength);
  if (minLength !== undefined && value.length < Number(minLength) * 2 && countCodePoints(value) < minLength)
    return () => invalidField(path, value, `${path} in body should be at least ${minLength} chars long`);
  if (!pattern) return undefined;
  switch (matchPattern(pattern, value, findings.matching)) {
    case 'matches':
      return undefined;
    case 'differs':
      return () => invalidField(path, value, `${path} in body should match '${pattern}'`);
    case 'too-long':
      return () => invalidField(path, '', `${path} in body is too long to be matched with its pattern`);
  }
}

function countCodePoints(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

function checkList(schema: JSONSchemaProps, value: readonly JsonValue[], { path, findings }: Checking): void {
  const { minItems, maxItems } = schema;
  const items = getItemSchema(schema);
  if (maxItems !== undefined && value.length > maxItems)
    findings.add(() => tooManyField(path, value.length, maxItems));
  if (minItems !== undefined && value.length < minItems)
    findings.add(() =>
      invalidField(path, value.length, `${path} in body should have at least ${minItems} items`),
    );
  if (items !== undefined)
    for (const [index, item] of value.entries()) {
      if (findings.isDecided) return;
      check(items, item, findings.isQuiet ? { path, findings } : { path: path.index(index), findings });
    }
  findings.addAll(() => repeatedItemErrors(schema, value, path));
}

function checkObject(schema: JSONSchemaProps, value: JsonObject, { path, findings }: Checking): void {
  const { required, minProperties, maxProperties } = schema;
  const entries = Object.entries(value);
  const { length } = entries;
  // The members of an object with an invalid size are not validated.
  if (minProperties !== undefined && length < minProperties) {
    const why = `${path} in body should have at least ${minProperties} properties`;
    findings.add(() => invalidField(path, length, why));
    return;
  }
  if (maxProperties !== undefined && length > maxProperties) {
    findings.add(() => tooManyField(path, length, maxProperties));
    return;
  }
  if (required !== undefined) {
    findings.step(required.length);
    for (const name of required)
      if (!Object.hasOwn(value, name)) findings.add(() => requiredField(path.child(name)));
  }
  const properties = getPropertyMap(schema);
  const others = getAdditionalPropertySchema(schema);
  for (const [name, item] of entries) {
    if (findings.isDecided) return;
    if (schema.additionalProperties === false && !properties.has(name))
      findings.add(() => invalidField(path, value, `${path}.${name} in body is a forbidden property`));
    const node = properties.get(name) ?? others;
    if (node && item !== undefined)
      check(node, item, findings.isQuiet ? { path, findings } : { path: path.child(name), findings });
  }
  if (isEmbeddedObject(schema)) findings.addAll(() => embeddedObjectErrors(value, path));
}

function checkJunctors(schema: JSONSchemaProps, value: JsonValue, { path, findings }: Checking): void {
  for (const node of schema.allOf ?? []) check(node, value, { path, findings });
  for (const junctor of ['anyOf', 'oneOf'] as const) {
    const nodes = schema[junctor] ?? [];
    if (nodes.length === 0 || hasRightNumber(junctor, nodes, { value, path, findings })) continue;
    findings.add(() =>
      invalidField(path, value, `${path} in body must validate ${howMany[junctor]} (${junctor})`),
    );
  }
  const { not } = schema;
  if (not !== undefined && fits(not, { value, path, findings }))
    findings.add(() => invalidField(path, value, `${path} in body must not validate the schema (not)`));
}

/** Whether a value matches any (`anyOf`) or exactly one (`oneOf`) of the schemas. */
function hasRightNumber(
  junctor: 'anyOf' | 'oneOf',
  nodes: readonly JSONSchemaProps[],
  checking: Checking & { readonly value: JsonValue },
): boolean {
  let fitting = 0;
  for (const node of nodes) {
    if (!fits(node, checking)) continue;
    if (junctor === 'anyOf') return true;
    if (++fitting > 1) return false;
  }
  return fitting === 1;
}

/** Whether a value matches a schema: errors are not reported, and the first one decides. */
function fits(
  schema: JSONSchemaProps,
  { value, path, findings }: Checking & { readonly value: JsonValue },
): boolean {
  const quiet = findings.quiet();
  check(schema, value, { path, findings: quiet });
  return !quiet.isDecided;
}

const howMany = { anyOf: 'at least one schema', oneOf: 'one and only one schema' };
