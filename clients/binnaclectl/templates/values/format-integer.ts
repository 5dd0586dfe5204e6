/** Options of the digits of an integer. */
interface IntegerOptions {
  readonly sharp: boolean;
  readonly zero: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

const bases: Readonly<Record<string, number>> = { b: 2, o: 8, O: 8, x: 16, X: 16 };
const prefixes: Readonly<Record<string, string>> = { b: '0b', o: '0', x: '0x', X: '0X' };

/** The sign, prefix and digits of an integer, with zeros up to the precision, or up to the width where they are asked for. */
export function formatInteger(value: bigint, verb: string, options: IntegerOptions): string {
  const { sharp, zero, plus, space, width = 0, precision } = options;
  if (precision === 0 && value === 0n) return '';
  const sign = value < 0n ? '-' : plus ? '+' : space ? ' ' : '';
  const digits = (value < 0n ? -value : value).toString(bases[verb] ?? 10);
  const least = precision ?? (zero ? width - sign.length : 0);
  const filled = (verb === 'X' ? digits.toUpperCase() : digits).padStart(least, '0');
  if (verb === 'O') return `${sign}0o${filled}`;
  const prefix = sharp ? (prefixes[verb] ?? '') : '';
  return `${sign}${verb === 'o' && filled.startsWith('0') ? '' : prefix}${filled}`;
}
