import { badRequest } from '@binnacle/status-errors';

/** How a quantity is written: powers of 1000 as letters, powers of 1024 as letters, or powers of ten as exponents. */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

/** An exact amount of a resource, in billionths; finer values are rounded up, away from zero. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

const nano = 1_000_000_000n;
const largestBinary = (2n ** 63n - 1n) * nano;
const longestText = 256;
const largestExponent = 512;
const decimalSuffixes: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const decimalUnits = new Map(
  [...decimalSuffixes].map(([suffix, exponent]) => [suffix, 10n ** BigInt(exponent + 9)]),
);
const suffixOfExponent = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;
const binaryUnits = new Map(
  binarySuffixes.map((suffix, power) => [suffix as string, 1024n ** BigInt(power) * nano]),
);
const quantityPattern = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d{1,10}|[numkMGTPE]|[KMGTPE]i)?$/;

/** Reads a quantity (`100m`, `1.5Gi`, `1e3`); throws BadRequest for anything else. */
export function parseQuantity(text: string): Quantity {
  const quantity = tryParseQuantity(text);
  if (quantity === undefined)
    throw badRequest(
      `${JSON.stringify(text.slice(0, 64))} is not a quantity: expected a number and an optional suffix, such as 100m or 1.5Gi`,
    );
  return quantity;
}

/** Reads a quantity; undefined when the text is none. At most 256 characters and powers of ten up to 512. */
export function tryParseQuantity(text: string): Quantity | undefined {
  if (text.length > longestText) return undefined;
  const match = quantityPattern.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const scaled = scaleDigits(digits, fraction.length, suffix);
  if (scaled === undefined) return undefined;
  return { nanos: sign === '-' ? -scaled.nanos : scaled.nanos, format: scaled.format };
}

/** Writes a quantity in its canonical form: no fraction, the largest suffix that loses nothing. */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format } = quantity;
  if (nanos === 0n) return '0';
  const magnitude = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  // Below 1024 a binary suffix has no use, and to a fraction it would add rounding.
  if (format === 'binary' && magnitude >= 1024n * nano && magnitude % nano === 0n) {
    return sign + formatBinary(magnitude / nano);
  }
  return sign + formatDecimal(magnitude, format === 'exponent');
}

/**
 * The text that a quantity is stored with: the one that was sent where it is in the way of the canonical form (a mantissa that does
 * not end with thousands, an exponent of thousands) and has at most 18 digits, the canonical form otherwise. Undefined when the
 * text is no quantity. Amounts are compared by `compareQuantities`, never by their texts.
 */
export function storedQuantity(text: string): string | undefined {
  const quantity = tryParseQuantity(text);
  if (quantity === undefined) return undefined;
  return isKept(text) ? text : formatQuantity(quantity);
}

/** The rule by which clients of Kubernetes keep the text of a quantity, which its users see through them too. */
function isKept(text: string): boolean {
  const [, , whole = '', fraction = '', suffix = ''] = quantityPattern.exec(text) ?? [];
  const digits = (whole.replace(/^0+/, '') || '0') + fraction;
  if (suffix.endsWith('i')) {
    const power = binarySuffixes.indexOf(suffix as (typeof binarySuffixes)[number]); // the pattern allows only these
    const isShort = fraction === '' && digits.length + 3 * power <= 14;
    return isShort && BigInt(digits) % 8n !== 0n;
  }
  const scale = (decimalSuffixes.get(suffix) ?? Number(suffix.slice(1))) - fraction.length;
  const isShort = digits.length <= 18 && scale >= -9;
  return isShort && scale % 3 === 0 && !digits.startsWith('0') && !digits.endsWith('000');
}

/** Writes a quantity text in its canonical form; throws BadRequest when it is none. */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}

/** Orders two quantities by amount: -1, 0 or 1. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

/** Adds two quantities; the sum keeps the format of the first, unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos + b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** Subtracts a quantity from another; the difference keeps the format of the first, unless that is zero. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nanos: a.nanos - b.nanos, format: a.nanos === 0n ? b.format : a.format };
}

/** The quantity with the other sign. */
export function negateQuantity(quantity: Quantity): Quantity {
  return { nanos: -quantity.nanos, format: quantity.format };
}

/** Rounds up, away from zero, to a multiple of 10^scale (scale -9 keeps everything). */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  return { nanos: quantityToScaled(quantity, scale) * 10n ** BigInt(scale + 9), format: quantity.format };
}

/** The amount in units of 10^scale (scale ≥ -9), rounded up, away from zero. */
export function quantityToScaled(quantity: Quantity, scale: number): bigint {
  const unit = 10n ** BigInt(scale + 9);
  return quantity.nanos < 0n ? -divideUp(-quantity.nanos, unit) : divideUp(quantity.nanos, unit);
}

/** A quantity of whole units. */
export function quantityFromInteger(value: number | bigint, format: QuantityFormat = 'decimal'): Quantity {
  return { nanos: BigInt(value) * nano, format };
}

/** A quantity of thousandths. */
export function quantityFromMilli(value: number | bigint, format: QuantityFormat = 'decimal'): Quantity {
  return { nanos: BigInt(value) * 1_000_000n, format };
}

/** The amount as the nearest double. */
export function quantityToNumber(quantity: Quantity): number {
  const whole = quantity.nanos / nano;
  if (whole * nano === quantity.nanos) return Number(whole);
  return Number(formatDecimalPlain(quantity.nanos));
}

function scaleDigits(digits: bigint, places: number, suffix: string): Quantity | undefined {
  if (suffix.endsWith('i')) {
    const scaled = digits * (binaryUnits.get(suffix) ?? nano); // the pattern allows only these
    const nanos = places === 0 ? scaled : divideUp(scaled, 10n ** BigInt(places));
    if (nanos > largestBinary) return { nanos: largestBinary, format: 'binary' };
    return { nanos, format: nanos > 0n && nanos < nano ? 'decimal' : 'binary' };
  }
  const unit = places === 0 ? decimalUnits.get(suffix) : undefined;
  if (unit !== undefined) return { nanos: digits * unit, format: 'decimal' };
  const known = decimalSuffixes.get(suffix);
  const exponent = known ?? Number(suffix.slice(1));
  if (Math.abs(exponent) > largestExponent) return undefined;
  const power = exponent - places + 9;
  const nanos = power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
  return { nanos, format: known === undefined ? 'exponent' : 'decimal' };
}

function formatBinary(value: bigint): string {
  let rest = value;
  let power = 0;
  while (power < binarySuffixes.length - 1 && rest % 1024n === 0n) {
    rest /= 1024n;
    power++;
  }
  return `${rest}${binarySuffixes[power]}`;
}

function formatDecimal(nanos: bigint, asExponent: boolean): string {
  let rest = nanos;
  let exponent = -9;
  while (rest % 1000n === 0n && (asExponent || exponent < 18)) {
    rest /= 1000n;
    exponent += 3;
  }
  if (!asExponent) return `${rest}${suffixOfExponent.get(exponent)}`;
  return exponent === 0 ? String(rest) : `${rest}e${exponent}`;
}

function formatDecimalPlain(nanos: bigint): string {
  const digits = String(nanos < 0n ? -nanos : nanos).padStart(10, '0');
  return `${nanos < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`;
}

function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}
