import type { CsvRecord } from '@draftshelf/csv/scan/record';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { codeFields } from '@draftshelf/domain/base/made-date';
import { groupingOf } from '@draftshelf/domain/products/grouping';
import { readAmount } from '@draftshelf/domain/reading/column-readings';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { cellValue, readRowValues } from '@draftshelf/domain/reading/row-values';
import { limitedFields, storeTextCharsMax } from '@draftshelf/domain/review/store-limits';

/** Reads values of a record, and decodes no other cells. The record may change afterwards. */
export type ReadValues = (record: CsvRecord) => RowValues;

const noValues: RowValues = {};

/**
 * The values that decide which product a record belongs to: a title only when there is no key, with brand and options
 * where it is the key, and a SKU only when rows may name it as their parent.
 */
export function groupingValues(mapping: HeaderMapping): ReadValues {
  const grouping = groupingOf(mapping);
  if (grouping.kind === 'none') return () => noValues;
  const { sources } = mapping;
  return (record) => {
    const handle = valueIn(record, sources.handle);
    const parentSku = valueIn(record, sources.parentSku);
    const sku = grouping.byParentSku ? valueIn(record, sources.sku) : undefined;
    const title = handle || (parentSku && parentSku !== sku) ? undefined : valueIn(record, sources.title);
    if (!grouping.byTitle) return { handle, parentSku, sku, title };
    return {
      ...{ handle, parentSku, sku, title, vendor: valueIn(record, sources.vendor) },
      option1Value: valueIn(record, sources.option1Value),
      option2Value: valueIn(record, sources.option2Value),
      option3Value: valueIn(record, sources.option3Value),
    };
  };
}

/** The value of a field with one of these columns. `mapping`: how amounts are read; absent: it is none. */
function valueIn(
  record: CsvRecord,
  columns: readonly number[] | undefined,
  mapping: Pick<HeaderMapping, 'decimalComma' | 'cents'> = {},
): string | undefined {
  if (columns === undefined) return undefined;
  for (let at = 0; at < columns.length; at += 1) {
    const column = columns[at] as number;
    const value = cellValue(record.cell(column));
    if (value) return readAmount(value, column, mapping);
  }
  return undefined;
}

/**
 * The values that decide the class and the issues of a record. If rows form products, these are all values, because
 * they decide what a row inherits. Else the amounts with their currency, title, UPC, image and quantity are
 * read, and values with a limit only where one may be over it.
 */
export function checkedValues(mapping: HeaderMapping): ReadValues {
  const { sources } = mapping;
  const { priceCurrency, priceUnit } = mapping;
  const areOfRows = priceCurrency !== undefined || priceUnit !== undefined;
  if (groupingOf(mapping).kind === 'rows' || areOfRows) return valuesIn(mapping, sources);
  const { title, price, currency, upc, compareAtPrice, cost, image, quantity, trackQuantity } = sources;
  const always = { title, price, currency, upc, compareAtPrice, cost, image, quantity, trackQuantity };
  const further = limitedFields.filter((field) => !(field in always) && sources[field] !== undefined);
  const furtherColumns = further.flatMap((field) => sources[field] ?? []);
  const readAll = valuesIn(mapping, {
    ...always,
    ...Object.fromEntries(further.map((field) => [field, sources[field]])),
  });
  return (record) => {
    for (const column of furtherColumns) {
      if (record.cellCharsMax(column) > storeTextCharsMax) return readAll(record);
    }
    return {
      title: valueIn(record, title),
      price: valueIn(record, price, mapping),
      currency: valueIn(record, currency),
      upc: valueIn(record, upc),
      compareAtPrice: valueIn(record, compareAtPrice, mapping),
      cost: valueIn(record, cost, mapping),
      image: valueIn(record, image),
      quantity: valueIn(record, quantity, mapping),
      trackQuantity: valueIn(record, trackQuantity),
    };
  };
}

function valuesIn(mapping: HeaderMapping, sources: HeaderMapping['sources']): ReadValues {
  const { columns, decimalComma, cents, priceCurrency, priceUnit } = mapping;
  const read = {
    ...{ columns, sources },
    ...(decimalComma && { decimalComma }),
    ...(cents && { cents }),
    ...(priceCurrency && { priceCurrency }),
    ...(priceUnit && { priceUnit }),
  };
  const ofUnit = priceUnit?.column === undefined ? [] : [priceUnit.column];
  const needed = [...Object.values(sources).flatMap((indexes) => indexes ?? []), ...ofUnit];
  const cells: string[] = [];
  return (record) => {
    for (const index of needed) cells[index] = record.cell(index);
    return readRowValues(cells, read);
  };
}

const [numberSign, equalsSign, letterE] = [35, 61, 69];

/**
 * Reads cells for `cellIssues`, and decodes only those that it may find something in: codes, amounts, and texts that
 * begin with a mark of formulas, a space, or as 'Err:502' does.
 */
export function oddCells({
  sources,
  inferred = [],
  twoDecimals = [],
  priceUnit,
}: HeaderMapping): (record: CsvRecord) => (column: number) => string {
  const ofCodes = codeFields.flatMap((field) => sources[field] ?? []);
  const ofUnit = priceUnit ? [priceUnit.column ?? -1, ...(sources.price ?? [])] : [];
  const codes = new Set([...ofCodes, ...inferred, ...twoDecimals, ...ofUnit]);
  return (record) => (column) => {
    const first = record.firstCode(column);
    const isMark = first === numberSign || first === equalsSign || first === letterE;
    const isText = first > 32 && first < 128 && !isMark;
    return isText && !codes.has(column) ? 'text' : record.cell(column);
  };
}
