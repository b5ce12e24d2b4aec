import { type RawBuilder, sql } from 'kysely';

type ColumnType = 'int' | 'bigint' | 'text' | 'uuid' | 'timestamptz' | 'bytea' | `bit(${number})`;
type Value = string | number | bigint | Buffer | null;

/**
 * SQL for a table of these rows: one array parameter per column, `byteFrom` as `byte_from`, in the order of `types`.
 * JSON is passed as text.
 */
export function unnestRows<Column extends string>(
  table: string,
  rows: readonly { readonly [column in Column]: Value }[],
  types: { readonly [column in Column]: ColumnType },
): RawBuilder<unknown> {
  const columns = Object.keys(types) as Column[];
  const arrays = columns.map((column) => sql`${rows.map((row) => row[column])}::${sql.raw(types[column])}[]`);
  const names = columns.map((column) =>
    sql.ref(column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  );
  return sql`unnest(${sql.join(arrays)}) as ${sql.ref(table)} (${sql.join(names)})`;
}
