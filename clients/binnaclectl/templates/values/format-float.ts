/** Formats a float64 as Go does by the verbs `e`, `f` and `g`; without a precision, in as many digits as tell it from others. */
export function formatFloat(value: number, verb: 'e' | 'f' | 'g', precision?: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const absolute = Math.abs(value);
  switch (verb) {
    case 'e':
      return sign + scientific(exponential(absolute, precision));
    case 'f':
      return sign + fixed(absolute, precision);
    case 'g':
      return sign + general(absolute, precision);
  }
}

/** JavaScript formats at most so many digits after the point. */
const mostDigits = 100;

/** `2.5e+0`, with so many digits after the point. A number in the middle between two is rounded to the even one. */
function exponential(absolute: number, precision: number | undefined): string {
  if (precision === undefined) return absolute.toExponential();
  const digits = Math.min(precision, mostDigits);
  const [mantissa = '', exponent = ''] = absolute.toExponential(mostDigits).split('e');
  const even = evenBelow(mantissa, digits);
  const [rounded = '', roundedExponent = ''] =
    even === undefined ? absolute.toExponential(digits).split('e') : [even, exponent];
  return `${withDigits(rounded, precision)}e${roundedExponent}`;
}

/** At least two digits of exponent: `1e+06`. */
function scientific(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

function fixed(absolute: number, precision: number | undefined): string {
  if (precision === undefined) return shortestFixed(absolute);
  // Beyond 1e21 toFixed gives an exponent; such a number is an integer.
  if (absolute >= 1e21) return withDigits(BigInt(absolute).toString(), precision);
  const digits = Math.min(precision, mostDigits);
  return withDigits(evenBelow(absolute.toFixed(mostDigits), digits) ?? absolute.toFixed(digits), precision);
}

/** The even number with so many digits after the point, for an exact one that is half a digit more; undefined for any other. */
function evenBelow(exact: string, digits: number): string | undefined {
  const [whole = '', fraction = ''] = exact.split('.');
  if (!/^50*$/.test(fraction.slice(digits))) return undefined;
  const below = digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`;
  return /[02468]$/.test(below) ? below : undefined;
}

/** Zeros up to so many digits after the point. */
function withDigits(text: string, digits: number): string {
  const missing = digits - (text.split('.')[1] ?? '').length;
  if (missing <= 0) return text;
  return `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(missing)}`;
}

function shortestFixed(absolute: number): string {
  const [mantissa = '0', exponent = '0'] = absolute.toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return digits.padEnd(point, '0');
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The exponent is written below 1e-4, and from the precision on; without one, from 1e+06 on. */
function general(absolute: number, precision: number | undefined): string {
  const significant = precision === undefined ? undefined : Math.max(1, precision);
  const text = exponential(absolute, significant === undefined ? undefined : significant - 1);
  const [mantissa = '0', exponentText = '0'] = text.split('e');
  const exponent = Number(exponentText);
  const digits = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  if (exponent < -4 || exponent >= (significant ?? shortestFrom))
    return scientific(`${digits}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`);
  return shortestFixed(Number(text));
}

/** Without a precision Go writes an exponent from here on. */
const shortestFrom = 6;
