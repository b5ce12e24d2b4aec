import { mapHeaders } from '../reading/mapping/header-mapping.ts';

/**
 * Maps columns that are written as `header=field`, '-' for no field, with a bar between them, and returns them with the
 * fields that they get: the same text if all are right. `rows`: their cells, with bars between them, too.
 */
export function mappedColumns(columns: string, ...rows: readonly string[]): string {
  // '=' may be part of a header: 'Available for order (0 = No, 1 = Yes)'.
  const headers = columns.split('|').map((column) => column.slice(0, column.lastIndexOf('=')));
  const mapping = mapHeaders(
    headers,
    rows.map((row) => row.split('|')),
  );
  return mapping.columns.map(({ header, field }) => `${header}=${field ?? '-'}`).join('|');
}
