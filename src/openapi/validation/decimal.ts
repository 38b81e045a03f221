/**
 * A number of a JSON text that a JavaScript number may not hold exactly. The value of other numbers in the text equals
 * their shortest decimal form.
 */
export class ExactNumber {
  readonly #source: string;
  #decimal: Decimal | null = null;

  /** @param source a JSON number */
  constructor(source: string) {
    this.#source = source;
  }

  get decimal(): Decimal {
    return (this.#decimal ??= toDecimal(this.#source));
  }
}

/** `digits × 10^exponent`. The digits do not end with a zero. The exponent of zero is 0. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const ZERO: Decimal = { digits: 0n, exponent: 0 };
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** @param source a JSON number */
export function toDecimal(source: string): Decimal {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = whole + fraction;
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  if (end === 0) return ZERO;
  return {
    digits: BigInt(sign + digits.slice(0, end)),
    exponent: Number(exponent) - fraction.length + digits.length - end,
  };
}

/** The decimal form of a number, either of a document or of a request. */
export function decimalForm(value: number | ExactNumber): Decimal {
  if (value instanceof ExactNumber) return value.decimal;
  return toDecimal(String(value));
}

export function isInteger(value: number | ExactNumber): boolean {
  return value instanceof ExactNumber ? value.decimal.exponent >= 0 : Number.isInteger(value);
}

/** Negative if `one` is less than `other`, zero if they are equal. */
export function compare(one: Decimal, other: Decimal): number {
  const [sign, otherSign] = [signum(one), signum(other)];
  if (sign !== otherSign || sign === 0) return sign - otherSign;
  // Numbers of different magnitude are compared without writing out their zeros, because there may be billions.
  const byMagnitude = magnitude(one) - magnitude(other);
  if (byMagnitude !== 0) return byMagnitude * sign;
  const exponent = Math.min(one.exponent, other.exponent);
  const [left, right] = [scaled(one, exponent), scaled(other, exponent)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The number of digits before the decimal point; negative if the fraction begins with zeros. */
function magnitude({ digits, exponent }: Decimal): number {
  return digits.toString().length - (digits < 0n ? 1 : 0) + exponent;
}

function signum({ digits }: Decimal): number {
  return digits > 0n ? 1 : digits < 0n ? -1 : 0;
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

/** @param divisor not zero */
export function isMultiple(value: Decimal, divisor: Decimal): boolean {
  if (value.digits === 0n) return true;
  const exponent = value.exponent - divisor.exponent;
  // 10^exponent is never computed, because a request chooses the exponent.
  if (exponent >= 0) return (value.digits * power(exponent, abs(divisor.digits))) % divisor.digits === 0n;
  // The digits of the value do not end with a zero, so a power of ten can only divide them if it is at most their size.
  if (-exponent > MAX_DIVISOR_EXPONENT) return false;
  return value.digits % (divisor.digits * 10n ** BigInt(-exponent)) === 0n;
}

const MAX_DIVISOR_EXPONENT = 2000;

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** 10^exponent modulo `modulus`. */
function power(exponent: number, modulus: bigint): bigint {
  let [result, base] = [1n % modulus, 10n % modulus];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

/** One text for each number: `1`, `1.0` and `10e-1` have the same. */
export function canonicalNumber(value: number | ExactNumber): string {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value === 0 ? '0' : String(value);
  const { digits, exponent } = decimalForm(value);
  const isSmall = exponent >= 0 && exponent < 20;
  return isSmall ? (digits * 10n ** BigInt(exponent)).toString() : `${digits}e${exponent}`;
}
