import { findUnit, findUnitAfter } from './units.ts';

/** A number in a text. `forms` are its possible values: '1.249' is 1249 or 1.249. `unit` is null without a unit. */
export type Quantity = { text: string; forms: string[]; unit: string | null };
/** The numbers and codes (such as 'WH1000XM4') of a folded text. */
export type Quantities = { numbers: Quantity[]; codes: string[] };

const run = /(?<![a-zα-ωа-яё\d])[a-zα-ωа-яё]*\d+(?:[.,]\d+)*(?:[a-zα-ωа-яё]+\d*(?:[.,]\d+)*)*/gu;
const numberWithEnd = /^(\d+(?:[.,]\d+)*)([a-zα-ωа-яё]*[23]?)$/u;
/** Endings of numbers that are not units, as in '1st', '3er-Set' and '2x'. */
const numberEnd = /^(?:st|nd|rd|th|er|x|х|e|te|ste|d|ер)$/;
/** Text between two numbers of which only the second has the unit of both, as in '70 x 140 cm' and '40-60 cm'. */
const chain = /^["″” ]*(?:[x×х*]|[-‐–—]| to | bis )\s*(?=\d)/;

/** A fraction counts as a code, so that a row with '3/4' does not confirm '4/4'. */
const fractions = /(?<![\p{L}\d/.,])\d{1,2}\/\d{1,2}(?![\p{L}\d/.,])/gu;

/** Numbers that cannot be folded to digits, such as '❷'. */
const otherNumber = /(?![0-9〇])\p{N}/gu;

/** Returns the quantities in a text. If `isRow`, 'in' after a number means inches, as in '10 IN SLIDING SAW'. */
export function findQuantities(folded: string, isRow = false): Quantities {
  const text = folded.replace(/(\d["″”]?)\s?[x×х]\s?(?=\d)/g, '$1 × ').replace(/(\d)⁄(?=\d)/g, '$1/');
  const found: Quantities = { numbers: [], codes: [] };
  let open: Quantity[] = [];
  run.lastIndex = 0;
  for (let match = run.exec(text); match !== null; match = run.exec(text)) {
    const [code] = match;
    const [, digits, end = ''] = numberWithEnd.exec(code) ?? [];
    const unitInside = end === '' ? null : findUnit(end);
    if (digits === undefined || (end !== '' && unitInside === null && !numberEnd.test(end))) {
      if (findUnit(code) === null) found.codes.push(code);
      open = [];
      continue;
    }
    const isFraction = /(?<![\p{L}\p{N}])\.$/u.test(text.slice(Math.max(0, match.index - 2), match.index));
    const forms = formsOf(isFraction ? `0.${digits}` : digits);
    const quantity: Quantity = { text: code, forms, unit: unitInside };
    const isOrdinal = /^(?:1st|2nd|3rd)$/.test(code);
    if (isOrdinal) quantity.unit = null;
    found.numbers.push(quantity);
    const rest = text.slice(run.lastIndex);
    const follows = end === '' && !chain.test(rest) ? findUnitAfter(rest, isRow) : null;
    if (follows !== null) {
      quantity.unit = follows.unit;
      quantity.text = `${code}${rest.slice(0, follows.chars)}`;
      run.lastIndex += follows.chars;
    }
    if (quantity.unit !== null) for (const one of open) one.unit = quantity.unit;
    open = quantity.unit === null && chain.test(rest) ? [...open, quantity] : [];
  }
  for (const [fraction] of text.matchAll(fractions)) found.codes.push(fraction);
  for (const [sign] of text.matchAll(otherNumber)) found.codes.push(sign);
  return found;
}

/** Returns the possible values of a number: 1249 for '1.249,00', 1249 or 1.249 for '1.249', 0.38 for '0.380'. */
function formsOf(digits: string): string[] {
  const separators = digits.replace(/\d/g, '');
  if (separators === '') return [withoutZeros(digits)];
  const last = separators.at(-1) ?? '';
  const at = digits.lastIndexOf(last);
  const [whole, decimals] = [digits.slice(0, at).replace(/[.,]/g, ''), digits.slice(at + 1)];
  const asDecimal = `${withoutZeros(whole)}.${decimals}`.replace(/\.?0+$/, '');
  const asThousands = withoutZeros(`${whole}${decimals}`);
  if (separators.length > 1 && [...separators].every((one) => one === last)) return [asThousands];
  if (separators.length > 1 || decimals.length !== 3) return [asDecimal];
  return whole === '0' ? [asDecimal] : [asThousands, `${withoutZeros(whole)}.${decimals}`];
}

const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

/** The units of each number in a row, and the row's codes. '' stands for a number without a unit. */
export type RowQuantities = { units: Map<string, Set<string>>; codes: Set<string> };

/** Reads a row. A number without a unit gets the units in its text or column name: 30 under 'ml/g' is 30 ml or 30 g. */
export function readRowQuantities(values: readonly { name: string; text: string }[]): RowQuantities {
  const row: RowQuantities = { units: new Map(), codes: new Set() };
  for (const { name, text } of values) {
    const { numbers, codes } = findQuantities(text, true);
    const mentioned = mentionedUnits(`${name} ${text}`);
    for (const { forms, unit } of numbers) {
      for (const form of forms)
        addUnits(row, form, unit === null ? ['', ...mentioned] : unit === 'in' ? ['', unit] : [unit]);
    }
    for (const code of codes) {
      row.codes.add(removeMarks(code));
      const leading = /^(\d+)[a-z]+$/.exec(code)?.[1];
      if (leading !== undefined) addUnits(row, withoutZeros(leading), ['']);
    }
  }
  return row;
}

function addUnits(row: RowQuantities, number: string, units: readonly string[]): void {
  const known = row.units.get(number) ?? new Set();
  for (const unit of units) known.add(unit);
  row.units.set(number, known);
}

const alone = /(?<!\d ?)(?:° ?[cf]|(?<![\p{L}\p{N}])[\p{L}]+[23]?)(?![\p{L}\p{N}])/gu;
/** Units that are also everyday words. They do not count without a number. */
const notAlone = new Set(['in', 'once', 'eta', 'ages', 'second', 'mois', 'm', 's', 'h', 'v', 'w']);

function mentionedUnits(text: string): string[] {
  return (text.match(alone) ?? []).flatMap((word) => {
    const unit = notAlone.has(word) ? null : findUnit(word.replace(' ', ''));
    return unit === null ? [] : [unit];
  });
}

export const removeMarks = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

type ForeignQuantity = { check: 'number' | 'unit'; found: string };

/** Returns the quantities of a proposal that the row does not contain. */
export function findForeignQuantities(
  proposed: Quantities,
  row: RowQuantities,
  rowText: string,
): ForeignQuantity[] {
  const codes = proposed.codes
    .filter((code) => !row.codes.has(removeMarks(code)) && !hasCode(rowText, code))
    .map((found) => ({ check: 'number' as const, found }));
  const numbers = proposed.numbers.flatMap(({ text, forms, unit }): ForeignQuantity[] => {
    const units = forms.flatMap((form) => [...(row.units.get(form) ?? [])]);
    if (units.length === 0) return [{ check: 'number', found: text }];
    const isSame = unit === null || units.includes(unit) || (unit === 'pcs' && units.includes(''));
    return isSame ? [] : [{ check: 'unit', found: text }];
  });
  return [...codes, ...numbers];
}

/** The maximum length of a code in a row. The pattern for the parts of a longer code could be too large to compile. */
const codeCharsMax = 100;

/** Returns whether a text contains a code, also with separators as in 'WH-1000 XM4'. */
function hasCode(text: string, code: string): boolean {
  if (code.length > codeCharsMax) return false;
  const parts = code.match(/\d+|[^\d]+/g) ?? [];
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped.join('[ -]?')}(?![\\p{L}\\p{N}])`, 'u').test(text);
}
