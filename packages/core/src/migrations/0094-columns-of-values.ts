import { type Kysely, sql } from 'kysely';

/**
 * Each field of a row has a column for its effective value, and fields that are sorted as numbers one for their sizes,
 * in place of two arrays. `fillRows` fills them after the migration. SKUs are indexed as they are: they are mostly in
 * order, so COPY writes the index in about half the time that one of hashes takes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const sizes = ['price', 'compare_at_price', 'cost', 'quantity', 'weight'].map((field) => `${field}_size`);
  const texts = [
    ...[
      'price_text',
      'compare_at_pieces',
      'upc',
      'description',
      'quantity',
      'type',
      'compare_at_price',
      'cost',
    ],
    ...['tags', 'collections', 'status', 'item_number', 'tcin', 'origin', 'point_of_sale', 'track_quantity'],
    ...['continue_selling', 'currency', 'weight', 'weight_unit', 'handle', 'parent_sku', 'option1_name'],
    ...['option1_value', 'option2_name', 'option2_value', 'option3_name', 'option3_value', 'more_images'],
    'dimensions',
  ];
  const added = [...sizes.map((name) => `${name} float8`), ...texts.map((name) => `${name} text`)];
  await sql`
    alter table rows drop column others, drop column sizes, ${sql.raw(added.map((one) => `add column ${one}`).join(', '))};
    drop index rows_sku;
    create index rows_sku on rows (import_id, run, (left(sku, 64) collate "C"), product, row) where sku is not null;
    update runs set lacks_values = true where stage = 'parse'`.execute(db);
}
