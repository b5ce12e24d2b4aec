import type { findAnywhere } from '@draftshelf/contract/imports/find';
import type { ReplyOf } from '@draftshelf/contract/route';
import type { RowFacet } from '@draftshelf/core/connection/schema';
import { addToRunCounts } from '@draftshelf/core/review/row-facets';
import { toSearchText } from '@draftshelf/domain/base/search-text';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { numbersOf } from './mixed-product-file.ts';
import { insertStoredImport } from './stored-import.ts';

// The palette's search over many imports.
const { imports, rows } = givenNumbers({ imports: 200, rows: 100_000 });
const rowsPerChunk = 20_000;
/** Rows with texts of their own. */
const measuredRows = 1_000_000;
/** The oldest imports have texts of their own; the others are copies of all of these but the first. */
const composed = Math.min(imports, 1 + measuredRows / rows);
const asks = 40;

const words = 'Oak Chair Lamp Rug Vase Table Mirror Shelf Candle Basket Frame Pillow Stool Bench'.split(' ');
/** Of the rows of all composed imports, so that no number is in two of them. */
const valuesOf = (row: number) => {
  const { sku, upc } = numbersOf(row);
  const word = (step: number) => words[(row * step + (row >> 4)) % words.length] ?? '';
  const title = `${word(1)} ${word(3)} ${word(5)} ${word(11)} ${row}`;
  return { values: { title, sku, upc, vendor: `Acme ${row % 50}` }, gtin: `00${upc}` };
};

const stack = await startBenchStack(['api']);
try {
  const { database } = stack;
  console.log(await describeMachine(database));
  const ids: string[] = [];
  const columns = 'run, row, line, byte_from, product, class, enrichable, title, sku, gtin, search, cells';
  for (let nth = 0; nth < imports; nth += 1) {
    const record = await insertStoredImport(database, {
      ...{ name: `${nth}.csv`, headers: ['Title', 'Price'], rows, rowsPerChunk, enableUpc: false },
    });
    ids.push(record.id);
    const facets: RowFacet[] = [{ class: 'valid', issue: '', rows }];
    await addToRunCounts(database.db, { import_id: record.id, run: 1 }, { facets });
    if (nth >= composed) {
      await database.pool.query(
        `insert into rows (import_id, ${columns}) select $1, ${columns} from rows where import_id = $2 order by row`,
        [record.id, ids[1 + (nth % (composed - 1))]],
      );
      continue;
    }
    for (let from = 0; from < rows; from += rowsPerChunk) {
      const some = Array.from({ length: rowsPerChunk }, (_, at) => valuesOf(nth * rows + from + at + 1));
      await database.pool.query(
        `insert into rows (import_id, ${columns})
         select $1, 1, $2 + nth, $2 + nth, $2 + nth, $2 + nth, 'valid', false, title, sku, gtin, search, '[]'
         from unnest($3::text[], $4::text[], $5::text[], $6::text[]) with ordinality
           as one (title, sku, gtin, search, nth)`,
        [
          ...[record.id, from],
          ...[some.map(({ values }) => values.title), some.map(({ values }) => values.sku)],
          ...[some.map(({ gtin }) => gtin), some.map(({ values, gtin }) => toSearchText(values, gtin))],
        ],
      );
    }
  }
  const all = composed * rows;
  const scattered = (nth: number) => 1 + ((nth * 7_654_321) % all);
  const oldest = (nth: number) => 1 + ((nth * 97) % rows);
  await database.pool.query('analyze');
  const questions: [name: string, text: (nth: number) => string][] = [
    ['SKU', (nth) => numbersOf(scattered(nth)).sku],
    ['SKU of the oldest import', (nth) => numbersOf(oldest(nth)).sku],
    ['UPC', (nth) => numbersOf(scattered(nth)).upc],
    ['six digits of a UPC', (nth) => numbersOf(scattered(nth)).upc.slice(4, 10)],
    ['common word', (nth) => words[nth % words.length] ?? ''],
    ['word that is nowhere', () => 'kwyjibo'],
    ['three letters that are nowhere', () => 'qxz'],
  ];
  for (const [name, text] of questions) {
    const tookMs: number[] = [];
    let cut = 0;
    let found = 0;
    const before = stack.processor().postgres;
    for (let nth = 0; nth < asks; nth += 1) {
      const asked = performance.now();
      const url = `${stack.apiUrl}/api/find?q=${encodeURIComponent(text(nth))}`;
      const answer = await fetch(url, { headers: { cookie: stack.cookie } });
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
      const { products } = (await answer.json()) as ReplyOf<typeof findAnywhere>;
      tookMs.push(performance.now() - asked);
      cut += Number(products?.isCut);
      found += Number((products?.found.length ?? 0) > 0);
    }
    console.log(
      `${name.padEnd(32)} ${median(tookMs).toFixed(1)} ms, p95 ${percentile(tookMs, 95).toFixed(1)} ms; Postgres used ${((1000 * (stack.processor().postgres - before)) / asks).toFixed(0)} ms; of ${asks}, ${found} found it and ${cut} were cut`,
    );
  }
} finally {
  await stack.close();
}
