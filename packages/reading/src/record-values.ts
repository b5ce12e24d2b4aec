import type { CsvRecord } from '@draftshelf/csv/scan/record';
import type { CanonicalField, RowValues } from '@draftshelf/domain/base/canonical-fields';
import { groupingOf } from '@draftshelf/domain/products/grouping';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import {
  findExtraColumns,
  parentKeyOf,
  readRowValues,
  readValue,
} from '@draftshelf/domain/reading/row-values';
import { limitedFields, storeTextCharsMax } from '@draftshelf/domain/review/store-limits';

/** Reads values of a record and decodes no other cells. The values stay valid when the record object is reused. */
export type ValuesReader = (record: CsvRecord) => RowValues;

const noValues: RowValues = {};

/** Returns a reader of the values that group rows. Reads title, brand and options only if other keys are missing. */
export function createGroupingReader(mapping: HeaderMapping): ValuesReader {
  const grouping = groupingOf(mapping);
  if (grouping.kind === 'none') return () => noValues;
  return (record) => {
    const parentId = mapping.parentIds && parentKeyOf((column) => record.cell(column), mapping.parentIds);
    const handle = readField(record, 'handle', mapping) ?? parentId ?? undefined;
    const parentSku = readField(record, 'parentSku', mapping);
    const sku = grouping.byParentSku || grouping.templates ? readField(record, 'sku', mapping) : undefined;
    const title =
      handle || (parentSku && parentSku !== sku) ? undefined : readField(record, 'title', mapping);
    if (!grouping.byTitle) return { handle, parentSku, sku, title };
    return {
      ...{ handle, parentSku, sku, title, vendor: readField(record, 'vendor', mapping) },
      option1Value: readField(record, 'option1Value', mapping),
      option2Value: readField(record, 'option2Value', mapping),
      option3Value: readField(record, 'option3Value', mapping),
    };
  };
}

function readField(record: CsvRecord, field: CanonicalField, mapping: HeaderMapping): string | undefined {
  for (const column of mapping.sources[field] ?? []) {
    const value = readValue(record.cell(column), column, field, mapping);
    if (value) return value;
  }
  return undefined;
}

/**
 * Returns a reader for values that decide class and issues. If rows form products, all values are read, because they
 * decide what a row inherits. Otherwise values with a length limit are read only if they may exceed their limit.
 */
export function createCheckReader(mapping: HeaderMapping): ValuesReader {
  const { sources } = mapping;
  const { priceCurrency, priceUnit, emptyTracker, reducedPrice } = mapping;
  const areOfRows = [priceCurrency, priceUnit, emptyTracker, reducedPrice, sources.moreImages].some(
    (ofRow) => ofRow !== undefined,
  );
  if (groupingOf(mapping).kind === 'rows' || areOfRows) return valuesIn(mapping, sources);
  const { title, price, currency, upc, compareAtPrice, cost, image, quantity, trackQuantity } = sources;
  const always = {
    ...{ title, price, currency, upc, compareAtPrice, cost, image, quantity, trackQuantity },
    ...(sources.weight && { weight: sources.weight, weightUnit: sources.weightUnit }),
  };
  const limited = Object.fromEntries(limitedFields.map((field) => [field, sources[field]]));
  const furtherColumns = limitedFields.flatMap((field) => (field in always ? [] : (sources[field] ?? [])));
  const readFew = valuesIn(mapping, always);
  const readAll = valuesIn(mapping, { ...always, ...limited });
  return (record) => {
    const isOver = furtherColumns.some((column) => record.cellCharsMax(column) > storeTextCharsMax);
    return isOver ? readAll(record) : readFew(record);
  };
}

function valuesIn(mapping: HeaderMapping, sources: HeaderMapping['sources']): ValuesReader {
  const read = { ...mapping, sources };
  const needed = [
    ...Object.values(sources).flatMap((indexes) => indexes ?? []),
    ...findExtraColumns(mapping),
  ];
  const cells: string[] = [];
  return (record) => {
    for (const index of needed) cells[index] = record.cell(index);
    return readRowValues(cells, read);
  };
}
