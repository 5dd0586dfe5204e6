import { isUtf8 } from 'node:buffer';

/**
 * A YAML 1.1 scalar as read by go-yaml v2, which existing Kubernetes clients use. A whole number is kept as decimal digits,
 * because it may exceed the precision of a double.
 */
export type ScalarValue =
  | { readonly type: 'null' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly digits: string; readonly isUnsigned: boolean }
  | { readonly type: 'float'; readonly value: number }
  | { readonly type: 'str'; readonly value: string };

const coreTags = 'tag:yaml.org,2002:';
const words = new Map<string, ScalarValue>();
addWords({ type: 'bool', value: true }, 'y Y yes Yes YES true True TRUE on On ON');
addWords({ type: 'bool', value: false }, 'n N no No NO false False FALSE off Off OFF');
addWords({ type: 'null' }, ' ~ null Null NULL');
addWords({ type: 'float', value: Number.NaN }, '.nan .NaN .NAN');
addWords({ type: 'float', value: Number.POSITIVE_INFINITY }, '.inf .Inf .INF +.inf +.Inf +.INF');
addWords({ type: 'float', value: Number.NEGATIVE_INFINITY }, '-.inf -.Inf -.INF');

function addWords(value: ScalarValue, texts: string): void {
  for (const text of texts.split(' ')) words.set(text, value);
}

/** First characters of texts that can be values other than strings. */
const startsLikeOther = /^(?:[-+.~0-9yYnNtTfFoO]|$)/;
const signedLimit = 2n ** 63n;
const unsignedLimit = 2n ** 64n;
/** Numbers with more digits than this exceed 64 bits in every base. */
const mostDigits = 64;

/** Returns the value of a plain scalar (without quotes and tag). */
export function plainScalar(text: string): ScalarValue {
  if (!startsLikeOther.test(text)) return { type: 'str', value: text };
  return words.get(text) ?? numberIn(text) ?? { type: 'str', value: text };
}

/**
 * Returns the value of a tagged scalar, quoted or plain. A tag of another schema is ignored: the scalar is its text. Throws an
 * Error if the text is not a value of the tag's type.
 */
export function taggedScalar(tag: string, text: string): ScalarValue {
  const name = tag.startsWith(coreTags) ? tag.slice(coreTags.length) : '';
  switch (name) {
    case 'null':
    case 'bool':
    case 'int':
    case 'float': {
      const value = plainScalar(text);
      if (value.type === name) return value;
      if (name === 'float' && value.type === 'int' && !value.isUnsigned)
        return { type: 'float', value: Number(value.digits) };
      throw new Error(`cannot decode ${JSON.stringify(text.slice(0, 64))} as a !!${name}`);
    }
    case 'timestamp':
      if (!isTimestamp(text))
        throw new Error(`cannot decode ${JSON.stringify(text.slice(0, 64))} as a !!timestamp`);
      return { type: 'str', value: text };
    case 'binary':
      return { type: 'str', value: textInBase64(text) };
    default:
      return { type: 'str', value: text };
  }
}

/** Returns the text of a scalar as key of a JSON object. Throws an Error for scalars that cannot be keys. */
export function scalarKey(value: ScalarValue): string {
  switch (value.type) {
    case 'str':
      return value.value;
    case 'bool':
      return String(value.value);
    case 'int':
      if (!value.isUnsigned) return value.digits;
      throw new Error(`the key ${value.digits} is a number beyond 64 bits with a sign`);
    case 'float':
      return floatKey(value.value);
    case 'null':
      throw new Error('null cannot be a key');
  }
}

const floatForm = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Texts that begin with a point, in which underscores must be between digits. */
const pointForm = /^\.\d+(?:_\d+)*(?:[eE][-+]?\d+(?:_\d+)*)?$/;

function numberIn(text: string): ScalarValue | undefined {
  if (text[0] === '.') return pointForm.test(text) ? floatIn(text.replaceAll('_', '')) : undefined;
  if (!/^[-+\d]/.test(text)) return undefined;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  return wholeNumberIn(plain) ?? (floatForm.test(plain) ? floatIn(plain) : undefined);
}

function floatIn(plain: string): ScalarValue | undefined {
  const value = Number(plain);
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

const shortDecimal = /^-?[1-9]\d{0,17}$/;
/** A sign and digits; with `0b` the sign may also follow the prefix. */
const wholeForm = /^(?:([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|[1-9]\d*|0)|(?:0b([-+])([01]+)))$/;

function wholeNumberIn(plain: string): ScalarValue | undefined {
  if (shortDecimal.test(plain)) return { type: 'int', digits: plain, isUnsigned: false };
  const [, first = '', literal, inner = '', bits = ''] = wholeForm.exec(plain) ?? [];
  const magnitude = parseMagnitude(literal ?? `0b${bits}`);
  if (magnitude === undefined) return undefined;
  const sign = first || inner;
  const limit = sign === '' ? unsignedLimit - 1n : sign === '-' ? signedLimit : signedLimit - 1n;
  if (magnitude > limit) return undefined;
  return {
    type: 'int',
    digits: String(sign === '-' ? -magnitude : magnitude),
    isUnsigned: magnitude >= signedLimit && sign === '',
  };
}

/** Parses a literal without a sign; undefined if it has too many digits. */
function parseMagnitude(literal: string): bigint | undefined {
  const base = /^0[xX]/.test(literal) ? '0x' : /^0[bB]/.test(literal) ? '0b' : literal[0] === '0' ? '0o' : '';
  const digits = literal.replace(/^0[xXbBoO]?0*/, '');
  if (literal === '0b') return undefined;
  if (digits.length > mostDigits) return undefined;
  return digits === '' ? 0n : BigInt(base + digits);
}

/** Exponent range, the upper bound exclusive, in which float keys are written without an exponent. */
const [leastExponent, largeExponent] = [-4, 6];

/** Formats a float as a key with the fewest digits that identify it as a 32-bit float, like existing Kubernetes clients. */
function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  let fraction = 0;
  while (Math.fround(Number(single.toExponential(fraction))) !== single) fraction++;
  const shortest = single.toExponential(fraction);
  const [digits, exponent = ''] = shortest.split('e');
  if (Number(exponent) >= leastExponent && Number(exponent) < largeExponent) return String(Number(shortest));
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

/** Throws an Error if the text is not base64, or its bytes are not UTF-8. */
function textInBase64(text: string): string {
  const packed = text.replace(/[\r\n]+/g, '');
  if (packed.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(packed))
    throw new Error('a !!binary value is not base64');
  const bytes = Buffer.from(packed, 'base64');
  if (!isUtf8(bytes)) throw new Error('a !!binary value is not valid UTF-8');
  return bytes.toString();
}

const timestampForm =
  /^(\d{4}-\d\d?-\d\d?)(?:[Tt]([\d:]+)(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| ([\d:]+)(?:[.,]\d+)?)?$/;

function isTimestamp(text: string): boolean {
  const [, date, zoned, local] = timestampForm.exec(text) ?? [];
  if (date === undefined) return false;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const calendar = new Date(Date.UTC(year, month - 1, day));
  if (calendar.getUTCMonth() !== month - 1 || calendar.getUTCDate() !== day) return false;
  const time = zoned ?? local;
  return time === undefined || /^(?:[01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d$/.test(time);
}
