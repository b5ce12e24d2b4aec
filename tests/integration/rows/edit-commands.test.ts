import type { OpenDatabase } from '@draftshelf/core/connection/database';
import { productsPerBatch } from '@draftshelf/core/reading/validate-products';
import { readDuplicates } from '@draftshelf/core/review/duplicates';
import { type EditResult, editRows } from '@draftshelf/core/review/edits';
import { readFacets } from '@draftshelf/core/review/row-facets';
import { currentRows } from '@draftshelf/core/work/runs';
import { afterEach, describe, expect, onTestFinished } from 'vitest';
import { openApiDatabases } from '../../../apps/api/src/http/databases.ts';
import { startApi } from '../../support/api.ts';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { read, processed, edit, rowsOf } = importSteps(() => stack);
// Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
afterEach(() => stack.database.pool.query('update imports set push_run = 1'));

const undo = (id: string, command: string) =>
  stack.api.call('POST', `/api/queue/${id}/edits/${command}/undo`);

/** The prices of an import's rows with their sources. */
const pricesOf = async (id: string) =>
  (await rowsOf(id)).map(({ values, sources, price }) => [values.price, sources.price ?? 'file', price]);

/** Counts and findings of rows, which must be the same after an undo. */
async function countedOf(id: string) {
  const record = await read(id);
  const of = currentRows(record);
  const facets = await readFacets(stack.database.db, of);
  const numbers = (await rowsOf(id)).map(({ row }) => row);
  const findings = await readDuplicates(stack.database.db, of, numbers);
  const { status, valid_products, warning_products, error_products } = record;
  return { facets, findings, status, valid_products, warning_products, error_products };
}

const threeRows = csvOf([
  ['Title', 'Price', 'SKU'],
  ['Lamp', '10', 'L-1'],
  ['Vase', '20', 'V-1'],
  ['Bowl', '30', 'B-1'],
]);

/** Counts what the connections of a database execute. */
function countStatements({ pool }: OpenDatabase, executed: string[]): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
      executed.push(typeof first === 'string' ? first : first.text);
      return query(first, ...rest);
    }) as typeof client.query;
  });
}

it('edits a cell with at most 30 statements', async () => {
  const id = await processed(
    csvOf([
      ['Handle', 'Title', 'Price', 'SKU', 'Barcode', 'Option1 Name', 'Option1 Value', 'Vendor'],
      ['lamp', 'Lamp', '10', 'L-1', '4006381333931', 'Size', 'S', 'Acme'],
      ['lamp', '', '12', 'L-2', '', '', 'M', ''],
      ['vase', 'Vase', '20', 'V-1', '', '', '', 'Acme'],
    ]),
  );
  const databases = openApiDatabases(stack.databaseUrl);
  const executed: string[] = [];
  countStatements(databases.changes, executed);
  const api = await startApi(stack, { set: databases });
  onTestFinished(async () => {
    await api.close();
    for (const database of Object.values(databases)) await database.close();
  });
  await api.login();
  const edits: Record<string, string>[] = [
    ...[{ price: '11' }, { title: 'Desk lamp' }, { price: '' }, { upc: '4006381333948' }, { sku: 'V-1' }],
  ];
  for (const values of edits) {
    executed.length = 0;
    const answer = await api.call('PATCH', `/api/queue/${id}/rows/1`, { body: { values } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    // The api looks for its background tasks meanwhile.
    const ofEdit = executed.filter(
      (text) => !/chunks\.subject is not null|update processes as dead/.test(text),
    );
    expect(ofEdit.length, ofEdit.join('\n')).toBeLessThanOrEqual(30);
  }
});

describe('the undo of a change', () => {
  it('restores the edit that was there before, or the value of the file', async () => {
    const id = await processed(threeRows);
    const before = await countedOf(id);
    const first = await edit(id, 1, { price: '11' });
    const second = await edit(id, 1, { price: 'ask', sku: 'V-1' });
    expect((await pricesOf(id))[0]).toEqual(['ask', 'edit', null]);

    const undone = await undo(id, second);
    expect(undone).toMatchObject({
      status: 200,
      body: { left: 0, rows: [{ row: 1, values: { price: '11', sku: 'L-1' }, sources: { price: 'edit' } }] },
    });
    expect((await pricesOf(id))[0]).toEqual(['11', 'edit', '11']);
    expect(await undo(id, first)).toMatchObject({ status: 200 });
    expect((await pricesOf(id))[0]).toEqual(['10', 'file', '10']);
    expect(await countedOf(id)).toEqual(before);
  });

  it('can itself be undone, which restores the change', async () => {
    const id = await processed(threeRows.replace('Lamp', 'Light'));
    const change = await edit(id, 2, { price: 'ask' });
    const after = await countedOf(id);
    const { body } = await undo(id, change);
    const redone = await undo(id, (body as { command: string }).command);
    expect(redone.status).toBe(200);
    expect(await pricesOf(id)).toEqual([
      ['10', 'file', '10'],
      ['ask', 'edit', null],
      ['30', 'file', '30'],
    ]);
    expect(await countedOf(id)).toEqual(after);
    expect(await undo(id, change)).toMatchObject({ status: 200 });
  });

  it('keeps values that were changed again since, and counts them', async () => {
    const id = await processed(threeRows.replace('Lamp', 'Torch'));
    const change = await edit(id, 3, { price: '31', title: 'Big bowl' });
    await edit(id, 3, { price: '32' });
    expect(await undo(id, change)).toMatchObject({
      status: 200,
      body: { left: 1, message: 'Change undone, except for 1 value that has been edited since.' },
    });
    expect((await pricesOf(id))[2]).toEqual(['32', 'edit', '32']);
    expect(await undo(id, change)).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } });
    const again = await edit(id, 3, { price: '33' });
    await edit(id, 3, { price: '34' });
    expect(await undo(id, again)).toMatchObject({ status: 409, body: { code: 'nothing_to_undo' } });
    expect((await pricesOf(id))[2]).toEqual(['34', 'edit', '34']);
  });

  it('restores the edited row, even if another row has become the first of its product', async () => {
    const rows = [
      ['v', 'Vase', '10'],
      ['v', 'Other vase', '20'],
    ];
    const id = await processed(csvOf([['Handle', 'Title', 'Price'], ...rows]));
    const { pool } = stack.database;
    const { rows: commands } = await pool.query(
      `with command as (
         insert into edit_commands (import_id, kind, rows) values ($1, 'single', 1) returning id
       )
       insert into edits (import_id, command, row, byte_from, field, after)
       select import_id, command.id, row, byte_from, 'title', 'Edited when it was the first' from rows, command
       where import_id = $1 and row = 2 returning command`,
      [id],
    );
    await edit(id, 1, { title: 'Edited since' });
    expect(await undo(id, commands[0].command)).toMatchObject({ status: 200, body: { left: 0 } });
    const titles = await rowsOf(id);
    expect(titles.map(({ values }) => values.title)).toEqual(['Edited since', 'Other vase']);
  });

  it('restores a value with the source that it was taken from', async () => {
    const id = await processed(threeRows.replace('Lamp', 'Beacon'));
    const first = await edit(id, 1, { description: 'Written by AI.' });
    const { pool } = stack.database;
    await pool.query(`update edits set source = 'ai' where command = $1`, [first]);
    const second = await edit(id, 1, { description: 'Written by hand.' });
    expect(await undo(id, second)).toMatchObject({ status: 200 });
    const undone = await undo(id, first);
    expect(await undo(id, (undone.body as { command: string }).command)).toMatchObject({ status: 200 });
    const { rows } = await pool.query('select after, source from edits where import_id = $1 order by id', [
      id,
    ]);
    expect(rows).toEqual([
      { after: 'Written by AI.', source: 'ai' },
      { after: 'Written by hand.', source: null },
      { after: 'Written by AI.', source: 'ai' },
      { after: null, source: null },
      { after: 'Written by AI.', source: 'ai' },
    ]);
  });

  it('of an unknown command is refused', async () => {
    const id = await processed(threeRows.replace('Lamp', 'Candle'));
    expect(await undo(id, '0a0a0a0a-0a0a-4a0a-8a0a-0a0a0a0a0a0a')).toMatchObject({ status: 404 });
    expect(await undo(id, 'nothing')).toMatchObject({ status: 404 });
  });

  it('finds its rows by offset after a re-read with other row numbers', async () => {
    const id = await processed(threeRows.replace('Lamp', 'Lantern'));
    const change = await edit(id, 2, { price: '21' });
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { headerRecord: 1 } });
    await until('read again', async () => (await read(id)).status !== 'processing');
    const record = await read(id);
    expect(record).toMatchObject({ rows_run: 2, total_rows: 2 });
    const { rows: held } = await stack.database.pool.query(
      'select rows.row from rows join edits using (import_id, byte_from) where import_id = $1 and run = 2',
      [id],
    );
    expect(held).toEqual([{ row: 1 }]);
    expect(await undo(id, change)).toMatchObject({ status: 200, body: { rows: [{ row: 1, sources: {} }] } });
  });
});

describe('changes of many rows', () => {
  const change = (id: string, rows: readonly number[]): Promise<EditResult> =>
    stack.database.db.transaction().execute((trx) =>
      editRows(
        trx,
        id,
        { kind: 'single' },
        rows.map((row) => ({ row, values: { price: row % 2 === 0 ? 'ask' : '7', sku: 'SAME' } })),
      ),
    );
  const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1);

  it('are one command with the same counts as single changes', async () => {
    const [together, singly] = [
      await processed(`${productCsv(60)}`),
      await processed(`${productCsv(60)}Other,1,O-1\r\n`),
    ];
    expect(await change(together, upTo(60))).toMatchObject({ ok: true });
    for (const row of upTo(60)) expect(await change(singly, [row])).toMatchObject({ ok: true });
    await edit(singly, 61, { price: '8', title: 'Alike' });
    const [a, b] = [await countedOf(together), await countedOf(singly)];
    expect(a.findings).toHaveLength(59);
    expect(a.findings).toEqual(b.findings);
    expect({ ...b, valid_products: b.valid_products - 1 }).toMatchObject({
      status: 'queued',
      valid_products: a.valid_products,
      warning_products: 30,
      error_products: 0,
    });
    const { rows: commands } = await stack.database.pool.query(
      'select kind, rows, state from edit_commands where import_id = $1',
      [together],
    );
    expect(commands).toEqual([{ kind: 'single', rows: 60, state: 'applied' }]);
  });

  it.runIf(isLong)('stay below the limit of one transaction, and all fail if one fails', async () => {
    const id = await processed(productCsv(productsPerBatch + 1));
    expect(await change(id, upTo(productsPerBatch + 1))).toEqual({ ok: false, reason: 'too many' });
    expect(await change(id, [1, productsPerBatch + 2])).toEqual({ ok: false, reason: 'no such row' });
    expect(await pricesOf(id).then((prices) => prices.slice(0, 2))).toEqual([
      ['1.50', 'file', '1.50'],
      ['2.50', 'file', '2.50'],
    ]);
    expect(await change(id, upTo(productsPerBatch))).toMatchObject({ ok: true });
    expect(await read(id)).toMatchObject({ warning_products: productsPerBatch / 2, status: 'queued' });
  });

  it.runIf(isLong)('of an equal file are one command of the new import, without a limit', async () => {
    const csv = productCsv(2 * productsPerBatch + 10);
    const id = await processed(csv);
    const all = upTo(2 * productsPerBatch + 10);
    for (let from = 0; from < all.length; from += productsPerBatch) {
      expect(await change(id, all.slice(from, from + productsPerBatch))).toMatchObject({ ok: true });
    }
    const expected = await countedOf(id);
    const again = await processed(csv);
    expect(await countedOf(again)).toEqual(expected);
    const third = await processed(csv);
    expect(await countedOf(third)).toEqual(expected);
    const { rows: commands } = await stack.database.pool.query(
      'select kind, rows from edit_commands where import_id = $1',
      [third],
    );
    expect(commands).toEqual([{ kind: 'copied', rows: all.length }]);
  });
});
