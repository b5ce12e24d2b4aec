import type { RowValues } from './canonical-fields.ts';
import { parseMoney } from './money.ts';

/** Largest side or weight, in any unit. */
export const measureMax = 1_000_000;

export const weightUnits = ['lb', 'kg', 'oz', 'g'] as const;
/** 0 stands for a weight that is not known. */
export type Weight = { value: number; unit: (typeof weightUnits)[number] };
export type WeightUnit = Weight['unit'];

/** The grams in each unit. */
export const gramsPer: Record<WeightUnit, number> = { g: 1, kg: 1000, oz: 28.349523125, lb: 453.59237 };

const names: Record<WeightUnit, readonly string[]> = {
  lb: ['lb', 'lbs', 'pound', 'pounds', 'libras'],
  kg: ['kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms', 'kilogramm', 'кг', '公斤', '千克'],
  oz: ['oz', 'ounce', 'ounces'],
  g: ['g', 'gr', 'gram', 'grams', 'gramm', 'grammes', 'gramos', 'grammi', 'г', 'гр', '克'],
};
const unitByName = new Map(weightUnits.flatMap((unit) => names[unit].map((name) => [name, unit] as const)));

/** The unit that a header names, as 'Weight (kg)' does. `words`: the words of the header. */
export function unitInHeader(words: readonly string[]): WeightUnit | null {
  return words.map((word) => unitByName.get(word)).find((unit) => unit !== undefined) ?? null;
}

const cellCharsMax = 64;

/**
 * The weight of a row, above 0, if its number and its unit are understood, else null. A unit in the cell, as in
 * '2.5 kg', wins over the unit's own column. Files write 0 for a weight that nobody has measured.
 */
export function weightOf({ weight = '', weightUnit = '' }: RowValues): Weight | null {
  if (weight.length > cellCharsMax || weightUnit.length > cellCharsMax) return null;
  const last = weight.charCodeAt(weight.length - 1);
  // A number alone, which many files have, is not looked at.
  if (weightUnit === '' && last >= 0x30 && last <= 0x39) return null;
  const [, number = '', written = ''] = /^([\d.,'\s]*)(\p{L}*)\.?$/u.exec(weight.trim()) ?? [];
  const unit = unitByName.get((written || weightUnit).trim().replace(/\.$/, '').toLowerCase());
  const value = Number(parseMoney(number.trim())?.amount ?? 0);
  return unit === undefined || value <= 0 || value > measureMax ? null : { value, unit };
}

const zero = /^[0.,\s]+\p{L}*\.?$/u;

/** Whether a row has a weight that is not sent, because its number or its unit is not understood. */
export function hasUnsentWeight(row: RowValues): boolean {
  const weight = row.weight?.trim() ?? '';
  return weight !== '' && !zero.test(weight) && weightOf(row) === null;
}
