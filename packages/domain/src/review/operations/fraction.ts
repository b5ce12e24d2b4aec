/** An exact number: `over` divided by `under`. `under` is above 0. */
export type Fraction = { over: bigint; under: bigint };

/** Parses a decimal text: '12.50', '-3', '.5'. */
export function fractionOf(decimal: string): Fraction {
  const [whole = '', decimals = ''] = decimal.split('.');
  return { over: BigInt(whole + decimals), under: 10n ** BigInt(decimals.length) };
}

export const zero = fractionOf('0');

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});

export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { over: -b.over, under: b.under });

export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
});

/** `b` must not be 0. */
export const dividedBy = (a: Fraction, b: Fraction): Fraction =>
  times(a, b.over < 0n ? { over: -b.under, under: -b.over } : { over: b.under, under: b.over });

/** Returns a number below 0 if a < b, 0 if both are equal, and a number above 0 if a > b. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = minus(a, b).over;
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Returns the largest whole number that is not above the fraction. */
export function floorOf({ over, under }: Fraction): bigint {
  const whole = over / under;
  return over < 0n && whole * under !== over ? whole - 1n : whole;
}

/** Returns the decimal text with `digits` digits after the point, rounded half away from zero. */
export function decimalText({ over, under }: Fraction, digits: number): string {
  const size = over < 0n ? -over : over;
  const units = (2n * size * 10n ** BigInt(digits) + under) / (2n * under);
  const text = units.toString().padStart(digits + 1, '0');
  const sign = over < 0n && units > 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
