import { isJsonObject } from '@binnacle/api-objects';
import { TemplateError } from '../template-error.ts';
import { formatGoValue, type GoValue, goTypeName, goValueFromJson, readMember } from '../values/go-value.ts';
import { goPrintf } from '../values/printf.ts';
import { equalGoValues, isLessGoValue } from './comparisons.ts';
import { decodeBase64, escapeHtml, escapeJavaScript, escapeQuery } from './escapes.ts';

/** A function of templates: how many arguments it has, which of them is a text, and what it gives. */
export interface TemplateFunction {
  readonly least: number;
  readonly most: number;
  /** Whether the first argument must be a text. */
  readonly firstIsText?: boolean;
  /** Throws a TemplateError. */
  readonly call: (values: readonly GoValue[]) => GoValue;
}

/** Every function but `and` and `or`, which do not need all of their arguments. */
export const functions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ['not', { least: 1, most: 1, call: ([value]) => !isTrue(value) }],
  ['eq', { least: 1, most: Infinity, call: ([value, ...others]) => equalGoValues(value, others) }],
  ['ne', { least: 2, most: 2, call: ([a, b]) => !equalGoValues(a, [b]) }],
  ['lt', { least: 2, most: 2, call: ([a, b]) => isLessGoValue(a, b) }],
  ['le', { least: 2, most: 2, call: ([a, b]) => isLessGoValue(a, b) || equalGoValues(a, [b]) }],
  ['gt', { least: 2, most: 2, call: ([a, b]) => !isLessGoValue(a, b) && !equalGoValues(a, [b]) }],
  ['ge', { least: 2, most: 2, call: ([a, b]) => !isLessGoValue(a, b) }],
  ['index', { least: 1, most: Infinity, call: ([value, ...indices]) => indexInto(value, indices) }],
  ['slice', { least: 1, most: Infinity, call: ([value, ...indices]) => sliceValue(value, indices) }],
  ['len', { least: 1, most: 1, call: ([value]) => measureLength(value) }],
  ['print', { least: 0, most: Infinity, call: printed }],
  ['println', { least: 0, most: Infinity, call: values => `${values.map(formatPrinted).join(' ')}\n` }],
  [
    'printf',
    {
      least: 1,
      most: Infinity,
      firstIsText: true,
      call: ([format, ...values]) => goPrintf(String(format), values),
    },
  ],
  ['html', { least: 0, most: Infinity, call: values => escapeHtml(escapable(values)) }],
  ['js', { least: 0, most: Infinity, call: values => escapeJavaScript(escapable(values)) }],
  ['urlquery', { least: 0, most: Infinity, call: values => escapeQuery(escapable(values)) }],
  ['exists', { least: 1, most: Infinity, call: ([value, ...indices]) => exists(value, indices) }],
  ['base64decode', { least: 1, most: 1, firstIsText: true, call: ([text]) => decodeBase64(String(text)) }],
]);

/** Whether Go's `if` takes a value for true: not what is empty, zero or missing. */
export function isTrue(value: GoValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A space stands between two values when neither is a text. */
function printed(values: readonly GoValue[]): string {
  return values
    .map((value, index) => {
      const needsSpace = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string';
      return `${needsSpace ? ' ' : ''}${formatPrinted(value)}`;
    })
    .join('');
}

function formatPrinted(value: GoValue): string {
  return formatGoValue(value);
}

function escapable(values: readonly GoValue[]): string {
  const [only] = values;
  if (values.length === 1 && typeof only === 'string') return only;
  return printed(values.map(value => value ?? '<no value>'));
}

function indexInto(start: GoValue, indices: readonly GoValue[]): GoValue {
  if (start === undefined || start === null) throw new TemplateError('index of untyped nil');
  let value: GoValue = start;
  for (const index of indices) {
    if (value === undefined || value === null) throw new TemplateError('index of nil pointer');
    if (typeof value === 'string')
      value = BigInt(Buffer.from(value)[indexFrom(index, Buffer.byteLength(value))]!); // In bounds.
    else if (Array.isArray(value)) value = goValueFromJson(value[indexFrom(index, value.length)]);
    else if (isJsonObject(value)) value = readMember(value, keyFrom(index));
    else throw new TemplateError(`can't index item of type ${goTypeName(value)}`);
  }
  return value;
}

function indexFrom(index: GoValue, length: number): number {
  const position = positionFrom(index);
  if (position < 0) throw new TemplateError(`index out of range: ${position}`);
  if (position >= length) throw new TemplateError('reflect: slice index out of range');
  return position;
}

function positionFrom(index: GoValue): number {
  if (index === undefined || index === null) throw new TemplateError('cannot index slice/array with nil');
  if (typeof index !== 'bigint')
    throw new TemplateError(`cannot index slice/array with type ${goTypeName(index)}`);
  return Number(index);
}

function keyFrom(index: GoValue): string {
  if (index === undefined || index === null)
    throw new TemplateError('value is nil; should be of type string');
  if (typeof index !== 'string')
    throw new TemplateError(`value has type ${goTypeName(index)}; should be string`);
  return index;
}

function sliceValue(value: GoValue, indices: readonly GoValue[]): GoValue {
  if (value === undefined || value === null) throw new TemplateError('slice of untyped nil');
  if (indices.length > 3) throw new TemplateError(`too many slice indexes: ${indices.length}`);
  const isText = typeof value === 'string';
  if (isText && indices.length === 3) throw new TemplateError('cannot 3-index slice a string');
  if (!isText && !Array.isArray(value))
    throw new TemplateError(`can't slice item of type ${goTypeName(value)}`);
  const content = isText ? Buffer.from(value) : value;
  const bounds = indices.map(index => {
    const position = positionFrom(index);
    if (position < 0 || position > content.length) throw new TemplateError(`index out of range: ${position}`);
    return position;
  });
  const [from = 0, to = content.length, most = content.length] = bounds;
  if (from > to) throw new TemplateError(`invalid slice index: ${from} > ${to}`);
  if (to > most) throw new TemplateError(`invalid slice index: ${to} > ${most}`);
  return Buffer.isBuffer(content) ? content.subarray(from, to).toString('utf8') : content.slice(from, to);
}

function measureLength(value: GoValue): bigint {
  if (value === undefined || value === null) throw new TemplateError('len of nil pointer');
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value));
  if (Array.isArray(value)) return BigInt(value.length);
  if (isJsonObject(value)) return BigInt(Object.keys(value).length);
  throw new TemplateError(`len of type ${goTypeName(value)}`);
}

/** kubectl's `exists`: whether indices lead somewhere; a value without indices exists, even one that is missing. */
function exists(start: GoValue, indices: readonly GoValue[]): boolean {
  let value: GoValue = start ?? undefined;
  for (const index of indices) {
    if (value === undefined || value === null) return false;
    const length =
      typeof value === 'string' ? Buffer.byteLength(value) : Array.isArray(value) ? value.length : -1;
    if (length >= 0) {
      if (typeof index !== 'bigint' || index < 0n || index >= length) return false;
      value = Array.isArray(value) ? goValueFromJson(value[Number(index)]) : index;
    } else {
      if (!isJsonObject(value) || typeof index !== 'string') return false;
      value = readMember(value, index) ?? null;
    }
  }
  return value !== null;
}
