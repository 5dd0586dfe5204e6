import type { StatusCause } from '@binnacle/status-errors';
import type { FieldPath } from './field-path.ts';

/** Types of field errors. */
export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'Duplicate'
  | 'Forbidden'
  | 'NotSupported'
  | 'TooLong'
  | 'TooMany'
  | 'TypeInvalid'
  | 'NotFound'
  | 'Internal';

/** One validation error: its type, the field, the invalid value if it is shown, and details. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly value?: unknown;
  readonly detail: string;
}

type Path = FieldPath | string;

const phrases: Readonly<Record<FieldErrorType, string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  Duplicate: 'Duplicate value',
  Forbidden: 'Forbidden',
  NotSupported: 'Unsupported value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TypeInvalid: 'Invalid value',
  NotFound: 'Not found',
  Internal: 'Internal error',
};
const withoutValue: ReadonlySet<FieldErrorType> = new Set(['Required', 'Forbidden', 'TooLong', 'Internal']);
const longestValue = 4096;
const longestDetail = 4096;

/** Error for a required field that is not set. */
export function requiredField(path: Path, detail = ''): FieldError {
  return { type: 'Required', field: String(path), detail };
}

/** Error for a value that breaks a rule; the detail names the rule. */
export function invalidField(path: Path, value: unknown, detail: string): FieldError {
  return { type: 'Invalid', field: String(path), value, detail };
}

/** Error for a value outside a closed set; `allowed` must not be modified afterwards. */
export function notSupportedField(path: Path, value: unknown, allowed: readonly string[]): FieldError {
  let detail = supportedValues.get(allowed);
  if (detail === undefined) {
    detail = supportedText(allowed);
    supportedValues.set(allowed, detail);
  }
  return { type: 'NotSupported', field: String(path), value, detail };
}

/** Caches the detail of each set: a thousand errors may refer to one set of thousands of values. */
const supportedValues = new WeakMap<readonly string[], string>();

function supportedText(allowed: readonly string[]): string {
  let text = '';
  for (const one of allowed) {
    if (text.length > longestDetail) break;
    text += `${text === '' ? 'supported values: ' : ', '}${JSON.stringify(one)}`;
  }
  return text;
}

/** Error for a duplicate of a value that must be unique. */
export function duplicateField(path: Path, value: unknown): FieldError {
  return { type: 'Duplicate', field: String(path), value, detail: '' };
}

/** Error for a field that must not be set or changed. */
export function forbiddenField(path: Path, detail: string): FieldError {
  return { type: 'Forbidden', field: String(path), detail };
}

/** Error for texts that together exceed the limit in bytes. */
export function tooLongField(path: Path, value: unknown, limit: number | bigint): FieldError {
  return { type: 'TooLong', field: String(path), value, detail: `must have at most ${limit} bytes` };
}

/** Error for a list with more items than the limit. */
export function tooManyField(path: Path, actual: number, limit: number | bigint): FieldError {
  return { type: 'TooMany', field: String(path), value: actual, detail: `must have at most ${limit} items` };
}

/** Error for a value of another type than in the schema. */
export function typeInvalidField(path: Path, value: unknown, detail: string): FieldError {
  return { type: 'TypeInvalid', field: String(path), value, detail };
}

/** Error for a reference to something that does not exist. */
export function notFoundField(path: Path, value: unknown): FieldError {
  return { type: 'NotFound', field: String(path), value, detail: '' };
}

/** Formats a field error without its path: phrase, value, detail. Values and details are cut after 4,096 characters. */
export function fieldErrorMessage({ type, value, detail }: FieldError): string {
  const phrase = phrases[type];
  const head = withoutValue.has(type) ? phrase : `${phrase}: ${valueText(value)}`;
  return detail === '' ? head : `${head}: ${cut(detail, longestDetail)}`;
}

/** Converts a field error to a cause of an Invalid status. */
export function causeFromFieldError(error: FieldError): StatusCause {
  const reason = error.type === 'Internal' ? 'InternalError' : `FieldValue${error.type}`;
  return { reason, message: fieldErrorMessage(error), field: error.field };
}

function valueText(value: unknown): string {
  const text = value === undefined || value === null ? '"null"' : startOfJson(value, longestValue);
  return cut(text, longestValue);
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

/** Returns the JSON text of a value, at least its first `characters` characters: a thousand errors may show one large value. */
function startOfJson(value: unknown, characters: number): string {
  if (typeof value === 'string')
    return JSON.stringify(value.length > characters ? value.slice(0, characters) : value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const [name, item] of isList ? value.entries() : Object.entries(value)) {
    if (text.length > characters) return text;
    if (item === undefined && !isList) continue;
    if (text.length > 1) text += ',';
    if (!isList) text += `${JSON.stringify(name)}:`;
    text += startOfJson(item ?? null, characters - text.length);
  }
  return text + (isList ? ']' : '}');
}
