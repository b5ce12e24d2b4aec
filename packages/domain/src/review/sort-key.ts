import { cutText } from '../base/cut-text.ts';
import { type InlineField, lookOf } from '../base/field-look.ts';
import { parseMoney } from '../base/money.ts';
import { readQuantity } from '../base/quantity.ts';
import { gramsPer, weightOf } from '../base/weight.ts';

/** What keys begin with: a value; in a column of numbers a text; no value; an ignored row. Only values are reversed. */
const [isValue, isText, isEmpty, isIgnored] = ['0', '1', '2', '3'] as const;

/** What the key of a value begins with. */
export const valueKeyBegin: string = isValue;

/** The key of an ignored row: it comes last. */
export const ignoredKey: string = isIgnored;

/** SQL and tests compare keys by their bytes. Keys of values are below this one. */
export const firstKeyBehindValues: string = isText;

/** As much of a text decides. */
export const keyCharsMax = 60;

const accents = /\p{Mn}/gu;
/** Nearly all values are plain, and normalizing each takes a microsecond. */
const plain = /^[ -~]*$/;

/**
 * The text by which a value is sorted: in the order of its bytes, numbers by their size, texts without regard to case
 * and accents. Texts in a column of numbers come behind all numbers, and empty values last, in either direction.
 */
export function sortKey(field: InlineField, value: string): string {
  if (value === '') return isEmpty;
  if (!isSortedByNumber(field)) return isValue + textKey(value);
  const number = sizeOf(field, value);
  return number === null ? isText + textKey(value) : isValue + numberKey(number);
}

/** Whether the values of a field are sorted by their size. */
export const isSortedByNumber = (field: InlineField): boolean =>
  lookOf(field).isNumber === true || field === 'weight';

/** A weight counts by the unit that is written in its cell, and by its number where there is none. */
function sizeOf(field: InlineField, value: string): number | null {
  if (field === 'quantity') return readQuantity(value);
  const weight = field === 'weight' ? weightOf({ weight: value, weightUnit: 'g' }) : null;
  return weight === null ? amountOf(value) : weight.value * gramsPer[weight.unit];
}

function amountOf(text: string): number | null {
  const amount = parseMoney(text)?.amount;
  return amount === undefined ? null : Number(amount);
}

function textKey(text: string): string {
  const form = plain.test(text) ? text : text.normalize('NFKD').replace(accents, '').normalize('NFC');
  return cutText(form.trim().toLowerCase(), keyCharsMax);
}

const bytes = new DataView(new ArrayBuffer(8));

/** 16 hexadecimal digits in the order of the numbers: the bits of those below 0 are turned round. */
function numberKey(number: number): string {
  bytes.setFloat64(0, number);
  const bits = bytes.getBigUint64(0);
  const key = number < 0 ? BigInt.asUintN(64, ~bits) : bits | (1n << 63n);
  return key.toString(16).padStart(16, '0');
}
