import type { UploadReply } from '@draftshelf/contract/reading/upload';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { filterRows, findMatchingRows } from '@draftshelf/core/review/search/row-page';
import { currentRows } from '@draftshelf/core/work/runs';
import { pick, seededRandom } from '@draftshelf/csv/testing/random';
import { searchCharsMax, toSearchTerm } from '@draftshelf/domain/base/search-text';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';
import { valueDifferences } from '../../support/value-differences.ts';

const test = testOnWorkers(readers);
const { read, reach } = importSteps(() => stack);

const rows = 6_500;
const pieces = isLong ? 10_000 : 24;
const timeout = isLong ? 60 * 60_000 : undefined;

const below = seededRandom(7);
const syllables = "va|se|ro|Lamp|Zelt|KA|99|-4| |ü|灯|%_|'|\\|ß|\x1e".split('|');
const word = () => Array.from({ length: 1 + below(4) }, () => pick(below, syllables)).join('');

function csv(): string {
  const header = ['Handle', 'Title', 'Price', 'SKU', 'UPC', 'Brand', 'Item #'];
  const records = Array.from({ length: rows }, (_, at) => [
    `h${at}`,
    // Some are longer than what is searched of a value.
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
  }).filter((piece) => toSearchTerm(piece).length >= 3 && piece.length <= searchCharsMax);
}

/** All rows that a search finds, in parts. */
async function search(record: ImportRecord, q: string): Promise<number[]> {
  const found: number[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const limits = { after, limit: 1 + below(2_000), msMax: 60_000 };
    const part: Awaited<ReturnType<typeof findMatchingRows>> = await findMatchingRows(
      stack.database.db,
      record,
      { q },
      limits,
    );
    found.push(...part.rows);
    after = part.next;
  }
  return found;
}

/** Compares searches for random pieces with the texts of all rows. */
async function expectSame(record: ImportRecord, count: number): Promise<void> {
  const { db } = stack.database;
  expect(await valueDifferences(db, currentRows(record))).toEqual([]);
  const { rows: stored } = await stack.database.pool.query<{ search: string }>(
    'select search from rows where import_id = $1 and run = $2 order by row',
    [record.id, record.rows_run],
  );
  const texts = stored.map(({ search: text }) => text);
  for (const piece of randomPieces(texts, count)) {
    const form = toSearchTerm(piece);
    const held = texts.flatMap((text, at) => (text.includes(form) ? [at + 1] : []));
    expect([piece, await search(record, piece)]).toEqual([piece, held]);
    const some = Array.from({ length: 50 }, () => 1 + below(texts.length));
    const among = [...(await filterRows(db, record, { q: piece }, some))].sort((a, b) => a - b);
    expect(among).toEqual([...new Set(some)].filter((row) => held.includes(row)).sort((a, b) => a - b));
  }
}

const reviewed = (id: string) => reach(id, 'queued', 'processed');

test('random pieces are found like by reading all rows, when the import can be reviewed, after edits and re-reads', {
  timeout,
}, async () => {
  const { api } = stack;
  const { body } = await api.upload(csvForm(csv()));
  const { id } = body as UploadReply;
  const first = await reviewed(id);
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
  await expectSame(await read(id), pieces);

  expect((await api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ',' } })).status).toBe(200);
  const again = await rereadOf(id, first.rows_run);
  await expectSame(again, pieces);
  expect(await search(again, 'NEW-39')).toEqual(await search(again, 'new-39'));
});

async function rereadOf(id: string, before: number): Promise<ImportRecord> {
  await until('it was read again', async () => {
    const { rows_run, status } = await read(id);
    return rows_run > before && ['queued', 'processed'].includes(status);
  });
  return read(id);
}
