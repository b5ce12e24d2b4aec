import type { Row } from '@draftshelf/contract/review/rows';
import { inlineFields } from '@draftshelf/domain/base/field-look';
import { useState } from 'react';
import type { ShownImport } from '../imports-api.ts';
import { columnsOf, type RowColumn, rowColumns, wrongColumn } from './row-columns.ts';

/**
 * The columns of an import's table where it is `rem` wide: mapped fields, and fields that a shown row has had a value
 * for. A column that was shown once stays, so that filters and pages move none, except that of the issue that they are
 * filtered by.
 */
export function useRowColumns(
  record: ShownImport,
  rows: readonly Row[],
  rem: number,
  issue: string | undefined,
): RowColumn[] {
  const [seen, setSeen] = useState<ReadonlySet<RowColumn>>(new Set());
  const found = columnsOf(rows).filter((column) => !seen.has(column));
  if (found.length > 0) setSeen(new Set([...seen, ...found]));
  const mapped = ([...inlineFields, 'image'] as const).filter((field) => record.fieldMapping[field]);
  const isPushed = Object.values(record.outcomes).some((count) => count > 0);
  const has = new Set([...seen, ...found, ...mapped, ...(isPushed ? ['outcome' as const] : [])]);
  return rowColumns(has, rem, wrongColumn(issue));
}
