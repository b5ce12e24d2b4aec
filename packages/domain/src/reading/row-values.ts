import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { cleanText, isClean } from '../base/clean-text.ts';
import { trimEnds } from '../base/cut-text.ts';
import { untrackedIfNew } from '../base/field-choices.ts';
import { cleanFieldText } from '../base/field-text.ts';
import { addressOfLink, resolveFormula } from '../base/formula.ts';
import { parseMoney } from '../base/money.ts';
import { quantityToSend, readLooseQuantity, readQuantity } from '../base/quantity.ts';
import { applyReadings, rewriteAmount } from './column-readings.ts';
import type { HeaderMapping } from './mapping/header-mapping.ts';
import { setOptions } from './option-pairs.ts';
import { planFields } from './planned-fields.ts';
import { isReductionActive } from './reduced-prices.ts';

/**
 * Returns a cell as the value of a field: trimmed, cleaned, and without the syntax of a formula. `isTwice`: the
 * column's text was encoded twice.
 */
export function cleanCellValue(
  cell: string | undefined,
  field: CanonicalField | null = null,
  isTwice = false,
): string {
  if (cell === undefined) return '';
  const text = isClean(cell) ? cell.trim() : cleanText(trimCell(cell), field, isTwice);
  if (field === null) return resolveFormula(text);
  const isPicture = field === 'image' || field === 'moreImages';
  return cleanFieldText(resolveFormula(isPicture ? addressOfLink(text) : text), field);
}

/** Returns a cell's value for a field, read by the mapping's settings for the column. */
export function readValue(
  cell: string | undefined,
  column: number,
  field: CanonicalField,
  mapping: HeaderMapping,
): string {
  const { decimalComma, cents, thousands, ownCurrency, twiceEncoded, wholeCodes, quantityFlags } = mapping;
  const value = cleanCellValue(cell, field, twiceEncoded?.includes(column));
  if (wholeCodes?.includes(column)) return value.replace(/\.0$/, '');
  if (quantityFlags && field === 'quantity' && (value === '0' || value === '1'))
    return value === '1' ? 'yes' : 'no';
  const isPlain = (decimalComma ?? cents ?? thousands ?? ownCurrency) === undefined;
  return isPlain ? value : rewriteAmount(value, column, mapping);
}

/**
 * Returns a cell without white space and NUL at its ends, which exports of fixed-width fields use as padding. U+FFFD
 * replaces NUL elsewhere, because neither Postgres nor the store accepts NUL.
 */
export function trimCell(cell: string | undefined): string {
  if (cell === undefined) return '';
  if (!cell.includes('\0')) return cell.trim();
  return trimEnds(cell, isPadding).replaceAll('\0', '\uFFFD');
}

const isPadding = (char: string) => char === '\0' || char.trim() === '';

/** Returns a record's values by field, each from the first column with a value. Fields without a value are absent. */
export function readRowValues(cells: readonly string[], mapping: HeaderMapping): RowValues {
  const values: RowValues = {};
  for (const { field, columns, isList } of planFields(mapping)) {
    if (isList) {
      const all = columns
        .map(({ column }) => cleanCellValue(cells[column], field))
        .filter((value) => value !== '');
      if (all.length > 0) values[field] = all.join('\n');
      continue;
    }
    for (const { column, isTwice, isPlain } of columns) {
      const cell = cells[column];
      const value = isPlain ? cleanCellValue(cell, field, isTwice) : readValue(cell, column, field, mapping);
      if (value === '') continue;
      values[field] = value;
      break;
    }
  }
  if (mapping.reducedPrice !== undefined) setReducedPrice(values, cells, mapping);
  if (mapping.priceCurrency !== undefined || mapping.priceUnit !== undefined) {
    applyReadings(values, (column) => cells[column], mapping);
  }
  if (mapping.emptyTracker && values.trackQuantity === undefined && (values.price || values.sku)) {
    values.trackQuantity = untrackedIfNew;
  }
  if (mapping.parentIds !== undefined) {
    const id = parentKeyOf((column) => cells[column], mapping.parentIds);
    if (id !== null) values.handle ??= id;
  }
  if (mapping.quantityParts !== undefined) addQuantities(values, cells, mapping.quantityParts);
  // The header of a column such as 'Color' is the option's name.
  if (mapping.optionNames !== undefined) Object.assign(values, mapping.optionNames);
  if (mapping.optionCell !== undefined)
    setOptions(values, cleanCellValue(cells[mapping.optionCell], 'option1Value'));
  // A header such as 'Weight (kg)' names the unit.
  if (mapping.weightUnit !== undefined && values.weight !== undefined) values.weightUnit = mapping.weightUnit;
  if (mapping.weightPieces !== undefined && values.weight !== undefined) {
    values.weight = weightOfOne(values.weight, mapping.weightPieces);
  }
  return values;
}

/** Adds the quantities of other shops. 'In stock' replaces the sum. If a text is no quantity, all texts are joined. */
function addQuantities(values: RowValues, cells: readonly string[], parts: readonly number[]): void {
  const texts = [values.quantity ?? '', ...parts.map((column) => cleanCellValue(cells[column], 'quantity'))];
  const all = texts.filter((text) => text !== '');
  if (all.length === 0) return;
  const enough = all.find((text) => readLooseQuantity(text)?.is === 'available');
  const sum = all.reduce((total, text) => total + quantityToSend(text), 0);
  const isBound = all.some((text) => readLooseQuantity(text)?.is === 'bound');
  const isNumber = all.every((text) => readLooseQuantity(text) !== null || readQuantity(text) !== null);
  values.quantity = enough ?? (isNumber ? `${sum}${isBound ? '+' : ''}` : all.join(' + '));
}

/** Divides a weight by the number of pieces that it is for. A text that is not a weight stays as it is. */
function weightOfOne(text: string, pieces: number): string {
  const [, digits = '', unit = ''] = /^([\d.,]+)(\s*\p{L}*\.?)$/u.exec(text) ?? [];
  const amount = parseMoney(digits)?.amount;
  return amount === undefined ? text : `${Number((Number(amount) / pieces).toPrecision(12))}${unit}`;
}

/** Returns the regular and the reduced price of a row, and whether the reduced price applies. */
export function readReduction(cells: readonly string[], mapping: HeaderMapping) {
  const { reducedPrice = { column: -1, regular: -1 } } = mapping;
  const textIn = (column: number) => readValue(cells[column], column, 'price', mapping);
  const texts = { regular: textIn(reducedPrice.regular), reduced: textIn(reducedPrice.column) };
  return { ...texts, isReduced: isReductionActive(texts, (column) => cells[column], reducedPrice) };
}

/** Sets a row's price. The regular price of a reduced price becomes the compare-at price if the row has no other. */
function setReducedPrice(values: RowValues, cells: readonly string[], mapping: HeaderMapping): void {
  const { sources, reducedPrice } = mapping;
  const { regular, reduced, isReduced: isReductionActive } = readReduction(cells, mapping);
  const set = (field: 'price' | 'compareAtPrice', value: string) => {
    if (value === '') delete values[field];
    else values[field] = value;
  };
  if (sources.price) set('price', isReductionActive ? reduced : regular);
  const [compareAt] = sources.compareAtPrice ?? [];
  if (compareAt === undefined || (compareAt !== reducedPrice?.regular && values.compareAtPrice)) return;
  set('compareAtPrice', isReductionActive && regular !== reduced ? regular : '');
}

/** Returns a parent row's id as a key that replaces a missing handle. Null if the row is no parent or has no id. */
export function parentKeyOf(
  cellOf: (column: number) => string | undefined,
  { ids, kinds, areKeys }: NonNullable<HeaderMapping['parentIds']>,
): string | null {
  const kind = cellOf(kinds)?.trim().toLowerCase() ?? '';
  if (areKeys ? kind !== '' : !kind.startsWith('variable')) return null;
  const id = cellOf(ids)?.trim() ?? '';
  return id === '' ? null : areKeys ? id : `id:${id}`;
}

/** Returns the columns that have no field but are read nevertheless. */
export const findExtraColumns = (mapping: HeaderMapping): number[] => {
  const { priceUnit, parentIds, reducedPrice, quantityParts = [] } = mapping;
  const { column, regular, from, until, range, flag } = reducedPrice ?? {};
  const ofReduction = [column, regular, from, until, range, flag];
  const all = [priceUnit?.column, ...ofReduction, parentIds?.ids, parentIds?.kinds, ...quantityParts];
  return all.filter((one) => one !== undefined);
};

/** Returns the index of the column that a field's value comes from, or undefined if no column has a value. */
export function findValueColumn(
  cells: readonly string[],
  mapping: HeaderMapping,
  field: CanonicalField,
): number | undefined {
  if (field === 'price' && mapping.reducedPrice && readReduction(cells, mapping).isReduced) {
    return mapping.reducedPrice.column;
  }
  return mapping.sources[field]?.find((index) => cleanCellValue(cells[index]) !== '');
}
