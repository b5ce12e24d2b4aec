import { savePreferences } from '@draftshelf/core/access/preferences';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { readRules, saveRules } from '@draftshelf/core/enrich/category-rules';
import { applyRules } from '@draftshelf/core/enrich/rules/apply-rules';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import { claimChunk } from '@draftshelf/core/work/claim-chunk';
import { currentRows } from '@draftshelf/core/work/runs';
import { enqueueTask } from '@draftshelf/core/work/tasks';
import type { CategoryRule } from '@draftshelf/domain/enrich/rules/category-rule';
import { openBenchDatabase } from './bench-database.ts';
import { median, timed } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { insertStoredImport } from './stored-import.ts';

// One product per row; 100 rules with two conditions match a tenth of them. The task gives them proposals, or fills
// their empty fields, in the parts in which a worker does it. The reference reads the same rows with their effective
// values in pages of as many rows, and does nothing with them.
const { rows, rounds } = givenNumbers({ rows: 600_000, rounds: 3 });
const rowsPerPart = 500;
const rowsPerChunk = 20_000;
const rulesCount = 100;
/** Of the words in the titles, one in ten is in a rule. */
const wordsCount = 1_000;
const megabyte = 1024 * 1024;

const { database, db, pool, close } = await openBenchDatabase();
try {
  const record = await fill();
  await saveBenchRules();
  const seconds = {
    read: [] as number[],
    proposed: [] as number[],
    again: [] as number[],
    filled: [] as number[],
  };
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    seconds.read.push(await timed(() => readAll(record)));
    await savePreferences(db, { rulesFillEmpty: false });
    seconds.proposed.push(await timed(() => applyAll(record, peaks)));
    await expectCount('proposals', rows / 10);
    seconds.again.push(await timed(() => applyAll(record, peaks)));
    await savePreferences(db, { rulesFillEmpty: true });
    seconds.filled.push(await timed(() => applyAll(record, peaks)));
    await expectCount('found_values', rows / 10);
    await pool.query('truncate found_values, proposals');
  }
  console.log(`${rows} rows, ${rulesCount} rules, medians of ${rounds}`);
  const shown = (label: string, figures: number[]) => {
    const ratio = median(figures) / median(seconds.read);
    console.log(`${label.padEnd(34)} ${(median(figures) / 1000).toFixed(1)} s (${ratio.toFixed(2)} ×)`);
  };
  shown('plain scan of the rows', seconds.read);
  shown(`rules, ${rows / 10} proposals`, seconds.proposed);
  shown('the same rules again', seconds.again);
  shown(`rules, ${rows / 10} fields filled`, seconds.filled);
  const tenth = Math.ceil(peaks.length / 10);
  const highest = (part: readonly number[]) => `${(Math.max(...part) / megabyte).toFixed(0)} MB`;
  console.log(`heap after a part: first tenth ${highest(peaks.slice(0, tenth))}, all ${highest(peaks)}`);
} finally {
  await close();
}

/** Rows as a parse worker would have stored them. */
async function fill(): Promise<ImportRecord> {
  const headers = ['Title', 'Price', 'SKU', 'Type'];
  const record = await insertStoredImport(database, {
    name: 'bench',
    headers,
    rows,
    rowsPerChunk,
    enableUpc: false,
  });
  await pool.query(
    `insert into rows (import_id, run, row, line, product, byte_from, class, enrichable, is_first, title, price,
       price_text, sku, cells)
     select $1, 1, row, row, row, row * 60, 'valid', false, true, title, '9.90', '9.90', 'S-' || row,
       json_build_array(title, '9.90', 'S-' || row, '')
     from (select row, 'Hand made word' || row % ${wordsCount} || 'ware of Oak, ' || row || ' x 40 cm' as title
       from generate_series(1, ${rows}) row) numbered order by row`,
    [record.id],
  );
  await pool.query('analyze');
  return record;
}

async function saveBenchRules(): Promise<void> {
  const rules = Array.from({ length: rulesCount }, (_, nth): CategoryRule => {
    const id = `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
    const word = { field: 'title', is: 'has word', value: `word${nth}ware` } as const;
    const price = { field: 'price', is: 'between', from: 5, to: 10 } as const;
    return {
      id,
      name: `Rule ${nth}`,
      enabled: true,
      if: { all: [word, price] },
      set: { type: `T${nth}` },
      only: 'if empty',
    };
  });
  const { version } = await readRules(db);
  await db.transaction().execute((trx) => saveRules(trx, rules, version));
}

async function readAll(record: ImportRecord): Promise<void> {
  for (let after = 0; after < rows; after += rowsPerPart) {
    await db
      .transaction()
      .execute((trx) => readRowPage(trx, currentRows(record), { after, limit: rowsPerPart }));
  }
}

async function applyAll(record: ImportRecord, peaks: number[]): Promise<void> {
  await enqueueTask(db, currentRows(record), 'apply-rules', rows);
  const pending = await db
    .selectFrom('chunks')
    .select(['id', 'publication'])
    .where('task', '=', 'apply-rules')
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  const chunk = await claimChunk(db, pending);
  if (!chunk) throw new Error('The task could not be claimed');
  while ((await applyRules(db, chunk, new AbortController().signal)) === 'more')
    peaks.push(process.memoryUsage().heapUsed);
}

async function expectCount(table: 'proposals' | 'found_values', expected: number): Promise<void> {
  const { rows: counted } = await pool.query(`select count(*)::int as count from ${table}`);
  if (counted[0]?.count !== expected) throw new Error(`${counted[0]?.count} ${table}, not ${expected}`);
}
