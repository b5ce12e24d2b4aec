import { rowKeyColumn } from '@draftshelf/csv/own-download';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { columnNames } from '@draftshelf/domain/reading/mapping/header-words';
import { type CorrectionColumn, correctionColumns } from '@draftshelf/domain/review/corrections/shown-cells';

const readingColumns = ['Row', 'Problems'];
export const ownColumns = [rowKeyColumn, ...readingColumns];

/** The other columns that a corrections file may have; their names tell them apart. */
export function namedColumns(headers: readonly string[], mapping: HeaderMapping): CorrectionColumn[] {
  const columns = correctionColumns(headers, mapping);
  const names = columnNames([...ownColumns, ...columns.map(({ name }) => name)]);
  return columns.map((column, at) => ({ ...column, name: names[ownColumns.length + at] ?? column.name }));
}

export function columnsIn(given: readonly string[], columns: readonly CorrectionColumn[]) {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const known = given.flatMap((name, at) => {
    const column = byName.get(name);
    return column ? [{ at, column }] : [];
  });
  const unknown = given.filter((name) => !byName.has(name) && !ownColumns.includes(name));
  return { key: given.indexOf(rowKeyColumn), known, unknown };
}
