import type { RowValues } from './canonical-fields.ts';
import { parseMoney } from './money.ts';

/** Largest accepted weight, or length of a side, in any unit. */
export const measureMax = 1_000_000;

export const weightUnits = ['lb', 'kg', 'oz', 'g'] as const;
/** A weight above 0. Files write 0 for an unknown weight. */
export type Weight = { value: number; unit: (typeof weightUnits)[number] };
export type WeightUnit = Weight['unit'];

export const gramsPerUnit: Record<WeightUnit, number> = { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 };

const names: Record<WeightUnit, string> = {
  lb: 'lb lbs pound pounds libra libras livre livres libbra libbre pond pfund фунт фунтов',
  kg: `kg kgs kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos kilogrammo kilogrammi kilograma
    kilogramy кг килограмм килограммы 公斤 千克 キロ キログラム 킬로그램 كجم كغ كيلو กก กิโลกรัม`,
  oz: 'oz ozs ounce ounces onza onzas once onces oncia once unze unzen унция',
  g: `g gr grs gm gms gram grams gramm gramme grammes gramo gramos grammo grammi grama gramas gramy gramow г гр грамм грамма граммов 克
    グラム 그램 جم غرام غ กรัม`,
};
const unitByName = new Map(
  weightUnits.flatMap((unit) => names[unit].split(/\s+/).map((name) => [name, unit] as const)),
);
/** Units that are converted to another unit, with the factor. */
const further = new Map<string, { unit: WeightUnit; times: number }>([
  ...['mg', 'мг', '毫克'].map((name) => [name, { unit: 'g', times: 0.001 }] as const),
  ...['dkg', 'dag', 'deka'].map((name) => [name, { unit: 'g', times: 10 }] as const),
  ...['ct', 'cts', 'carat', 'carats', 'karat'].map((name) => [name, { unit: 'g', times: 0.2 }] as const),
  ...['t', 'to', 'tonne', 'tonnes', 'тонна', '吨'].map(
    (name) => [name, { unit: 'kg', times: 1000 }] as const,
  ),
  ...['斤', '市斤'].map((name) => [name, { unit: 'g', times: 500 }] as const),
]);

/** Returns the unit that a header names ('Weight (kg)'), or null. `words`: the words of the header. */
export function findWeightUnit(words: readonly string[]): WeightUnit | null {
  return words.map((word) => unitByName.get(word)).find((unit) => unit !== undefined) ?? null;
}

const cellCharsMax = 64;

/**
 * Returns the weight of a row. Null if its number or unit is not understood, or if the number is too large or 0, which
 * files write for an unknown weight. A unit in the cell ('2.5 kg') takes precedence over the column of units.
 */
export function weightOf({ weight = '', weightUnit = '' }: RowValues): Weight | null {
  if (weight.length > cellCharsMax || weightUnit.length > cellCharsMax) return null;
  const last = weight.charCodeAt(weight.length - 1);
  // A shortcut for many files: the weight is unknown if it is a number without any unit.
  if (weightUnit === '' && last >= 0x30 && last <= 0x39) return null;
  const both = inTwoUnits(weight);
  if (both !== null) return both;
  const [, number = '', written = ''] =
    /^([\d.,'\s]*)(\p{L}*)\.?$/u.exec(weight.normalize('NFKC').trim()) ?? [];
  const name = (written || weightUnit).trim().replace(/\.$/, '').toLowerCase();
  const other = further.get(name);
  const unit = unitByName.get(name) ?? other?.unit;
  // Removes the rounding error of the multiplication.
  const value = Number(
    (Number(parseMoney(number.trim())?.amount ?? 0) * (other?.times ?? 1)).toPrecision(12),
  );
  return unit === undefined || value <= 0 || value > measureMax ? null : { value, unit };
}

const twoUnits = /^(\d+)\s*(\p{L}+)\.?,?\s*(\d+(?:[.,]\d+)?)\s*(\p{L}+)\.?$/u;

/** Returns a weight such as '1 lb 4 oz' in its smaller unit, or null for other texts. */
function inTwoUnits(weight: string): Weight | null {
  const [, large = '', ofLarge = '', small = '', ofSmall = ''] = twoUnits.exec(weight.trim()) ?? [];
  const [unit, smaller] = [ofLarge, ofSmall].map((name) => unitByName.get(name.toLowerCase()));
  if (!(unit === 'lb' && smaller === 'oz') && !(unit === 'kg' && smaller === 'g')) return null;
  const value = Number(large) * (unit === 'lb' ? 16 : 1000) + Number(small.replace(',', '.'));
  return value > 0 && value <= measureMax ? { value, unit: smaller as WeightUnit } : null;
}

const zero = /^[0.,\s]+\p{L}*\.?$/u;

const plainWeight = /^\d{1,6}(?:[.,]\d+)?$/;

/** Whether a row has a weight that is not sent, because its number or its unit is not understood. */
export function hasUnsentWeight(row: RowValues): boolean {
  const weight = row.weight?.trim() ?? '';
  // A shortcut for most rows: a plain number, with the unit in its own column.
  if (unitByName.has(row.weightUnit?.toLowerCase() ?? '') && plainWeight.test(weight)) return false;
  return weight !== '' && !zero.test(weight) && weightOf(row) === null;
}
