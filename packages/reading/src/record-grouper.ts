import type { DataRow } from '@draftshelf/csv/read-table';
import type { RowValues } from '@draftshelf/domain/base/canonical-fields';
import { type GroupedRow, grouper, groupingOf } from '@draftshelf/domain/products/grouping';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';

export type GroupedRecord = {
  /** The values that were read from it; none of an ignored row. */
  values: RowValues;
  /** Null for an ignored row, which belongs to no product. */
  group: GroupedRow | null;
};

export type RecordGrouper<Source> = {
  next(ignored: DataRow['ignored'], source: Source): GroupedRecord;
  /** Takes a row again that `next` has taken, because a chunk begins with it in the middle of a product. */
  restartAt(ignored: DataRow['ignored'], source: Source): GroupedRecord;
};

const inNoProduct: GroupedRecord = { values: {}, group: null };

/** Groups the rows of a file into products. `readValues` reads the values of a row that is not ignored. */
export function recordGrouper<Source>(
  mapping: HeaderMapping,
  readValues: (source: Source) => RowValues,
): RecordGrouper<Source> {
  const grouping = groupingOf(mapping);
  let groups = grouper(grouping);
  const next = (ignored: DataRow['ignored'], source: Source): GroupedRecord => {
    if (ignored !== null) return inNoProduct;
    const values = readValues(source);
    return { values, group: groups(values) };
  };
  return {
    next,
    restartAt(ignored, source) {
      groups = grouper(grouping);
      return next(ignored, source);
    },
  };
}
