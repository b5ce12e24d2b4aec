import { type RawBuilder, sql } from 'kysely';

/** The values of a refused insert, to update these columns with. `never`: each has the type of its column. */
export const excluded = <Column extends string>(columns: readonly Column[]) =>
  Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)])) as Record<
    Column,
    RawBuilder<never>
  >;
