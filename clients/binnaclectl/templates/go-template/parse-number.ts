import { TemplateError } from '../template-error.ts';

const decimalInteger = /^[+-]?(?:0|[1-9](?:_?[0-9])*)$/;
const prefixedInteger =
  /^([+-]?)0(?:([xX])_?([0-9a-fA-F](?:_?[0-9a-fA-F])*)|([bB])_?([01](?:_?[01])*)|[oO]?_?([0-7](?:_?[0-7])*))$/;
const decimalFloat = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** The value of a number as Go's templates read it: an int64, or a float64 where it has a point or an exponent. */
export function parseGoNumber(text: string): bigint | number {
  if (text.endsWith('i'))
    throw new TemplateError(`complex numbers are not supported: ${JSON.stringify(text)}`);
  const integer = parseInteger(text);
  if (integer !== undefined) {
    if (BigInt.asIntN(64, integer) !== integer)
      throw new TemplateError(`integer overflow: ${JSON.stringify(text)}`);
    return integer;
  }
  const isHexadecimal = /^[+-]?0[xX]/.test(text);
  if (isHexadecimal && /[pP]/.test(text))
    throw new TemplateError(`hexadecimal floating-point numbers are not supported: ${JSON.stringify(text)}`);
  const value = decimalFloat.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new TemplateError(`illegal number syntax: ${JSON.stringify(text)}`);
  if (!/[.eE]/.test(text)) throw new TemplateError(`integer overflow: ${JSON.stringify(text)}`);
  return value;
}

function parseInteger(text: string): bigint | undefined {
  const plain = text.replaceAll('_', '');
  if (decimalInteger.test(text)) return BigInt(plain.replace('+', ''));
  const found = prefixedInteger.exec(text);
  if (found === null) return undefined;
  const [, sign, , hexadecimal, , binary, octal] = found;
  const digits =
    hexadecimal !== undefined ? `0x${hexadecimal}` : binary !== undefined ? `0b${binary}` : `0o${octal}`;
  const value = BigInt(digits.replaceAll('_', ''));
  return sign === '-' ? -value : value;
}
