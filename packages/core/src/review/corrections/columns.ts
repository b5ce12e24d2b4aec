import { rowKeyColumn } from '@draftshelf/csv/own-download';
import { type CanonicalField, canonicalFields, fieldSpecs } from '@draftshelf/domain/base/canonical-fields';
import type { HeaderMapping } from '@draftshelf/domain/reading/mapping/header-mapping';
import { columnNames } from '@draftshelf/domain/reading/mapping/header-words';
import type { CorrectionColumn } from '@draftshelf/domain/review/corrections/shown-cells';

const readingColumns = ['Row', 'Problems'];
export const ownColumns = [rowKeyColumn, ...readingColumns];

/** Returns the columns after `ownColumns`: the file's, then one for each unmapped field. Makes their names unique. */
export function listColumns(headers: readonly string[], mapping: HeaderMapping): CorrectionColumn[] {
  const fieldOf = new Map<number, CanonicalField>();
  for (const [field, columns] of Object.entries(mapping.sources) as [CanonicalField, number[]][]) {
    for (const at of columns) fieldOf.set(at, field);
  }
  const ofFile = headers.map((name, at) => ({ name, at, field: fieldOf.get(at) ?? null }));
  const others = canonicalFields.filter((field) => (mapping.sources[field] ?? []).length === 0);
  const columns = [...ofFile, ...others.map((field) => ({ name: fieldSpecs[field].label, at: null, field }))];
  const names = columnNames([...ownColumns, ...columns.map(({ name }) => name)]);
  return columns.map((column, at) => ({ ...column, name: names[ownColumns.length + at] ?? column.name }));
}

export function matchColumns(given: readonly string[], columns: readonly CorrectionColumn[]) {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const known = given.flatMap((name, at) => {
    const column = byName.get(name);
    return column ? [{ at, column }] : [];
  });
  const unknown = given.filter((name) => !byName.has(name) && !ownColumns.includes(name));
  return { key: given.indexOf(rowKeyColumn), known, unknown };
}
