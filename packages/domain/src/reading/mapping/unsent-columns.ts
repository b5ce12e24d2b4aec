import type { CanonicalField } from '../../base/canonical-fields.ts';
import { parseMoney } from '../../base/money.ts';
import { isPriceUnitHeader } from '../price-headers.ts';
import { type ColumnEvidence, filledCells, type Sample } from './column-evidence.ts';
import { hasForeignWord, headerKey, headerWords, namesPack } from './header-words.ts';
import { namesPrice } from './trade-words.ts';

/** Unmapped columns with prices other than the sent price, or with values of a field that has no column. */
export type UnsentColumns = { field: CanonicalField; columns: number[] };

type Sources = Partial<Record<CanonicalField, number[]>>;
type Columns = {
  headers: readonly string[];
  evidence: readonly ColumnEvidence[];
  isFree: (index: number) => boolean;
};

const weightWord =
  /weight|gewicht|^peso|poids|^waga|^ciezar|hmotnost|vikt|vekt|vaegt|paino|^suly|tomeg|greutate|agirlik|^вес|масса|^вага|重量|净重|毛重|무게|중량|وزن|משקל|βαρος|^berat$|น้ำหนัก|khoi luong|trong luong/u;
const codeWord =
  /barcode|^ean|^gtin|^upc|strichcode|barras|barre|barkod|kreskow|vonalkod|штрих|条码|條碼|バーコード|바코드|باركود|ברקוד/u;
const columnsMax = 4;

/** Returns further price columns, and columns for weights, codes, pictures and SKUs if these fields are unmapped. */
export function findUnsentColumns(sources: Sources, columns: Columns): UnsentColumns[] {
  const { headers, evidence, isFree } = columns;
  const free = [...headers.keys()].filter((index) => isFree(index) && (evidence[index]?.filled ?? 0) > 0);
  const words = (index: number) => headerWords(headers[index] ?? '');
  const has = (index: number, word: RegExp) => words(index).some((one) => word.test(one));
  const of = (index: number): Partial<ColumnEvidence> => evidence[index] ?? {};
  const rules: [CanonicalField, isOf: (index: number) => boolean][] = [
    ['price', (index) => isOtherPrice(index, sources, columns)],
    ['weight', (index) => has(index, weightWord)],
    ['upc', (index) => !namesPack(words(index)) && ((of(index).gtin ?? 0) > 0.5 || has(index, codeWord))],
    ['image', (index) => (of(index).imageUrl ?? 0) > 0.5],
    ['sku', (index) => sources.itemNumber === undefined && mayBeCodes(evidence[index], words(index))],
  ];
  return rules.flatMap(([field, isOf]): UnsentColumns[] => {
    const isSent = sources[field] !== undefined;
    if (isSent !== (field === 'price')) return [];
    const found = free.filter(isOf).slice(0, columnsMax);
    return found.length > 0 ? [{ field, columns: found }] : [];
  });
}

/** Whether the name and the cells of a column show that it has prices other than the sent price. */
function isOtherPrice(index: number, { price = [] }: Sources, { headers, evidence }: Columns): boolean {
  const header = headers[index] ?? '';
  const [own, sent] = [evidence[index], evidence[price[0] ?? -1]];
  if (!own || !sent || own.money < 0.8 || own.median === 0 || header.includes('%') || !namesPrice(header))
    return false;
  if (isPriceUnitHeader(header)) return false;
  const rows = own.amounts.filter((amount, row) => amount !== null && sent.amounts[row] !== null);
  const differ = own.amounts.some(
    (amount, row) => amount !== null && amount > 0 && amount !== sent.amounts[row],
  );
  return rows.length > 0 && differ;
}

function mayBeCodes(column: ColumnEvidence | undefined, words: readonly string[]): boolean {
  if (column === undefined || hasForeignWord(words)) return false;
  const { code, distinct, filled, fill, chars, isSequence, gtin, url } = column;
  const areAllDifferent = filled > 1 && fill > 0.9 && distinct === 1;
  return areAllDifferent && code > 0.8 && chars <= 30 && !isSequence && gtin === 0 && url === 0;
}

const products = new Set('product configurable variable parent master vater main group item'.split(' '));
const variants = new Set(
  'sku simple variation variant child rule product_variation kind variante variación variacion'.split(' '),
);
const kindColumn = /type|kind|typ|art|tipo|soort/;
const kindsMax = 6;

/** Returns the column that marks rows as products or variants, if no other groups variants with their product. */
export function findVariantColumn(
  sources: Sources,
  headers: readonly string[],
  sample: Sample,
): number | undefined {
  const { parentSku, handle, option1Value } = sources;
  const keys = headers.map(headerKey);
  // In Wix files, rows of variants have a surcharge instead of a price, so they must be told from rows of products.
  const ofWix = keys.includes('handleid') ? keys.indexOf('fieldtype') : -1;
  if (ofWix >= 0) return ofWix;
  const handles = sample.flatMap((row) => row[handle?.[0] ?? -1]?.trim() || []);
  const groups = handle && (handles.length === 0 || new Set(handles).size < handles.length);
  if (parentSku ?? option1Value ?? groups) return undefined;
  return [...headers.keys()].find((index) => {
    if (!kindColumn.test(headerWords(headers[index] ?? '').join(' '))) return false;
    const kinds = new Set(filledCells(sample, index).map((cell) => cell.toLowerCase()));
    const hasBoth = !kinds.isDisjointFrom(products) && !kinds.isDisjointFrom(variants);
    return hasBoth && kinds.size <= kindsMax && [...kinds].every((kind) => parseMoney(kind) === null);
  });
}
