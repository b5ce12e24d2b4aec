import type { CsvRecord } from '@draftshelf/csv/scan/record';
import type { CanonicalField, RowValues } from '@draftshelf/domain/canonical-fields';
import { groupingOf } from '@draftshelf/domain/grouping';
import type { HeaderMapping } from '@draftshelf/domain/mapping/header-mapping';
import { cellValue, readRowValues } from '@draftshelf/domain/row-values';

/** Reads values of a record, and decodes no other cells. The record may change afterwards. */
export type ReadValues = (record: CsvRecord) => RowValues;

const noValues: RowValues = {};

/**
 * The values that decide which product a record belongs to: a title only when there is no key, a SKU only when rows may
 * name it as their parent.
 */
export function groupingValues(mapping: HeaderMapping): ReadValues {
  const grouping = groupingOf(mapping);
  if (grouping.kind === 'none') return () => noValues;
  const valueIn = (record: CsvRecord, field: CanonicalField): string | undefined => {
    for (const column of mapping.sources[field] ?? []) {
      const value = cellValue(record.cell(column));
      if (value) return value;
    }
    return undefined;
  };
  return (record) => {
    const handle = valueIn(record, 'handle');
    const parentSku = valueIn(record, 'parentSku');
    const sku = grouping.byParentSku ? valueIn(record, 'sku') : undefined;
    const title = handle || (parentSku && parentSku !== sku) ? undefined : valueIn(record, 'title');
    return { handle, parentSku, sku, title };
  };
}

/**
 * The values that decide the class of a record: title and price, and if rows form products, all values, because they
 * decide what a row inherits.
 */
export function classValues(mapping: HeaderMapping): ReadValues {
  const { title, price } = mapping.sources;
  const sources = groupingOf(mapping).kind === 'rows' ? mapping.sources : { title, price };
  const needed = Object.values(sources).flatMap((indexes) => indexes ?? []);
  const cells: string[] = [];
  return (record) => {
    for (const index of needed) cells[index] = record.cell(index);
    return readRowValues(cells, { columns: mapping.columns, sources });
  };
}
