import type { CanonicalField, RowValues } from './canonical-fields.ts';
import type { HeaderMapping } from './header-mapping.ts';

/** Fields that hold what all their columns have, one value per line; elsewhere the first value wins. */
const listFields: ReadonlySet<CanonicalField> = new Set(['moreImages']);

/** The values of a record by field: trimmed, of several columns the first with a value; without one, absent. */
export function readRowValues(cells: readonly string[], mapping: HeaderMapping): RowValues {
  const values: RowValues = {};
  // Of all ways to walk an object only this one makes nothing new for every row.
  for (const name in mapping.sources) {
    const field = name as CanonicalField;
    const indexes = mapping.sources[field] ?? [];
    if (listFields.has(field)) {
      const all = indexes.map((index) => cells[index]?.trim() ?? '').filter((value) => value !== '');
      if (all.length > 0) values[field] = all.join('\n');
      continue;
    }
    for (const index of indexes) {
      const value = cells[index]?.trim();
      if (!value) continue;
      values[field] = value;
      break;
    }
  }
  return values;
}
