import { randomUUID } from 'node:crypto';
import type { CommandPage, RowHistory } from '@draftshelf/contract/review/edit-history';
import { browserHeader } from '@draftshelf/contract/wire';
import { productsPerBatch } from '@draftshelf/core/reading/validate-products';
import { editRows } from '@draftshelf/core/review/edits';
import { afterEach, expect } from 'vitest';
import { commandEnded } from '../../support/command-steps.ts';
import { csvOf, productCsv, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { read, processed } = importSteps(() => stack);
// Imports of earlier tests count as pushed, so that those of later ones are not compared with them.
afterEach(() => stack.database.pool.query('update imports set push_run = 1'));

const threeRows = csvOf([
  ['Title', 'Price', 'SKU'],
  ['Lamp', '10', 'L-1'],
  ['Vase', '20', 'V-1'],
  ['Bowl', '30', 'B-1'],
]);
/** A file of its own, so that no edits of an equal one are taken over. */
const fileOf = (title: string) => threeRows.replace('Lamp', title);

const [mine, other] = [randomUUID(), randomUUID()];
const from = (browser: string | undefined) =>
  browser === undefined ? {} : { headers: { [browserHeader]: browser } };

async function edit(id: string, row: number, values: Record<string, string | null>, browser?: string) {
  const answer = await stack.api.call('PATCH', `/api/queue/${id}/rows/${row}`, {
    body: { values },
    ...from(browser),
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { command: string; message: string };
}

async function undo(id: string, command: string, browser?: string) {
  const answer = await stack.api.call('POST', `/api/queue/${id}/edits/${command}/undo`, from(browser));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as { command: string; left: number; message: string };
}

async function commandsOf(id: string, query = '', options: object = from(mine)) {
  const answer = await stack.api.call('GET', `/api/queue/${id}/edits${query}`, options);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as CommandPage;
}

async function editsOf(id: string, row: number) {
  const answer = await stack.api.call('GET', `/api/queue/${id}/rows/${row}/history`, from(mine));
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as RowHistory;
}

it('lists commands with their authors and sentences, the newest first', async () => {
  const id = await processed(fileOf('Authors'));
  expect(await commandsOf(id)).toEqual({ commands: [], later: false });
  expect((await edit(id, 1, { price: '11' }, mine)).message).toBe('Price of row 1 changed to “11”.');
  await edit(id, 2, { price: '' }, other);
  await edit(id, 2, { price: null });
  await edit(id, 3, { title: 'x'.repeat(80) }, 'too short');
  await edit(id, 3, { title: 'a', price: '1', sku: 'c', cost: '1' }, mine);
  const { commands } = await commandsOf(id);
  expect(
    commands.map(({ sentence, author, rows, state, undo: undone }) => [
      sentence,
      author,
      rows,
      state,
      undone,
    ]),
  ).toEqual([
    ['Title, Price, SKU and more of row 3 changed', 'this-browser', 1, 'applied', null],
    [`Title of row 3 changed to “${'x'.repeat(60)}…”`, 'call', 1, 'applied', null],
    ['Price of row 2 set back to the value of the file', 'call', 1, 'applied', null],
    ['Price of row 2 emptied', 'another-browser', 1, 'applied', null],
    ['Price of row 1 changed to “11”', 'this-browser', 1, 'applied', null],
  ]);
  const ofMine = await commandsOf(id, '?author=this-browser');
  expect(ofMine.commands.map(({ id: command }) => command)).toEqual([commands[0]?.id, commands[4]?.id]);
  expect(await commandsOf(id, '?author=this-browser', {})).toEqual({ commands: [], later: false });
  await stack.database.pool.query('update edit_commands set author = null where import_id = $1', [id]);
  expect((await commandsOf(id)).commands[0]).toMatchObject({ author: 'unknown' });
});

it('says that a row is left out of the push, and put back', async () => {
  const id = await processed(fileOf('Left out'));
  for (const leaveOut of [true, false]) {
    const path = `/api/queue/${id}/rows/2`;
    expect(await stack.api.call('PATCH', path, { body: { leaveOut } })).toMatchObject({ status: 200 });
  }
  const ofRow = { target: { rows: [2] }, operations: [{ kind: 'leave-out', leaveOut: true }] };
  expect(await stack.api.call('POST', `/api/queue/${id}/edits`, { body: ofRow })).toMatchObject({
    status: 200,
  });
  expect((await commandsOf(id)).commands.map(({ sentence }) => sentence)).toEqual([
    'Row 2: Left out of the push',
    'Row 2 put back into the push',
    'Row 2 left out of the push',
  ]);
});

it('has one line for a command, its undo and its redo, in any order', async () => {
  const id = await processed(fileOf('Undone'));
  const first = await edit(id, 1, { price: '11', title: 'Light' }, mine);
  const second = await edit(id, 1, { price: '12' }, other);
  const undone = await undo(id, first.command, other);
  expect(undone).toMatchObject({
    left: 1,
    message: 'Change undone, except for 1 value that has been edited since.',
  });
  const after = await commandsOf(id);
  expect(after.commands).toMatchObject([
    { id: second.command, state: 'applied', undo: null },
    {
      id: first.command,
      state: 'undone',
      author: 'this-browser',
      undo: { id: undone.command, author: 'another-browser', left: 1 },
    },
  ]);
  expect(await undo(id, undone.command, mine)).toMatchObject({
    message: 'Change applied again, except for 1 value that has been edited since.',
  });
  expect((await commandsOf(id)).commands).toMatchObject([
    { id: second.command, state: 'applied', undo: null },
    { id: first.command, state: 'applied', undo: null },
  ]);
});

it.runIf(isLong)('has pages of 50 and the page before a command', async () => {
  const id = await processed(fileOf('Pages'));
  const made: string[] = [];
  for (let at = 0; at < 53; at++)
    made.unshift((await edit(id, (at % 3) + 1, { price: `${at + 1}` }, mine)).command);
  const page = await commandsOf(id);
  expect(page.later).toBe(true);
  expect(page.commands.map((one) => one.id)).toEqual(made.slice(0, 50));
  const older = await commandsOf(id, `?before=${made[49]}`);
  expect(older.later).toBe(false);
  expect(older.commands.map((one) => one.id)).toEqual(made.slice(50));
  expect(await commandsOf(id, `?before=${randomUUID()}`)).toEqual({ commands: [], later: false });
  const refused = await stack.api.call('GET', `/api/queue/${id}/edits?before=nothing`);
  expect(refused.status).toBe(400);
});

it('of a row is kept by a re-read with other row numbers, and has the fields of its product', async () => {
  const id = await processed(
    csvOf([
      ['Handle', 'Title', 'Price'],
      ['Head', 'Head', '1'],
      ['v', 'Vase', '10'],
      ['v', '', '20'],
    ]),
  );
  const title = await edit(id, 3, { title: 'Big vase', price: '21' }, mine);
  await undo(id, title.command, mine);
  const before = await editsOf(id, 3);
  expect(before).toMatchObject({
    earlier: false,
    edits: [
      { field: expect.any(String), after: null, kind: 'undo', author: 'this-browser' },
      { field: expect.any(String), after: null, kind: 'undo', author: 'this-browser' },
      { field: 'price', before: '20', after: '21', kind: 'single', command: title.command, source: null },
      { field: 'title', before: 'Vase', after: 'Big vase', kind: 'single' },
    ],
  });
  expect((await editsOf(id, 2)).edits.map(({ field }) => field)).toEqual(['title', 'title']);
  await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { headerRecord: 1 } });
  await until('read again', async () => (await read(id)).status !== 'processing');
  expect(await read(id)).toMatchObject({ rows_run: 2, total_rows: 2 });
  expect((await editsOf(id, 2)).edits.filter(({ field }) => field === 'price')).toEqual(
    before.edits.filter(({ field }) => field === 'price'),
  );
  expect((await commandsOf(id)).commands[0]?.sentence).toBe(
    'Title and Price of row 2 of an earlier reading changed',
  );
  expect((await stack.api.call('GET', `/api/queue/${id}/rows/3/history`)).status).toBe(404);
});

it('lists 200 edits of a row at most, and fewer if their values are long', async () => {
  const id = await processed(fileOf('Many'));
  const first = await edit(id, 1, { price: '1' }, mine);
  const fill = (count: number, value: string) =>
    stack.database.pool.query(
      `insert into edits (import_id, command, row, byte_from, field, before, after)
       select import_id, command, row, byte_from, 'title', null, $2 from edits, generate_series(1, $3)
       where import_id = $1 and field = 'price'`,
      [id, value, count],
    );
  await fill(199, 'short');
  expect(await editsOf(id, 1)).toMatchObject({ earlier: false, edits: { length: 200 } });
  await fill(1, 'short');
  const many = await editsOf(id, 1);
  expect(many).toMatchObject({ earlier: true, edits: { length: 200 } });
  expect(many.edits.some(({ command, field }) => command === first.command && field === 'price')).toBe(false);
  await fill(50, 'x'.repeat(100_000));
  expect(await editsOf(id, 1)).toMatchObject({ earlier: true, edits: { length: 20 } });
});

it.runIf(isLong)(
  'has the edits of an earlier upload as one command, which can be removed and restored',
  async () => {
    /** A part more than is edited at once. */
    const rows = productsPerBatch + 100;
    const csv = productCsv(rows);
    const earlier = await processed(csv);
    const numbers = Array.from({ length: rows }, (_, at) => at + 1);
    for (let at = 0; at < rows; at += productsPerBatch) {
      const changes = numbers
        .slice(at, at + productsPerBatch)
        .map((row) => ({ row, values: { price: 'ask' } }));
      const edited = await stack.database.db
        .transaction()
        .execute((trx) => editRows(trx, earlier, { kind: 'single' }, changes));
      expect(edited).toMatchObject({ ok: true });
    }
    const id = await processed(csv);
    expect(await read(id)).toMatchObject({ valid_products: 0 });
    const { commands } = await commandsOf(id, '?kind=copied');
    expect(commands).toMatchObject([
      { kind: 'copied', author: 'worker', rows, sentence: 'Edits of an earlier upload copied', undo: null },
    ]);
    const removed = await undo(id, commands[0]?.id ?? '', mine);
    expect(removed).toMatchObject({ inBackground: true });
    await commandEnded(stack, id);
    expect(await read(id)).toMatchObject({ valid_products: rows, status: 'processed' });
    expect((await commandsOf(id)).commands).toMatchObject([
      { kind: 'copied', state: 'undone', undo: { id: removed.command, author: 'this-browser', left: 0 } },
    ]);
    expect(await undo(id, removed.command, mine)).toMatchObject({ inBackground: true });
    await commandEnded(stack, id);
    expect(await read(id)).toMatchObject({ valid_products: 0, status: 'queued' });
  },
);

it('has no command of an earlier upload whose edits were all undone', async () => {
  const csv = fileOf('All undone');
  const earlier = await processed(csv);
  await undo(earlier, (await edit(earlier, 1, { price: '11' })).command);
  const kept = await edit(earlier, 2, { price: '21' });
  const again = await processed(csv);
  expect((await commandsOf(again)).commands).toMatchObject([{ kind: 'copied', rows: 1 }]);
  await undo(earlier, kept.command);
  await undo(again, (await commandsOf(again)).commands[0]?.id ?? '');
  expect(await commandsOf(await processed(csv))).toEqual({ commands: [], later: false });
});
