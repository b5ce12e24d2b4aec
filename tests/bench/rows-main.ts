import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { RowPage } from '@draftshelf/contract/review/rows';
import { findImport } from '@draftshelf/core/imports/imports';
import { measureAdding } from './added-rows.ts';
import { type BenchStack, startBenchStack } from './bench-stack.ts';
import { describeMachine, median, percentile } from './figures.ts';
import { givenNumbers } from './given-numbers.ts';
import { waitUntil } from './import-waits.ts';
import { numbersOf, sought, writeMixedProductFile } from './mixed-product-file.ts';
import { measureLibrary, measureWaiting } from './scanner-library.ts';
import { measureBlocks, measureSorting } from './sorted-rows.ts';
import { uploadFile } from './upload-file.ts';

// Pages of a large import as the screen requests them, alternating with a bare select of as many rows by key.
const { rows, rounds } = givenNumbers({ rows: 1_000_000, rounds: 5 });

const pageRows = 25;
const pagesPerRound = 20;

/** `nth`: pages of a round differ where possible. */
type Question = { name: string; query: (nth: number) => Record<string, string | number>; empty?: true };

const at = (part: number) => (nth: number) => ({ after: Math.floor(rows * part) + nth * pageRows });
/** Far from each other, so that no page profits from what the previous one has loaded into memory. */
const numbersAt = (part: number) => (nth: number) =>
  numbersOf(1 + ((Math.floor(rows * part) + nth * 1237) % rows));
const upcAt = numbersAt(0.5);
const questions: Question[] = [
  { name: 'first page', query: at(0) },
  { name: 'in the middle', query: at(0.5) },
  { name: 'at nine tenths', query: at(0.9) },
  { name: 'last page', query: (nth) => ({ before: rows + 1 - nth * pageRows }) },
  { name: 'class valid, at nine tenths', query: (nth) => ({ class: 'valid', ...at(0.9)(nth) }) },
  { name: 'class warning, at nine tenths', query: (nth) => ({ class: 'warning', ...at(0.9)(nth) }) },
  { name: 'needs you, at nine tenths', query: (nth) => ({ class: 'needs-you', ...at(0.9)(nth) }) },
  { name: 'class error, at the start', query: (nth) => ({ class: 'error', ...at(0)(nth) }) },
  {
    name: 'issue price-missing, in the middle',
    query: (nth) => ({ issue: 'price-missing', ...at(0.5)(nth) }),
  },
  { name: 'any issue, at nine tenths', query: (nth) => ({ issue: 'any', ...at(0.9)(nth) }) },
  {
    name: 'class valid + issue upc-check-digit',
    query: (nth) => ({ class: 'valid', issue: 'upc-check-digit', ...at(0.5)(nth) }),
  },
  { name: 'common word, at the start', query: (nth) => ({ q: sought.common, ...at(0)(nth) }) },
  { name: 'common word, at nine tenths', query: (nth) => ({ q: sought.common, ...at(0.9)(nth) }) },
  { name: 'rare word', query: () => ({ q: sought.rare }) },
  { name: 'word of the last tenth only', query: () => ({ q: sought.late }) },
  { name: 'SKU', query: (nth) => ({ q: numbersAt(0.7)(nth).sku }) },
  { name: 'digits of a SKU', query: (nth) => ({ q: numbersAt(0.7)(nth).sku.slice(4) }) },
  { name: 'UPC', query: (nth) => ({ q: upcAt(nth).upc.slice(0, -1) }) },
  { name: 'six digits of a UPC', query: (nth) => ({ q: upcAt(nth).upc.slice(4, 10) }) },
  { name: 'word that is nowhere', query: () => ({ q: sought.nowhere }), empty: true },
  { name: 'three letters that are nowhere', query: () => ({ q: 'qxz' }), empty: true },
  { name: 'four letters that are nowhere', query: () => ({ q: 'qxzj' }), empty: true },
  {
    name: 'digits that are nowhere',
    query: (nth) => ({ q: `77${upcAt(nth).upc.slice(0, -1)}` }),
    empty: true,
  },
  {
    name: 'class warning + common word',
    query: (nth) => ({ class: 'warning', q: sought.common, ...at(0.5)(nth) }),
  },
  { name: 'class valid + rare word', query: () => ({ class: 'valid', q: sought.rare }) },
  { name: 'class warning + word of the last tenth', query: () => ({ class: 'warning', q: sought.late }) },
  {
    name: 'class error + SKU',
    query: (nth) => ({ class: 'error', q: numbersOf(1 + ((249 + nth * 5000) % rows)).sku }),
  },
  {
    name: 'issue price-missing + SKU',
    query: (nth) => ({ issue: 'price-missing', q: numbersOf(25 + nth * 500).sku }),
  },
  {
    name: 'any issue + UPC',
    query: (nth) => ({ issue: 'any', q: numbersOf(60 + nth * 1000).upc.slice(0, -1) }),
  },
];

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const stack = await startBenchStack(['api', 'parse-worker']);
try {
  await measureLibrary(stack);
  const id = await storeRows(stack);
  await measureSorting(stack, id, rows);
  await measureBlocks(stack, id);
  await measurePages(stack, id);
  await measureWaiting(stack, rows);
  await measureAdding(stack, id);
} finally {
  agent.destroy();
  await stack.close();
}

/** Uploads the file, and waits until its rows can be reviewed and searched. */
async function storeRows(stack: BenchStack): Promise<string> {
  const { database } = stack;
  const csv = join(stack.dir, 'products.csv');
  writeMixedProductFile(csv, rows);
  console.log(await describeMachine(database));
  console.log(
    `${rows} rows × 12 columns; ${rounds} rounds of ${pagesPerRound} pages of ${pageRows} rows, in turns\n`,
  );
  const id = await uploadFile(stack, csv);
  await waitUntil(async () => (await findImport(database.db, id))?.status === 'queued');
  const relations = ['rows', 'rows_pkey', 'rows_sku', 'rows_gtin'];
  const { rows: sizes } = await database.pool.query<{ name: string; bytes: number }>(
    'select name, pg_table_size(name::regclass) as bytes from unnest($1::text[]) name',
    [relations],
  );
  console.log(`${sizes.map(({ name, bytes }) => `${name} ${Math.round(bytes / 1e6)} MB`).join(', ')}\n`);
  return id;
}

async function measurePages(stack: BenchStack, id: string): Promise<void> {
  const tookMs = new Map<string, number[]>([
    ['bare', []],
    ...questions.map(({ name }) => [name, []] as [string, number[]]),
  ]);
  // The first round is a warm-up and not counted.
  for (let round = 0; round <= rounds; round += 1) {
    const take = async (name: string, ask: (nth: number) => Promise<number>) => {
      const ofRound: number[] = [];
      for (let nth = 0; nth < pagesPerRound; nth += 1) ofRound.push(await ask(nth + round * pagesPerRound));
      if (round > 0) tookMs.get(name)?.push(...ofRound);
    };
    await take('bare', (nth) => bareSelect(stack, id, Math.floor(rows * 0.9) + nth * pageRows));
    for (const question of questions) await take(question.name, (nth) => askPage(stack, id, question, nth));
  }
  const bare = median(tookMs.get('bare') ?? []);
  for (const [name, all] of tookMs) {
    const middle = median(all);
    console.log(
      `${name.padEnd(40)} ${middle.toFixed(2).padStart(7)} ms, ${(middle / bare).toFixed(1).padStart(5)} × the bare select; p95 ${percentile(all, 95).toFixed(1).padStart(6)} ms`,
    );
  }
}

async function bareSelect({ database }: BenchStack, id: string, from: number): Promise<number> {
  const begun = performance.now();
  const { rows: found } = await database.pool.query(
    'select * from rows where import_id = $1 and run = 1 and row between $2 and $3 order by row',
    [id, from + 1, from + pageRows],
  );
  const tookMs = performance.now() - begun;
  if (found.length === 0) throw new Error(`There are no rows after ${from}`);
  return tookMs;
}

async function askPage(
  { apiUrl, cookie }: BenchStack,
  id: string,
  question: Question,
  nth: number,
): Promise<number> {
  const query = { limit: String(pageRows), ...question.query(nth) };
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const begun = performance.now();
  const page = await new Promise<RowPage>((resolve, reject) => {
    get(`${apiUrl}/api/queue/${id}/rows?${search}`, { agent, headers: { cookie } }, (response) => {
      json(response).then((body) => {
        if (response.statusCode === 200) resolve(body as RowPage);
        else reject(new Error(`${search}: ${response.statusCode} ${JSON.stringify(body)}`));
      }, reject);
    }).on('error', reject);
  });
  const tookMs = performance.now() - begun;
  if ((page.rows.length === 0) !== (question.empty ?? false))
    throw new Error(`${search} found ${page.rows.length} rows`);
  return tookMs;
}
