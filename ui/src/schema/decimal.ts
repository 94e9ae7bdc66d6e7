/** Exact comparison of JSON numbers by their lexemes; no value passes through a float. */

interface Decimal {
  readonly negative: boolean;
  /** No leading or trailing zeros; empty for zero. */
  readonly digits: string;
  /** The value is 0.digits times ten to this power. */
  readonly order: number;
}

const EXPONENT_CAP = 1e15;

function decimal(lexeme: string): Decimal {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(lexeme);
  const whole = match?.[2] ?? "";
  const all = whole + (match?.[3] ?? "");
  const exponent = Math.max(-EXPONENT_CAP, Math.min(EXPONENT_CAP, Number(match?.[4] ?? "0")));
  const significant = all.replace(/^0+/, "");
  let end = significant.length;
  while (significant[end - 1] === "0") end--;
  const digits = significant.slice(0, end);
  return {
    negative: match?.[1] === "-" && digits !== "",
    digits,
    order: digits === "" ? 0 : whole.length - (all.length - significant.length) + exponent,
  };
}

/** Returns a negative number, zero or a positive number if `a` is below, equal to or above `b`. */
export function compareNumbers(a: string, b: string): number {
  const x = decimal(a);
  const y = decimal(b);
  if (x.digits === "" || y.digits === "") return signOf(x) - signOf(y);
  if (x.negative !== y.negative) return x.negative ? -1 : 1;
  const magnitude = x.order !== y.order ? x.order - y.order : x.digits < y.digits ? -1 : x.digits > y.digits ? 1 : 0;
  return x.negative ? -magnitude : magnitude;
}

function signOf(value: Decimal): number {
  return value.digits === "" ? 0 : value.negative ? -1 : 1;
}

/** True for 5, 5.0 and 5e3: JSON Schema counts by value, not by spelling (2020-12 core, 6.1.1). */
export function isWholeNumber(lexeme: string): boolean {
  const value = decimal(lexeme);
  return value.digits.length <= value.order || value.digits === "";
}

/** Returns the same spelling for equal numbers. */
export function canonicalNumber(lexeme: string): string {
  const { negative, digits, order } = decimal(lexeme);
  return digits === "" ? "0" : `${negative ? "-" : ""}0.${digits}e${order}`;
}

const LONGEST_DIVISION = 2000;

/** Returns true if `value` is a whole multiple of `step`, or if that is too costly to compute. */
export function isMultipleOf(value: string, step: string): boolean {
  const x = decimal(value);
  const y = decimal(step);
  if (y.digits === "" || x.digits === "") return true;
  if (x.digits.length > LONGEST_DIVISION || y.digits.length > LONGEST_DIVISION) return true;
  const shift = x.order - x.digits.length - (y.order - y.digits.length);
  // The last digit of `x` is not zero, so `x` is not a multiple of ten times a whole number.
  if (shift < 0) return false;
  const divisor = BigInt(y.digits);
  return (BigInt(x.digits) * powerOfTen(BigInt(Math.trunc(shift)), divisor)) % divisor === 0n;
}

function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let base = 10n % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}
