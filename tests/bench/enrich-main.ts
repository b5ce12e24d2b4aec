import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { lookUpProductsInRange } from '@draftshelf/core/enrich/lookups/look-up-range';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { currentRows } from '@draftshelf/core/work/runs';
import { openBenchDatabase } from './bench-database.ts';
import { median, timed } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { insertStoredImport } from './stored-import.ts';

// One product per row, each with a cached answer about its code: taking all of them as the enrich stage does, compared
// with one insert … select of as many values; and pages of rows with found values, compared with pages without.
const { rows, rounds } = givenNumbers({ rows: 250_000, rounds: 3 });
/** An answer has image, brand, description and category: four facts. */
const factsPerRow = 4;
const rowsPerChunk = 5_000;
const pages = 200;

const { database, db, pool, close } = await openBenchDatabase();
try {
  const [record, other] = [await fill('bench'), await fill('other')];
  await fillAnswers();
  const [taken, selected]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    selected.push(await timed(() => insertSelected(record)));
    await pool.query('truncate found_values');
    await pool.query('truncate product_lacks');
    taken.push(await timed(() => takeAll(record)));
    const { rows: counted } = await pool.query('select count(*)::int as found from found_values');
    if (counted[0]?.found !== rows * factsPerRow)
      throw new Error(`Only ${counted[0]?.found} values were accepted`);
    if (round < rounds - 1) await pool.query('truncate found_values');
  }
  // Autovacuum would do it within a minute.
  await pool.query('analyze found_values');
  const { plain, found } = await pageMs(other, record);
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)} ×`;
  console.log(`${rows} rows, ${rows * factsPerRow} facts, medians of ${rounds}`);
  console.log(`one insert … select    ${(median(selected) / 1000).toFixed(2)} s`);
  console.log(
    `taken in chunks        ${(median(taken) / 1000).toFixed(2)} s (${ratio(median(taken), median(selected))})`,
  );
  console.log(`page without values    ${plain.toFixed(2)} ms`);
  console.log(`page with found values ${found.toFixed(2)} ms (${ratio(found, plain)})`);
} finally {
  await close();
}

/** Rows and answers as a parse worker and sources would have stored them. */
async function fill(name: string): Promise<ImportRecord> {
  const headers = ['Title', 'Price', 'UPC'];
  const record = await insertStoredImport(database, { name, headers, rows, rowsPerChunk, enableUpc: true });
  const code = `lpad((n * 10 + (10 - (select sum(substr(lpad(n::text, 13, '0'), at, 1)::int * case when at % 2 = 1 then 3 else 1 end)
    from generate_series(1, 13) at) % 10) % 10)::text, 14, '0')`;
  await pool.query(`create table if not exists codes as select n - 4000000000 as row, ${code} as gtin
    from generate_series(4000000001::bigint, 4000000000 + ${rows}) n`);
  await pool.query(
    `insert into rows (import_id, run, row, line, product, byte_from, class, enrichable, is_first, title, price,
       price_text, gtin, upc, cells)
     select $1, 1, row, row, row, row * 40, 'valid', true, true, 'Blue Vase ' || row, '9.90', '9.90', gtin, gtin,
       json_build_array('Blue Vase ' || row, '9.90', gtin) from codes order by row`,
    [record.id],
  );
  return record;
}

async function fillAnswers(): Promise<void> {
  await pool.query(
    `insert into lookups (gtin, source, state, answered_at, expires_at, answer)
     select gtin, 'upcitemdb', 'hit', now(), now() + interval '180 days', json_build_object(
       'title', 'Acme Blue Vase ' || row, 'brand', 'Acme', 'description', 'A vase.', 'category', 'Vases',
       'images', json_build_array('https://pictures.example/' || gtin || '.jpg'), 'attribution', null,
       'picturesNeedCredit', false) from codes`,
  );
  await pool.query('analyze');
}

async function insertSelected(record: ImportRecord): Promise<void> {
  await pool.query('truncate found_values');
  await pool.query(
    `insert into found_values (import_id, run, row, field, value, source, gtin)
     select rows.import_id, 1, row, fact.field, fact.value, 'upcitemdb', rows.gtin
     from rows join lookups on lookups.gtin = rows.gtin and state = 'hit'
     cross join lateral (values ('image', answer->'images'->>0), ('vendor', answer->>'brand'),
       ('description', answer->>'description'), ('type', answer->>'category')) fact (field, value)
     where rows.import_id = $1`,
    [record.id],
  );
}

async function takeAll(record: ImportRecord): Promise<void> {
  for (let firstRow = 1; firstRow <= rows; firstRow += rowsPerChunk) {
    const range = { firstRow, rows: rowsPerChunk, counted: false };
    await db.transaction().execute((trx) => lookUpProductsInRange(trx, currentRows(record), range));
  }
}

/** The medians of pages all over two imports, alternating. */
async function pageMs(plain: ImportRecord, found: ImportRecord): Promise<{ plain: number; found: number }> {
  const times = { plain: [] as number[], found: [] as number[] };
  for (let nth = 0; nth < pages; nth += 1) {
    const page = { after: Math.floor((rows / pages) * nth), limit: 25 };
    times.plain.push(await timed(() => readRowPage(db, currentRows(plain), page)));
    times.found.push(await timed(() => readRowPage(db, currentRows(found), page)));
  }
  return { plain: median(times.plain), found: median(times.found) };
}
