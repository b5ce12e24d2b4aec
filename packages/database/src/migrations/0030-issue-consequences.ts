import { type Kysely, sql } from 'kysely';

/**
 * Counts and bitmaps of rows by consequence, like those of any issue, for the rows that are stored. The codes are those
 * of this version: a later one stores the consequence with every row that it reads.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into row_bitmaps (import_id, run, class, issue, block, rows)
    select import_id, run, class, consequence, block, bit_or(rows)
    from row_bitmaps join (values
      ('refused', 'title-missing'), ('refused', 'price-missing'), ('refused', 'price-not-numeric'),
      ('refused', 'title-too-long'), ('refused', 'brand-too-long'), ('refused', 'type-too-long'),
      ('refused', 'tag-too-long'), ('refused', 'sku-too-long'), ('refused', 'upc-too-long'),
      ('refused', 'option-too-long'), ('check', 'invalid-utf8'), ('check', 'nul'), ('check', 'too-few-cells'),
      ('check', 'too-many-cells'), ('check', 'upc-check-digit'), ('check', 'upc-digits-lost'),
      ('check', 'quantity-not-numeric'), ('check', 'quantity-negative'), ('check', 'price-zero')
    ) as meant(consequence, code) on code = issue
    group by import_id, run, class, consequence, block;

    insert into row_facets (import_id, run, class, issue, rows)
    select import_id, run, class, issue, sum(bit_count(rows)) from row_bitmaps
    where issue in ('refused', 'check')
    group by import_id, run, class, issue;

    insert into row_facets (import_id, run, class, issue, rows)
    select import_id, run, class, 'check', count(*)
    from (select distinct import_id, run, row from row_findings) duplicates join rows using (import_id, run, row)
    where issues & (8 + 16 + 256 + 512 + 16384 + 65536 + 67108864 + 134217728 + 268435456)::bigint = 0
    group by import_id, run, class
    on conflict (import_id, run, class, issue) do update set rows = row_facets.rows + excluded.rows;
  `.execute(db);
}
