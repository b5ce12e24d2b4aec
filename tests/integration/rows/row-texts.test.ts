import type { UploadReply } from '@draftshelf/contract/reading/upload';
import { pick, seededRandom } from '@draftshelf/csv/testing/random';
import type { ImportRecord } from '@draftshelf/database/connection/schema';
import { findImport } from '@draftshelf/database/imports/imports';
import { rowsThatMayHold, searchSource } from '@draftshelf/database/review/search/row-search';
import { currentRows } from '@draftshelf/database/work/runs';
import { searchCharsMax, wantedForm } from '@draftshelf/domain/base/search-text';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, testOnWorkers, type WorkerStack } from '../../support/test.ts';
import { textDifferences, textsOfRows } from '../../support/text-differences.ts';

const test = testOnWorkers(readers);
let stack: WorkerStack;
test.beforeAll(({ stack: shared }) => {
  stack = shared;
});

/** More rows than a search reads before the signatures. */
const rows = 6_500;
const pieces = isLong ? 10_000 : 60;
const timeout = isLong ? 60 * 60_000 : undefined;

const below = seededRandom(7);
const syllables = "va|se|ro|Lamp|Zelt|KA|99|-4| |ü|灯|%_|'|\\|ß|\x1e".split('|');
const word = () => Array.from({ length: 1 + below(4) }, () => pick(below, syllables)).join('');

function csv(): string {
  const header = ['Handle', 'Title', 'Price', 'SKU', 'UPC', 'Brand', 'Item #'];
  const records = Array.from({ length: rows }, (_, at) => [
    `h${at}`,
    // Some fill a block by themselves, and some of these more than a page.
    below(400) === 0 ? `${word()} `.repeat(300) : `${word()} ${word()} ${word()}`,
    '5',
    `SKU-${100_000 + at * 7}`,
    below(2) === 0 ? '036000291452' : '',
    below(3) === 0 ? word() : '',
    below(3) === 0 ? `${below(1_000_000)}` : '',
  ]);
  return csvOf([header, ...records]);
}

/** Random parts of the texts, and others. */
function randomPieces(texts: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => {
    const text = texts[below(texts.length)] ?? '';
    const from = below(text.length);
    const piece = text.slice(from, from + 3 + below(28));
    return pick(below, [piece, piece, `${piece.slice(0, -1)}${below(10)}`, `${word()}${word()}`]);
  }).filter((piece) => wantedForm(piece).length >= 3 && piece.length <= searchCharsMax);
}

/** All rows that a search finds, in both directions. */
async function search(record: ImportRecord, piece: string): Promise<number[][]> {
  const of = { ...currentRows(record), total_rows: record.total_rows };
  const directions = [
    { from: 0, back: false },
    { from: 2 ** 31 - 1, back: true },
  ];
  return Promise.all(
    directions.map(async (cursor) => {
      const source = await searchSource(stack.database.db, of, piece);
      const found: number[] = [];
      for (let { from } = cursor; ; ) {
        const step = await source.scan({ ...cursor, from }, 1 + below(2_000));
        found.push(...step.rows);
        if (step.ended) return cursor.back ? found.reverse() : found;
        from = step.scannedTo;
      }
    }),
  );
}

/** Compares searches for random pieces with a scan of all rows. */
async function expectSame(record: ImportRecord, count: number): Promise<void> {
  const of = currentRows(record);
  expect(await textDifferences(stack.database.db, of)).toEqual([]);
  const texts = await textsOfRows(stack.database.db, of);
  for (const piece of randomPieces(texts, count)) {
    const form = wantedForm(piece);
    const held = texts.flatMap((text, at) => (text.includes(form) ? [at + 1] : []));
    expect([piece, ...(await search(record, piece))]).toEqual([piece, held, held]);
    const source = await searchSource(stack.database.db, { ...of, total_rows: record.total_rows }, piece);
    const some = Array.from({ length: 50 }, () => 1 + below(texts.length));
    const among = [...(await source.intersect(some))].sort((a, b) => a - b);
    expect(among).toEqual([...new Set(some)].filter((row) => held.includes(row)).sort((a, b) => a - b));
  }
}

const recordOf = async (id: string): Promise<ImportRecord> => {
  const record = await findImport(stack.database.db, id);
  if (!record) throw new Error('The import is gone');
  return record;
};

async function reviewed(id: string): Promise<ImportRecord> {
  await until('it can be reviewed', async () =>
    ['queued', 'processed'].includes((await recordOf(id)).status),
  );
  return recordOf(id);
}

test('random pieces are found like by reading all rows, when the import can be reviewed, after edits and re-reads', {
  timeout,
}, async () => {
  const { api, database } = stack;
  const { body } = await api.upload(csvForm(csv()));
  const { id } = body as UploadReply;
  const first = await reviewed(id);
  const { rows: runs } = await database.pool.query('select texts_stored from runs where import_id = $1', [
    id,
  ]);
  expect(runs).toContainEqual({ texts_stored: true });
  await expectSame(first, pieces);

  for (let edit = 0; edit < 40; edit += 1) {
    const values = {
      title: `${word()} ${word()}`.repeat(1 + below(60)),
      sku: `NEW-${edit}`,
      upc: '012345678905',
    };
    const edited = await api.call('PATCH', `/api/queue/${id}/rows/${1 + below(rows)}`, { body: { values } });
    expect(edited.status).toBe(200);
  }
  await expectSame(await recordOf(id), pieces);
  const held = await rowsThatMayHold(database.db, currentRows(first), [
    'NEW-0',
    'SKU-100007',
    '00012345678905',
  ]);
  expect(held?.length).toBeGreaterThanOrEqual(41);

  expect((await api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ',' } })).status).toBe(200);
  const again = await rereadOf(id, first.rows_run);
  await expectSame(again, pieces);
  expect(await search(again, 'NEW-39')).toEqual(await search(again, 'new-39'));
  await until('the first rows are removed', async () => {
    const { rows: left } = await database.pool.query(
      `select from row_texts where import_id = $1 and run = $2
       union all select from row_text_signs where import_id = $1 and run = $2`,
      [id, first.rows_run],
    );
    return left.length === 0;
  });
});

async function rereadOf(id: string, before: number): Promise<ImportRecord> {
  await until('it was read again', async () => {
    const { rows_run, status } = await recordOf(id);
    return rows_run > before && ['queued', 'processed'].includes(status);
  });
  return recordOf(id);
}
