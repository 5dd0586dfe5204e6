const decimal = /^(-?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/;

/** Reads an exact decimal text (`-12.5`, `12e500`) as billionths, rounded up, away from zero. */
export function nanosOf(text: string): bigint {
  const match = decimal.exec(text);
  if (match === null) throw new Error(`${JSON.stringify(text)} is no decimal number`);
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const digits = BigInt(whole + fraction);
  const power = Number(exponent) - fraction.length + 9;
  const nanos = power >= 0 ? digits * 10n ** BigInt(power) : divideUp(digits, 10n ** BigInt(-power));
  return sign === '-' ? -nanos : nanos;
}

function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor;
}
