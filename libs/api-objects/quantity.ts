import { badRequest } from '@binnacle/status-errors';

/** Suffix format of a quantity: decimal letters, binary letters, or exponents of ten. */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

/** An exact amount in billionths; finer values are rounded up, away from zero. */
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

/** Parses a quantity (`100m`, `1.5Gi`, `1e3`); throws BadRequest for invalid text. */
export function parseQuantity(text: string): Quantity {
  const quantity = tryParseQuantity(text);
  if (quantity === undefined)
    throw badRequest(
      `${JSON.stringify(text.slice(0, 64))} is not a quantity: expected a number and an optional suffix, such as 100m or 1.5Gi`,
    );
  return quantity;
}

/** Parses a quantity; undefined for invalid text. Limits: 256 characters, and powers of ten up to 512. */
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

/** Formats a quantity canonically: no fraction, the largest suffix without loss. */
export function formatQuantity(quantity: Quantity): string {
  const { nanos, format } = quantity;
  if (nanos === 0n) return '0';
  const magnitude = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  // A binary suffix is not usable below 1,024, and would round a fraction.
  if (format === 'binary' && magnitude >= 1024n * nano && magnitude % nano === 0n) {
    return sign + formatBinary(magnitude / nano);
  }
  return sign + formatDecimal(magnitude, format === 'exponent');
}

/**
 * Returns the stored text of a quantity: the sent text if it is nearly canonical (a mantissa that does not end with three zeros,
 * an exponent divisible by three) with at most 18 digits, otherwise the canonical form. Undefined for invalid text. Quantities
 * are compared by `compareQuantities`, never by their texts.
 */
export function storedQuantity(text: string): string | undefined {
  const quantity = tryParseQuantity(text);
  if (quantity === undefined) return undefined;
  return isKept(text) ? text : formatQuantity(quantity);
}

/** The rule by which Kubernetes clients keep the text of a quantity, so that users see the same text in both. */
function isKept(text: string): boolean {
  const [, , whole = '', fraction = '', suffix = ''] = quantityPattern.exec(text) ?? [];
  const digits = (whole.replace(/^0+/, '') || '0') + fraction;
  if (suffix.endsWith('i')) {
    const power = binarySuffixes.indexOf(suffix as (typeof binarySuffixes)[number]); // The pattern allows only these.
    const isShort = fraction === '' && digits.length + 3 * power <= 14;
    return isShort && BigInt(digits) % 8n !== 0n;
  }
  const scale = (decimalSuffixes.get(suffix) ?? Number(suffix.slice(1))) - fraction.length;
  const isShort = digits.length <= 18 && scale >= -9;
  return isShort && scale % 3 === 0 && !digits.startsWith('0') && !digits.endsWith('000');
}

/** Returns the canonical form of a quantity text; throws BadRequest for invalid text. */
export function canonicalQuantity(text: string): string {
  return formatQuantity(parseQuantity(text));
}

/** Compares two quantities by amount: -1, 0 or 1. */
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

/** Returns the quantity with the opposite sign. */
export function negateQuantity(quantity: Quantity): Quantity {
  return { nanos: -quantity.nanos, format: quantity.format };
}

/** Rounds up, away from zero, to a multiple of 10^scale; scale -9 rounds nothing. */
export function roundUpQuantity(quantity: Quantity, scale: number): Quantity {
  return { nanos: quantityToScaled(quantity, scale) * 10n ** BigInt(scale + 9), format: quantity.format };
}

/** Returns the amount in units of 10^scale (scale ≥ -9), rounded up, away from zero. */
export function quantityToScaled(quantity: Quantity, scale: number): bigint {
  const unit = 10n ** BigInt(scale + 9);
  return quantity.nanos < 0n ? -divideUp(-quantity.nanos, unit) : divideUp(quantity.nanos, unit);
}

/** Creates a quantity of whole units. */
export function quantityFromInteger(value: number | bigint, format: QuantityFormat = 'decimal'): Quantity {
  return { nanos: BigInt(value) * nano, format };
}

/** Creates a quantity of thousandths. */
export function quantityFromMilli(value: number | bigint, format: QuantityFormat = 'decimal'): Quantity {
  return { nanos: BigInt(value) * 1_000_000n, format };
}

/** Returns the amount as the nearest double. */
export function quantityToNumber(quantity: Quantity): number {
  const whole = quantity.nanos / nano;
  if (whole * nano === quantity.nanos) return Number(whole);
  return Number(formatDecimalPlain(quantity.nanos));
}

function scaleDigits(digits: bigint, places: number, suffix: string): Quantity | undefined {
  if (suffix.endsWith('i')) {
    const scaled = digits * (binaryUnits.get(suffix) ?? nano); // The pattern allows only these.
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
