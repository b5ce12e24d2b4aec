import { parseArgs } from 'node:util';
import type { findAnywhere } from '@draftshelf/contract/imports/find';
import type { ReplyOf } from '@draftshelf/contract/route';
import { onPinnedConnection } from '@draftshelf/database/connection/database';
import { copyTexts } from '@draftshelf/database/review/search/copy-texts';
import { collectTexts } from '@draftshelf/database/review/search/row-texts';
import { searchText } from '@draftshelf/domain/base/search-text';
import { startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { numbersOf } from './mixed-product-file.ts';
import { insertStoredImport } from './stored-import.ts';

// What storing the search texts of rows costs, and the palette's search over many imports.
const { values: given } = parseArgs({
  options: { imports: { type: 'string', default: '200' }, rows: { type: 'string', default: '100000' } },
});
const imports = Number(given.imports);
const rows = Number(given.rows);
const rowsPerChunk = 20_000;
/** As many rows as the cost of storing is given for. */
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
  const walBytes = async () =>
    Number((await database.pool.query(`select pg_current_wal_lsn() - '0/0' as bytes`)).rows[0].bytes);
  const begun = { wal: await walBytes(), postgres: stack.processor().postgres };
  let ownMicros = 0;
  let stored = 0;
  const ids: string[] = [];
  await onPinnedConnection(database, async ({ db, client }) => {
    for (let nth = 0; nth < imports; nth += 1) {
      const record = await insertStoredImport(database, {
        ...{ name: `${nth}.csv`, headers: ['Title', 'Price'], rows, rowsPerChunk, enableUpc: false },
      });
      ids.push(record.id);
      await database.pool.query(`insert into row_facets values ($1, 1, 'valid', '', $2)`, [record.id, rows]);
      const copied = ids[1 + (nth % (composed - 1))];
      if (nth >= composed) {
        for (const columns of [
          'row_texts (import_id, run, row_from, row_to, text)',
          'row_text_signs (import_id, run, row_from, sign)',
        ]) {
          const own = columns.replace(/.*import_id, |\)/g, '');
          await database.pool.query(
            `insert into ${columns} select $1, ${own} from ${columns.split(' ')[0]} where import_id = $2 order by row_from`,
            [record.id, copied],
          );
        }
      }
      for (let from = nth < composed ? 0 : rows; from < rows; from += rowsPerChunk) {
        const some = Array.from({ length: rowsPerChunk }, (_, at) => valuesOf(nth * rows + from + at + 1));
        const before = process.cpuUsage();
        const texts = collectTexts();
        const chunk = some.map(({ values, gtin }, at) => ({
          row: from + at + 1,
          text: searchText(values, gtin),
        }));
        for (const _ of texts.passed(chunk));
        const run = { import_id: record.id, run: 1 };
        await db.transaction().execute(() => copyTexts(client, run, texts.blocks()));
        const { user, system } = process.cpuUsage(before);
        ownMicros += user + system;
        stored += rowsPerChunk;
        if (stored !== Math.min(measuredRows, composed * rows)) continue;
        const megabytes = async (table: string) => {
          const { rows: sizes } = await database.pool.query('select pg_total_relation_size($1) as bytes', [
            table,
          ]);
          return `${table} ${Math.round(Number(sizes[0].bytes) / 1e6)} MB`;
        };
        console.log(
          `${stored} rows: processor ${(ownMicros / 1e6).toFixed(2)} s here, ${(stack.processor().postgres - begun.postgres).toFixed(2)} s Postgres; log ${Math.round(((await walBytes()) - begun.wal) / 1e6)} MB; ${await megabytes('row_texts')}, ${await megabytes('row_text_signs')}`,
        );
      }
      await database.pool.query('update runs set texts_stored = true where import_id = $1', [record.id]);
    }
  });
  const all = composed * rows;
  const scattered = (nth: number) => 1 + ((nth * 7_654_321) % all);
  const oldest = (nth: number) => 1 + ((nth * 97) % rows);
  await insertShown([...Array(asks).keys()].flatMap((nth) => [scattered(nth), oldest(nth)]));
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

  /** The rows that answers show: some of all, and the first ones of each import. */
  async function insertShown(some: readonly number[]): Promise<void> {
    const first = ids.flatMap((_, nth) => Array.from({ length: 200 }, (_row, at) => nth * rows + at + 1));
    const shown = [...new Set([...some, ...first])];
    await database.pool.query(
      `insert into rows (import_id, run, row, line, byte_from, product, class, enrichable, title, cells)
       select id, 1, row, row, row, row, 'valid', false, 'Shown', '[]'
       from unnest($1::uuid[], $2::int[]) shown (id, row)`,
      [shown.map((row) => ids[Math.floor((row - 1) / rows)]), shown.map((row) => 1 + ((row - 1) % rows))],
    );
  }
} finally {
  await stack.close();
}
