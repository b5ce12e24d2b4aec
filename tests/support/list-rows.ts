import { randomUUID } from 'node:crypto';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { deriveOurId } from '@draftshelf/core/imports/our-id';
import { readMissingItems } from '@draftshelf/core/suppliers/listed-rows';
import type { ListId } from '@draftshelf/core/suppliers/lists';
import type { Fixture } from './fixture.ts';
import { itemsNow } from './items-now.ts';

/** A row of a list, as far as lists are compared. `hashes`: a number for each group of fields. */
export type ListRow = {
  row: number;
  product: number;
  key: string | null;
  hashes: number[];
  price: number;
  gtin: number | null;
};

/** What was found for a row. */
/** What a comparison says about a row. `item`: the key of its item. */
export type FoundRow = { row: number; item: string | null; our_id: string | null; change: number };

const hexOf = (hashes: readonly number[]): string =>
  hashes.map((hash) => hash.toString(16).padStart(8, '0')).join('');

/** Lists as rows in the database, without files. */
export function listRows({ database }: Pick<Fixture, 'database'>) {
  const { pool } = database;
  const query = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await pool.query(text, values)).rows as T[];
  return {
    query,
    async supplier(): Promise<number> {
      const name = randomUUID();
      const [made] = await query<{ id: number }>('insert into suppliers (name) values ($1) returning id', [
        name,
      ]);
      return made?.id ?? 0;
    },
    /** Lets a list count that a run has read; null: it does not count, or no longer. */
    setCounted: ({ supplier, number }: ListId, run: number | null) =>
      query(
        `insert into supplier_lists (supplier, number, filename, counted_run, counted_at, state)
         select $1, $2::int, $2::int || '.csv', $3::int, case when $3::int is not null then clock_timestamp() end,
           case when $3::int is null then 'open' else 'counted' end
         on conflict (supplier, number) do update set counted_run = excluded.counted_run,
           counted_at = excluded.counted_at, state = excluded.state`,
        [supplier, number, run],
      ),
    /** Inserts rows of an import that has no file; their offsets are their row numbers. */
    async insert(
      rows: readonly ListRow[],
      of = { import_id: randomUUID() as string, run: 1 },
    ): Promise<ImportRecord> {
      await query(
        `insert into rows (import_id, run, row, line, product, byte_from, issues, class, enrichable, title, cells,
           item_key, item_hashes, item_price, item_gtin)
         select $1, $2, row, row + 1, product, row * 100, 0, 'valid', false, 'Vase ' || row, '[]', key,
           decode(hashes, 'hex'), price, gtin
         from json_to_recordset($3) as listed (row int, product int, key text, hashes text, price bigint, gtin bigint)`,
        [
          ...[of.import_id, of.run],
          JSON.stringify(
            rows.map((row) => ({ ...row, hashes: row.key === null ? null : hexOf(row.hashes) })),
          ),
        ],
      );
      const record = { id: of.import_id, sha256: of.import_id, rows_run: of.run, total_rows: rows.length };
      return record as ImportRecord;
    },
    found: ({ id, rows_run }: ImportRecord) =>
      query<FoundRow>(
        `select row, (select key from supplier_items where id = item) as item, our_id, change from row_items
         where import_id = $1 and run = $2 order by row`,
        [id, rows_run],
      ),
    items: (supplier: number) =>
      query<{ key: string; our_id: string; content_list: number | null; missed_since: number | null }>(
        `select key, our_id, title, encode(hashes, 'hex') as hashes, price, quantity, gtin, first_list, content_list,
           missed_since
         from ${itemsNow(database)} where supplier = $1 order by key collate "C"`,
        [supplier],
      ),
    missing: async (record: ImportRecord, supplier: number) => {
      const list = { supplier, number: 0, state: 'open' as const };
      return (await readMissingItems(database.db, record, list, { after: '', limit: 1_000 })).map(
        ({ key }) => key,
      );
    },
  };
}

/** Our ids of the products of a list, by product. */
export function idsOf(
  record: ImportRecord,
  rows: readonly ListRow[],
  found: readonly FoundRow[],
): Map<number, string> {
  const byRow = new Map(found.map((row) => [row.row, row.our_id]));
  const ids = new Map<number, string>();
  for (const { row, product } of rows) {
    if (ids.has(product)) continue;
    ids.set(product, deriveOurId(record, { byte_from: row * 100, own_id: byRow.get(row) ?? null }));
  }
  return ids;
}
