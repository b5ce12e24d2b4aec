import { addProposals, type NewProposal } from '@draftshelf/database/enrich/proposals';
import { changeImport } from '@draftshelf/database/imports/imports';
import { lockRows } from '@draftshelf/database/rows/rows-lock';
import { aiSource, ruleSource } from '@draftshelf/domain/sources';
import { expect } from 'vitest';
import { csvOf } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, testOnWorkers, type WorkerStack } from '../../support/test.ts';

const it = testOnWorkers(readers);
let stack: WorkerStack;
const { processed } = importSteps(() => stack);
it.beforeAll(({ stack: shared }) => {
  stack = shared;
});

type Listed = { id: number; row: number; field: string; value: string; before: string | null };

/** Proposals for rows of an import, by row number. */
async function propose(id: string, proposals: readonly Omit<NewProposal, 'byteFrom'>[]): Promise<void> {
  const { rows } = await stack.database.pool.query<{ row: number; byte_from: number }>(
    'select rows.row, byte_from from rows join imports on imports.id = import_id and rows_run = run where import_id = $1',
    [id],
  );
  const byteFrom = new Map(rows.map((row) => [row.row, row.byte_from]));
  await stack.database.db.transaction().execute(async (trx) => {
    await lockRows(trx, id);
    await addProposals(
      trx,
      id,
      proposals.map((one) => ({ ...one, byteFrom: byteFrom.get(one.row) ?? -1 })),
    );
    await changeImport(trx, id, {});
  });
}

const list = async (id: string, query = '') =>
  (await stack.api.call('GET', `/api/queue/${id}/proposals${query}`)).body as { proposals: Listed[] };
const valuesOf = async (id: string) => (await list(id)).proposals.map(({ row, value }) => [row, value]);

const ofRule = (row: number, value: string, before: string | null = null) =>
  ({ row, field: 'type', value, before, source: ruleSource, reason: 'By a rule.', groupKey: value }) as const;
const ofAi = (row: number, value: string, before: string | null = null) =>
  ({ row, field: 'description', value, before, source: aiSource, reason: 'Rewritten.' }) as const;

/** Rows 'Vase 1' … with a price each. */
const vases = (rows: number) =>
  csvOf([
    ['Title', 'Price', 'UPC'],
    ...Array.from({ length: rows }, (_, at) => [`Vase ${at + 1}`, '9.90', '']),
  ]);

it('replaces the open proposal of a rule or of AI, and keeps what was decided', async () => {
  const id = await processed(vases(2));
  await propose(id, [ofRule(1, 'Vases'), ofRule(2, 'Vases'), ofAi(1, 'A vase.')]);
  await propose(id, [ofRule(1, 'Wall Art'), ofAi(1, 'A blue vase.')]);
  const open = [
    [2, 'Vases'],
    [1, 'Wall Art'],
    [1, 'A blue vase.'],
  ];
  expect(await valuesOf(id)).toEqual(open);
  const dismissed = (await list(id)).proposals.find(({ value }) => value === 'A blue vase.');
  const path = `/api/queue/${id}/proposals/${dismissed?.id}`;
  expect((await stack.api.call('POST', path, { body: { action: 'dismiss' } })).status).toBe(200);
  await propose(id, [ofAi(1, 'A blue vase.')]);
  expect(await valuesOf(id)).toEqual(open.slice(0, 2));
  // An edited code removes only what was found by the former one.
  const edit = { body: { values: { upc: '012345678905' } } };
  expect((await stack.api.call('PATCH', `/api/queue/${id}/rows/1`, edit)).status).toBe(200);
  expect(await valuesOf(id)).toEqual(open.slice(0, 2));
});

it('stores texts that no index entry can hold', async () => {
  const id = await processed(vases(1));
  const words = Array.from({ length: 3_000 }, (_, at) => `word${(at * 7_919) % 100_003}`).join(' ');
  await propose(id, [ofAi(1, words)]);
  expect((await list(id)).proposals.map(({ value }) => value.length)).toEqual([words.length]);
});
