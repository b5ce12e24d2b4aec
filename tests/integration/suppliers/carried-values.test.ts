import type { SupplierList } from '@draftshelf/contract/imports/list';
import { carryNewerValues } from '@draftshelf/core/suppliers/carry-newer';
import { readNewestEditId } from '@draftshelf/core/suppliers/edits-to-keep';
import { keepNextEditsOfOthers } from '@draftshelf/core/suppliers/keep-values';
import { listOfferedRecipes } from '@draftshelf/core/suppliers/recipes';
import { expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const longIt = it.runIf(isLong);
const { reach, read, call, edit, undo, nextList, newSupplier, rowsOf } = importSteps(() => stack);

const list = (prices: Record<string, string>) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Object.entries(prices).map(([sku, price]) => [`Vase ${sku}`, price, sku]),
  ]);

const pricesOf = async (id: string) =>
  (await rowsOf(id)).map(({ values, leftOut }) => (leftOut ? 'out' : values.price));

type Listed = { id: number; row: number; value: string; before: string; reason: string; evidence: string };
const proposalsOf = async (id: string) =>
  (await call<{ proposals: Listed[] }>('GET', `/api/queue/${id}/proposals`)).proposals;

type Command = { id: string; kind: string; sentence: string; author: string };
const commandsOf = async (id: string) =>
  (await call<{ commands: Command[] }>('GET', `/api/queue/${id}/edits`)).commands;

it('carries an edit into the next list, and asks where the supplier says something else', async () => {
  const supplier = await newSupplier('Acme');
  const march = await nextList(supplier, list({ A: '12.00', B: '12.00', C: '12.00', D: '12' }));
  for (const row of [1, 2, 3]) await edit(march, row, { price: '14.40' });
  const april = await nextList(supplier, list({ A: '12.00', B: '13.00', C: '14.4', D: '12', E: '9' }));
  expect(await pricesOf(april)).toEqual(['14.40', '14.40', '14.4', '12', '9']);
  expect(await proposalsOf(april)).toMatchObject([
    {
      ...{ row: 2, before: '14.40', value: '13.00', evidence: 'was 12.00' },
      reason: 'Acme: 13.00 (was 12.00). Yours: 14.40.',
    },
  ]);
  const [carried] = await commandsOf(april);
  expect(carried).toMatchObject({
    ...{ kind: 'carried', author: 'worker' },
    sentence: '2 changes of products.csv carried over, 1 to decide',
  });
  const { body } = await stack.api.call('GET', `/api/queue/${april}/rows`);
  expect((body as { rows: object[] }).rows.slice(0, 3)).toMatchObject([
    { carried: { price: { subject: expect.any(String), filename: 'products.csv', theirs: '12.00' } } },
    { carried: { price: { filename: 'products.csv', theirs: '13.00' } } },
    { sources: {} },
  ]);
});

it('keeps what was said of items through other numbers, and when these are taken back', async () => {
  const supplier = await newSupplier('Renumbers');
  const numbered = (prefix: string, price: string) =>
    csvOf([
      ['Title', 'Price', 'SKU', 'Barcode'],
      ...['4006381333931', '4006381333948', '4006381333955'].map((gtin, at) => [
        ...[`Bowl ${at + 1}`, price, `${prefix}-${at + 1}`, gtin],
      ]),
    ]);
  const answer = async (id: string, counts: boolean) => {
    const { status } = await stack.api.call('PUT', `/api/queue/${id}/list`, { body: { counts } });
    expect(status).toBe(200);
    await until('the list has counted, or not', async () => {
      const { rows } = await stack.database.pool.query(
        'select state from supplier_lists where import_id = $1',
        [id],
      );
      return rows[0]?.state === (counts ? 'counted' : 'not counted');
    });
  };
  const march = await nextList(supplier, numbered('RA', '10.00'));
  await edit(march, 1, { price: '99.00' });
  expect(
    (await stack.api.call('PATCH', `/api/queue/${march}/rows/2`, { body: { leaveOut: true } })).status,
  ).toBe(200);
  await answer(march, true);
  const april = await nextList(supplier, numbered('X', '10.00'));
  expect(await pricesOf(april)).toEqual(['99.00', 'out', '10.00']);
  await answer(april, true);
  const may = await nextList(supplier, numbered('X', '11.00'));
  expect(await pricesOf(may)).toEqual(['99.00', 'out', '11.00']);
  expect(await proposalsOf(may)).toMatchObject([{ row: 1, before: '99.00', value: '11.00' }]);
  // What is said in a list of before is said of the same items.
  await edit(march, 3, { price: '77.00' });
  const june = await nextList(supplier, numbered('X', '12.00'));
  expect(await pricesOf(june)).toEqual(['99.00', 'out', '77.00']);
  // Without April, the last list has the old numbers again.
  await answer(april, false);
  const july = await nextList(supplier, numbered('RA', '13.00'));
  expect(await pricesOf(july)).toEqual(['99.00', 'out', '77.00']);
});

it('carries into an open list what is said in the one before after it was read', async () => {
  const supplier = await newSupplier('Late words');
  const march = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '10.00', D: '10.00' }));
  await edit(march, 1, { price: '15.00' });
  const april = await nextList(supplier, list({ A: '10.00', B: '11.00', C: '10.00', D: '12.00' }));
  await edit(april, 3, { price: '33.00' });
  for (const [row, price] of ['16.00', '17.00', '18.00'].entries()) await edit(march, row + 1, { price });
  await carryNewerValues(stack.database.db, april);
  // C was typed in April, too.
  expect(await pricesOf(april)).toEqual(['16.00', '17.00', '33.00', '12.00']);
  expect(await proposalsOf(april)).toMatchObject([{ row: 2, before: '17.00', value: '11.00' }]);
  const commands = await commandsOf(april);
  await carryNewerValues(stack.database.db, april);
  expect(await commandsOf(april)).toEqual(commands);
  // What is taken back there is taken back here, unless it was typed here.
  const [, ofRow2] = (await commandsOf(march)).filter(({ kind }) => kind === 'single');
  for (const row of [1, 3]) await edit(march, row, { price: '10.00' });
  await undo(march, ofRow2?.id ?? '');
  await carryNewerValues(stack.database.db, april);
  expect(await pricesOf(april)).toEqual(['10.00', '11.00', '33.00', '12.00']);
  for (const [row, price] of ['16.00', '17.00', '18.00'].entries()) await edit(march, row + 1, { price });
  await carryNewerValues(stack.database.db, april);
  expect(await pricesOf(april)).toEqual(['16.00', '17.00', '33.00', '12.00']);
  // The list before is left as it is.
  await carryNewerValues(stack.database.db, march);
  expect(await pricesOf(march)).toEqual(['16.00', '17.00', '18.00', '10.00']);
  const may = await nextList(supplier, list({ A: '10.00', B: '11.00', C: '10.00', D: '13.00' }));
  expect(await pricesOf(may)).toEqual(['16.00', '17.00', '18.00', '13.00']);
});

longIt('carries into an open list that was read again what was kept since it was read first', async () => {
  const supplier = await newSupplier('Read again');
  const march = await nextList(supplier, list({ A: '10.00', B: '10.00' }));
  await edit(march, 1, { price: '15.00' });
  const april = await nextList(supplier, list({ A: '10.00', B: '11.00' }));
  await edit(march, 1, { price: '16.00' });
  // The next list keeps it.
  await nextList(supplier, list({ A: '10.00', B: '12.00' }));
  await setSupplier(april, { again: true });
  await carryNewerValues(stack.database.db, april);
  expect(await pricesOf(april)).toEqual(['16.00', '11.00']);
});

longIt('carries a value that was the supplier’s own again, where a re-read says something else', async () => {
  const supplier = await newSupplier('Two prices');
  const prices = (price: string) =>
    csvOf([
      ['Title', 'Price', 'Trade price', 'SKU'],
      ['Bowl', price, '20.00', 'TP-1'],
    ]);
  const march = await nextList(supplier, prices('12.00'));
  await edit(march, 1, { price: '15.00' });
  const april = await nextList(supplier, prices('14.00'));
  expect(await pricesOf(april)).toEqual(['15.00']);
  await edit(march, 1, { price: '14.00' });
  await carryNewerValues(stack.database.db, april);
  expect(await pricesOf(april)).toEqual(['14.00']);
  const { rows_run } = await read(april);
  const mapped = await stack.api.call('PUT', `/api/queue/${april}/mapping`, {
    body: { Price: null, 'Trade price': 'price' },
  });
  expect(mapped.status, JSON.stringify(mapped.body)).toBe(200);
  await until('it is read again', async () => (await read(april)).rows_run > rows_run);
  await reach(april, 'queued', 'processed');
  expect(await pricesOf(april)).toEqual(['14.00']);
  expect(await proposalsOf(april)).toMatchObject([{ row: 1, before: '14.00', value: '20.00' }]);
});

it.runIf(isLong)('tells cleared values from those that were taken back, also in an open list', async () => {
  const supplier = await newSupplier('Cleared');
  const march = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '10.00' }));
  for (const row of [1, 2, 3]) await edit(march, row, { price: '15.00' });
  const april = await nextList(supplier, list({ A: '10.00', B: '11.00', C: '10.00' }));
  expect(await proposalsOf(april)).toMatchObject([{ row: 2, before: '15.00', value: '11.00' }]);
  // What is typed and undone in the open list leaves the cell to what is said elsewhere.
  await undo(april, await edit(april, 3, { price: '33.00' }));
  for (const [row, price] of [null, null, '16.00'].entries()) await edit(march, row + 1, { price });
  await carryNewerValues(stack.database.db, april);
  expect(await pricesOf(april)).toEqual(['10.00', '11.00', '16.00']);
  expect(await proposalsOf(april)).toEqual([]);
  await edit(march, 1, { price: '' });
  await carryNewerValues(stack.database.db, april);
  expect(await pricesOf(april)).toEqual([undefined, '11.00', '16.00']);
});

longIt('takes back by an undo only what was said in that list', async () => {
  const supplier = await newSupplier('Undone');
  const march = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '3' }));
  const ofMarch = await edit(march, 2, { price: '15.00' });
  const april = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '1' }));
  await edit(april, 1, { price: '16.00' });
  await nextList(supplier, list({ A: '10.00', B: '10.00', C: '2' }));
  await edit(april, 3, { price: '18.00' });
  const undone = [
    await edit(march, 1, { price: '17.00' }),
    ofMarch,
    await edit(march, 3, { price: '19.00' }),
  ];
  for (const command of undone) await undo(march, command);
  const may = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '3' }));
  expect(await pricesOf(may)).toEqual(['16.00', '10.00', '18.00']);
});

longIt('gives back by an undo what another list says, also if that was set before', async () => {
  const supplier = await newSupplier('Set before');
  const next = () => nextList(supplier, list({ A: '10.00', B: '10.00', C: String(Date.now()) }));
  const march = await next();
  const april = await next();
  for (const row of [1, 2]) await edit(april, row, { price: '16.00' });
  await next();
  const ofMarch = await edit(march, 1, { price: '17.00' });
  const may = await next();
  expect((await pricesOf(may)).slice(0, 2)).toEqual(['17.00', '16.00']);
  await undo(march, ofMarch);
  await carryNewerValues(stack.database.db, may);
  expect((await pricesOf(may)).slice(0, 2)).toEqual(['16.00', '16.00']);
  const june = await next();
  expect((await pricesOf(june)).slice(0, 2)).toEqual(['16.00', '16.00']);
  // Who undoes what was carried takes back all that was set up to then, and what is set later counts.
  const [carried] = await commandsOf(june);
  await undo(june, carried?.id ?? '');
  const july = await next();
  expect((await pricesOf(july)).slice(0, 2)).toEqual(['10.00', '10.00']);
  await edit(march, 2, { price: '18.00' });
  expect((await pricesOf(await next())).slice(0, 2)).toEqual(['10.00', '18.00']);
});

it.runIf(isLong)('keeps edits up to the newest one at the start, so that steady editing ends', async () => {
  const supplier = await newSupplier('Steady');
  const march = await nextList(supplier, list({ 'S-A': '10.00', 'S-B': '10.00' }));
  const april = await nextList(supplier, list({ 'S-A': '10.00', 'S-B': '10.00', 'S-C': '1' }));
  await edit(march, 1, { price: '15.00' });
  const { db } = stack.database;
  const keepTo = await readNewestEditId(db);
  await edit(march, 2, { price: '16.00' });
  const keepNext = (to: number) =>
    db.transaction().execute((trx) => keepNextEditsOfOthers(trx, { id: april, supplier }, to));
  expect([await keepNext(keepTo), await keepNext(keepTo)]).toEqual([true, false]);
  const kept = async () =>
    (
      await stack.database.pool.query('select value from carried_values where supplier = $1 order by value', [
        supplier,
      ])
    ).rows.map(({ value }) => value);
  expect(await kept()).toEqual(['15.00']);
  await keepNext(await readNewestEditId(db));
  expect(await kept()).toEqual(['15.00', '16.00']);
});

longIt('counts copied edits of the same file as of the time when they were set', async () => {
  const supplier = await newSupplier('Copies');
  const bytes = list({ 'C-A': '10.00', 'C-B': '10.00' });
  const march = await nextList(supplier, bytes);
  for (const row of [1, 2]) await edit(march, row, { price: '15.00' });
  const april = await nextList(supplier, list({ 'C-A': '10.00', 'C-B': '10.00', C: '1' }));
  await edit(april, 1, { price: '16.00' });
  const again = await nextList(supplier, bytes);
  expect(await pricesOf(again)).toEqual(['15.00', '15.00']);
  const may = await nextList(supplier, list({ 'C-A': '10.00', 'C-B': '10.00', C: '2' }));
  expect(await pricesOf(may)).toEqual(['16.00', '15.00', '2']);
});

longIt('leaves by an undo what another list has said since, also the same value', async () => {
  const supplier = await newSupplier('Said since');
  const march = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '0.15' }));
  await edit(march, 1, { price: '15.00' });
  const april = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '0.20' }));
  const overCarried = await edit(april, 1, { price: '16.00' });
  const ofMarch = await edit(march, 2, { price: '18.00' });
  await edit(april, 2, { price: '18.00' });
  const may = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '0.25' }));
  expect(await pricesOf(may)).toEqual(['16.00', '18.00', '0.25']);
  await edit(may, 1, { price: '17.00' });
  await nextList(supplier, list({ A: '10.00', B: '10.00', C: '0.35' }));
  await undo(april, overCarried);
  await undo(march, ofMarch);
  const july = await nextList(supplier, list({ A: '10.00', B: '10.00', C: '0.45' }));
  expect(await pricesOf(july)).toEqual(['17.00', '18.00', '0.45']);
});

it('undoes and redoes what was carried like any other command', async () => {
  const supplier = await newSupplier('Beta');
  const march = await nextList(supplier, list({ F: '12.00', G: '12.00' }));
  for (const row of [1, 2]) await edit(march, row, { price: '14.40' });
  const april = await nextList(supplier, list({ F: '12.00', G: '13.00' }));
  const [carried] = await commandsOf(april);
  const undone = await undo(april, carried?.id ?? '');
  expect(await pricesOf(april)).toEqual(['12.00', '13.00']);
  expect(await proposalsOf(april)).toEqual([]);
  await undo(april, undone);
  expect(await pricesOf(april)).toEqual(['14.40', '14.40']);
  expect(await proposalsOf(april)).toMatchObject([{ row: 2, value: '13.00' }]);
  await undo(april, carried?.id ?? '');
  const may = await nextList(supplier, list({ F: '12.00', G: '13.00', H: '1' }));
  expect(await pricesOf(may)).toEqual(['12.00', '13.00', '1']);
});

it('takes the supplier’s value over one that was set since only where that one is shown', async () => {
  const supplier = await newSupplier('Psi');
  const march = await nextList(supplier, list({ O: '12.00', P: '12.00' }));
  for (const row of [1, 2]) await edit(march, row, { price: '14.40' });
  const april = await nextList(supplier, list({ O: '13.00', P: '13.00' }));
  const proposals = await proposalsOf(april);
  const decide = (path: string, body: object) =>
    stack.api.call('POST', `/api/queue/${april}/proposals/${path}`, { body });
  const ids = proposals.map(({ id }) => id);
  const { body: dismissed } = await decide('decide', { action: 'dismiss', ids });
  await edit(april, 2, { price: '15.00' });
  await undo(april, (dismissed as { command: string }).command);

  const [first, second] = await proposalsOf(april);
  expect(first).toMatchObject({ row: 1, before: '14.40', value: '13.00', changed: false });
  expect(second).toMatchObject({
    ...{ row: 2, before: '15.00', value: '13.00', changed: true },
    reason: 'Psi: 13.00 (was 12.00). Yours: 15.00.',
  });
  const { body: several } = await decide('decide', { action: 'take', ids });
  expect(several).toMatchObject({ decided: 1, left: [{ id: second?.id, reason: 'changed' }] });
  expect(await pricesOf(april)).toEqual(['13.00', '15.00']);
  const hidden = await decide(`${second?.id}`, { action: 'take', shown: '14.40' });
  expect(hidden).toMatchObject({ status: 409, body: { current: { price: '15.00' } } });
  const { body: taken } = await decide(`${second?.id}`, { action: 'take', shown: '15.00' });
  expect(await pricesOf(april)).toEqual(['13.00', '13.00']);
  await undo(april, (taken as { command: string }).command);
  expect(await pricesOf(april)).toEqual(['13.00', '15.00']);
  expect(await proposalsOf(april)).toMatchObject([{ id: second?.id, before: '15.00', changed: true }]);
});

const offered = async (id: string) => listOfferedRecipes(stack.database.db, await read(id));

it.runIf(isLong)(
  'keeps with a list what was done to all of it, also if the file is uploaded again',
  async () => {
    const supplier = await newSupplier('Chi');
    const file = list({ T: '12.00', U: '12.00' });
    const march = await nextList(supplier, file);
    const operations = [{ kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' }];
    await stack.api.call('POST', `/api/queue/${march}/edits`, { body: { operations, target: {} } });
    const edited = await edit(march, 1, { price: '20.00' });
    await undo(march, await undo(march, edited));
    const again = await nextList(supplier, file);
    const third = await nextList(supplier, file);
    expect(await pricesOf(third)).toEqual(['20.00', '14.40']);
    for (const id of [again, third]) expect(await offered(id)).toEqual([]);
    // What is undone on top of it leaves what was kept before.
    await undo(third, await edit(third, 1, { price: '21.00' }));
    await undo(third, await edit(third, 2, { price: '22.00' }));
    const april = await nextList(supplier, list({ T: '12.00', U: '12.00', V: '1' }));
    expect(await pricesOf(april)).toEqual(['20.00', '12.00', '1']);
    expect(await offered(april)).toMatchObject([{ operations, rows_last: 2 }]);
  },
);

it.runIf(isLong)('takes back what was carried from the lists of another supplier', async () => {
  const [acme, beta] = [await newSupplier('Delta'), await newSupplier('Epsilon')];
  const prices = { K: '12.00', L: '12.00' };
  await edit(await nextList(acme, list(prices)), 1, { price: '14.40' });
  const own = await nextList(beta, list({ ...prices, M: '1' }));
  for (const row of [1, 2]) await edit(own, row, { price: '20.00' });
  const april = await nextList(acme, list({ ...prices, K: '13.00', N: '2' }));
  await edit(april, 3, { price: '3.00' });
  // A carried value that an undo has restored is the other supplier's, too.
  await undo(april, await edit(april, 1, { price: '15.00' }));
  expect(await pricesOf(april)).toEqual(['14.40', '12.00', '3.00']);
  const answer = await stack.api.call('PUT', `/api/queue/${april}/supplier`, { body: { supplier: beta } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await reach(april, 'queued', 'processed');
  expect((await read(april)).supplier).toBe(beta);
  // A cell that ever had an edit in this list gets no value of another one.
  expect(await pricesOf(april)).toEqual(['13.00', '20.00', '3.00']);
});

const shownList = async (id: string) =>
  ((await stack.api.call('GET', `/api/queue/${id}`)).body as { job: { list: SupplierList } }).job.list;

async function setSupplier(id: string, body: { supplier: number } | { again: true }): Promise<void> {
  const { rows_run } = await read(id);
  const answer = await stack.api.call('PUT', `/api/queue/${id}/supplier`, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await until('it is read again', async () => (await read(id)).rows_run > rows_run);
  await reach(id, 'queued', 'processed');
}

it.runIf(isLong)(
  'says how much was carried by all readings of a list, and undoes it as a whole',
  async () => {
    const [acme, other] = [await newSupplier('Zeta'), await newSupplier('Eta')];
    const march = await nextList(acme, list({ O: '12.00', P: '12.00', Q: '1' }));
    await edit(march, 1, { price: '14.40' });
    const april = await nextList(acme, list({ O: '12.00', P: '12.00', Q: '2' }));
    expect((await shownList(april)).carried).toMatchObject({ edits: 1, rows: 1, isUndone: false });
    await edit(march, 2, { price: '15.00' });
    await setSupplier(april, { again: true });
    const { carried } = await shownList(april);
    expect(carried).toMatchObject({ commands: [expect.any(String), expect.any(String)], edits: 2, rows: 2 });
    for (const command of carried?.commands ?? []) await undo(april, command);
    expect((await shownList(april)).carried).toEqual({ ...carried, isUndone: true, toDecide: 0 });
    // What was carried from the lists of its former supplier is not in effect.
    await setSupplier(april, { supplier: other });
    expect((await shownList(april)).carried).toBeNull();
  },
);

longIt('carries values again into a list that comes back to its supplier', async () => {
  const [acme, other] = [await newSupplier('There'), await newSupplier('And back')];
  const march = await nextList(acme, list({ A: '12.00', B: '12.00', C: '12.00' }));
  for (const row of [1, 2, 3]) await edit(march, row, { price: '14.40' });
  const april = await nextList(acme, list({ A: '12.00', B: '13.00', C: '12.00' }));
  await edit(april, 3, { price: '20.00' });
  await setSupplier(april, { supplier: other });
  expect(await pricesOf(april)).toEqual(['12.00', '13.00', '20.00']);
  await setSupplier(april, { supplier: acme });
  expect(await pricesOf(april)).toEqual(['14.40', '14.40', '20.00']);
  expect(await proposalsOf(april)).toMatchObject([{ row: 2, before: '14.40', value: '13.00' }]);
  // What the operator undoes himself stays undone.
  const carried = (await commandsOf(april)).find(({ kind }) => kind === 'carried');
  await undo(april, carried?.id ?? '');
  await setSupplier(april, { again: true });
  expect(await pricesOf(april)).toEqual(['12.00', '13.00', '20.00']);
});

longIt('does not set a value again that has ended, when a later list goes to another supplier', async () => {
  const [acme, beta] = [await newSupplier('Theta'), await newSupplier('Iota')];
  const march = await nextList(acme, list({ R: '12.00', S: '1' }));
  await edit(march, 1, { price: '14.40' });
  const april = await nextList(acme, list({ R: '14.40', S: '1' }));
  const counts = { body: { counts: true } };
  expect((await stack.api.call('PUT', `/api/queue/${april}/list`, counts)).status).toBe(200);
  await until('it counts', async () => (await shownList(april)).state === 'counted');
  const may = await nextList(acme, list({ R: '14.40', S: '2' }));
  await setSupplier(may, { supplier: beta });
  const june = await nextList(acme, list({ R: '12.00', S: '3' }));
  expect(await pricesOf(june)).toEqual(['12.00', '3']);
});
