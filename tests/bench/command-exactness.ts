import { findImport } from '@draftshelf/core/imports/imports';
import type { BenchStack } from './bench-stack.ts';

type Database = BenchStack['database'];

/** A digest of the prices of an import's current rows, and of their places. */
export async function digestPrices({ pool }: Database, id: string): Promise<string> {
  const { rows } = await pool.query<{ digest: string }>(
    `select sum(hashtextextended(row || ' ' || coalesce(price, ''), 0))::text as digest
     from rows join imports on imports.id = import_id and rows_run = run where import_id = $1`,
    [id],
  );
  return rows[0]?.digest ?? '';
}

/** What differs between an import's counters and a recount of its rows, each of which is a product. */
export async function counterDifferences(database: Database, id: string): Promise<string[]> {
  const record = await findImport(database.db, id);
  if (!record) return ['The import is gone'];
  const { rows } = await database.pool.query<{ class: string; counted: number; facet: number }>(
    `select class, counted, coalesce(facet, 0) as facet
     from (select class, count(*)::int as counted from rows
       where import_id = $1 and run = $2 and ignored is null group by class) of_rows
     full join (select class, facet.rows as facet
       from runs cross join jsonb_to_recordset(facets) as facet (class text, issue text, rows integer)
       where import_id = $1 and stage = 'parse' and run = $2 and issue = '' and class <> 'ignored') of_facets using (class)`,
    [id, record.rows_run],
  );
  const products: Record<string, number> = {
    valid: record.valid_products,
    warning: record.warning_products,
    error: record.error_products,
  };
  return rows.flatMap(({ class: name, counted = 0, facet }) =>
    [facet, products[name]].every((count) => count === (counted ?? 0))
      ? []
      : [`${name}: ${counted} rows, facet ${facet}, products ${products[name]}`],
  );
}
