import type { JobWithRows } from '@draftshelf/contract/imports/imports';
import type { Recipe, RecipePreview } from '@draftshelf/contract/review/recipes';
import { carryNewerValues } from '@draftshelf/core/suppliers/carry-newer';
import { describe, expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const longIt = it.runIf(isLong);
const steps = importSteps(() => stack);
const { read, rested, rowsOf, call, newSupplier } = steps;

type Row = { sku: string; price: string; brand?: string; cost?: string };

const list = (rows: Row[], cost = 'Cost') =>
  csvOf([
    ['Title', 'Price', 'SKU', 'Brand', cost],
    ...rows.map((row) => [`Vase ${row.sku}`, row.price, row.sku, row.brand ?? '', row.cost ?? '']),
  ]);

async function nextList(supplier: number, csv: string): Promise<string> {
  const id = await steps.nextList(supplier, csv);
  await rested(id);
  return id;
}

const valuesOf = async (id: string, field: 'price' | 'vendor' | 'title' | 'cost') =>
  (await rowsOf(id)).map(({ values }) => values[field] ?? '');

const edit = (id: string, row: number, values: object) =>
  call('PATCH', `/api/queue/${id}/rows/${row}`, { values });
const command = async (id: string, operations: object[], target: object) =>
  (await call<{ command: string }>('POST', `/api/queue/${id}/edits`, { operations, target })).command;
const undo = async (id: string, of: string) => {
  const { command: undone } = await call<{ command: string }>('POST', `/api/queue/${id}/edits/${of}/undo`);
  await rested(id);
  return undone;
};
const offered = async (id: string) =>
  (await call<{ recipes: Recipe[] }>('GET', `/api/queue/${id}/recipes`)).recipes;
const preview = (id: string, recipe: Recipe | undefined, uses?: object) =>
  call<RecipePreview>('POST', `/api/queue/${id}/recipes/${recipe?.id}/preview`, uses ? { uses } : {});
async function repeat(id: string, recipes: readonly (Recipe | undefined)[], uses?: object): Promise<string> {
  const chosen = recipes.map((recipe) => ({ id: recipe?.id, ...(uses && { uses }) }));
  const begun = await call<{ command: string }>('POST', `/api/queue/${id}/recipes`, { do: chosen });
  await rested(id);
  return begun.command;
}
const jobOf = async (id: string) => (await call<{ job: JobWithRows }>('GET', `/api/queue/${id}?rows=0`)).job;

/** Whether the queue, the dashboard and the batch push say that an import asks about recipes. */
async function asksInLists(id: string): Promise<(boolean | undefined)[]> {
  type Listed = { id: string; asksRecipes: boolean; isAsking: boolean };
  const listed = async (path: string) => (await call<Listed[]>('GET', path)).find((one) => one.id === id);
  const [queued, current] = [await listed('/api/queue'), await listed('/api/dashboard/current')];
  return [queued?.asksRecipes, current?.isAsking, (await listed('/api/jobs/completed'))?.asksRecipes];
}

const raise = { kind: 'calculate', field: 'price', by: 'multiply', amount: '1.2' };
const add = { kind: 'calculate', field: 'price', by: 'add', amount: '5' };
const tick = { kind: 'prefix', field: 'title', text: 'New ' };
const rename = { kind: 'set', field: 'vendor', value: 'Nike' };
const nike = { value: 'vendor:NIKE' };

describe('recipes of a list', () => {
  it('are done over what was typed before the change of a list, and not over what was typed after it', async () => {
    const supplier = await newSupplier('By hand');
    const of = (last: string) =>
      list([
        { sku: 'A', price: '100' },
        { sku: 'B', price: '100' },
        { sku: 'C', price: last },
      ]);
    const pricesOf = async (id: string) => (await valuesOf(id, 'price')).map(Number);
    const march = await nextList(supplier, of('100'));
    await edit(march, 1, { price: '150' });
    await command(march, [raise], {});
    await rested(march);
    await edit(march, 2, { price: '170' });
    expect(await pricesOf(march)).toEqual([180, 170, 120]);
    // Until it is answered, the price is as the hand left it.
    const april = await nextList(supplier, of('110'));
    expect(await pricesOf(april)).toEqual([150, 170, 110]);
    expect((await asksInLists(april))[0]).toBe(true);
    const [offer] = await offered(april);
    expect(await preview(april, offer)).toMatchObject({ rows: 2, reason: null });
    const repeated = await repeat(april, [offer]);
    expect(await pricesOf(april)).toEqual([180, 170, 132]);
    const may = await nextList(supplier, of('120'));
    await repeat(may, await offered(may));
    expect(await pricesOf(may)).toEqual([180, 170, 144]);
    await undo(april, repeated);
    expect(await pricesOf(april)).toEqual([150, 170, 110]);
    await edit(may, 1, { price: '155' });
    const june = await nextList(supplier, of('130'));
    await repeat(june, await offered(june));
    expect(await pricesOf(june)).toEqual([155, 170, 156]);
    // What is said elsewhere by now holds over the repeated change, too.
    await edit(march, 3, { price: '90' });
    await carryNewerValues(stack.database.db, june);
    expect(await pricesOf(june)).toEqual([155, 170, 90]);
  });

  longIt('leave a value that was typed in this list also if it equals a carried one', async () => {
    const supplier = await newSupplier('Typed again');
    const of = (price: string) => list(['TA', 'TB', 'TC'].map((sku) => ({ sku, price })));
    const march = await nextList(supplier, of('100'));
    for (const row of [1, 2]) await edit(march, row, { price: '150' });
    await command(march, [raise], {});
    await rested(march);
    const april = await nextList(supplier, of('110'));
    for (const price of ['200', '150']) await edit(april, 1, { price });
    // A carried value that an undo has restored is still carried.
    await edit(april, 2, { price: '200' });
    const { commands } = await call<{ commands: { id: string }[] }>('GET', `/api/queue/${april}/edits`);
    await undo(april, commands[0]?.id ?? '');
    await repeat(april, await offered(april));
    expect((await valuesOf(april, 'price')).map(Number)).toEqual([150, 180, 132]);
  });

  longIt(
    'are done over what was typed before each was ordered, and not over what was typed after it',
    async () => {
      const supplier = await newSupplier('Between');
      const march = await nextList(
        supplier,
        list([
          { sku: 'A', price: '100' },
          { sku: 'B', price: '100' },
        ]),
      );
      await command(march, [raise], {});
      await rested(march);
      await edit(march, 1, { price: '150' });
      await command(march, [add], {});
      await rested(march);
      const pricesOf = async (id: string) => (await valuesOf(id, 'price')).map(Number);
      expect(await pricesOf(march)).toEqual([155, 125]);
      const april = await nextList(
        supplier,
        list([
          { sku: 'A', price: '110' },
          { sku: 'B', price: '110' },
        ]),
      );
      await repeat(april, await offered(april));
      expect(await pricesOf(april)).toEqual([155, 137]);
      // The order holds in all further lists; what is ordered again is newer.
      const may = await nextList(
        supplier,
        list([
          { sku: 'A', price: '120' },
          { sku: 'B', price: '120' },
        ]),
      );
      await command(may, [raise], {});
      await rested(may);
      expect(await pricesOf(may)).toEqual([180, 144]);
      const june = await nextList(
        supplier,
        list([
          { sku: 'A', price: '130' },
          { sku: 'B', price: '130' },
        ]),
      );
      await repeat(june, await offered(june));
      expect(await pricesOf(june)).toEqual([185, 161]);
    },
  );

  longIt('are chosen by the operator after an upgrade: what he typed may be newer', async () => {
    const supplier = await newSupplier('Upgraded');
    const march = await nextList(
      supplier,
      list([
        { sku: 'U', price: '100' },
        { sku: 'V', price: '100' },
      ]),
    );
    await edit(march, 1, { price: '150' });
    await command(march, [raise], {});
    await rested(march);
    const of = (price: string) =>
      list([
        { sku: 'U', price },
        { sku: 'V', price },
      ]);
    const april = await nextList(supplier, of('110'));
    const { pool } = stack.database;
    await pool.query(`update carried_values set set_at = 'epoch' where supplier = $1`, [supplier]);
    await pool.query(`update supplier_recipes set ordered_at = 'epoch' where supplier = $1`, [supplier]);
    const may = await nextList(supplier, of('120'));
    const [offer] = await offered(may);
    const reason = 'This change may overwrite values that you entered after it.';
    expect(await preview(may, offer)).toMatchObject({ rows: 2, reason });
    await repeat(may, [offer]);
    expect((await valuesOf(may, 'price')).map(Number)).toEqual([180, 144]);
    // He has looked at it.
    const june = await nextList(supplier, of('130'));
    expect(await preview(june, (await offered(june))[0])).toMatchObject({ rows: 2, reason: null });
    expect((await valuesOf(april, 'price')).map(Number)).toEqual([150, 110]);
  });

  it('are done to the next one as one command, without what the operator has said there', async () => {
    const supplier = await newSupplier('Acme');
    const rows = [
      { sku: 'A', price: '10', brand: 'NIKE' },
      { sku: 'B', price: '20' },
      { sku: 'C', price: '30' },
    ];
    const march = await nextList(supplier, list(rows));
    await command(march, [raise], {});
    const { rows_run: run } = await read(march);
    await command(march, [tick], { rows: [2], run });
    await command(march, [rename], nike);
    await command(march, [{ kind: 'set', field: 'title', value: 'Mine' }], { rows: [3], run });
    await edit(march, 3, { price: '33' });
    const april = await nextList(
      supplier,
      list([
        { sku: 'D', price: '40', brand: 'NIKE' },
        ...rows.map((row) => ({ ...row, price: `${row.price}.50` })),
      ]),
    );
    const recipes = await offered(april);
    expect(recipes).toMatchObject([
      { sentence: 'Price × 1.2', target: {}, rowsLast: 3, rowsThen: 3, asks: 'ask', mayBeAlways: false },
      { sentence: 'Title: “New ” added at the start', target: { products: 1 }, rowsLast: 1 },
      { sentence: 'Brand set to “Nike”', target: nike, rowsLast: 1 },
    ]);
    expect((await jobOf(april)).list).toMatchObject({ asksRecipes: true, recipes: [{ rows: 3 }, {}, {}] });
    const previews = await Promise.all(recipes.map((recipe) => preview(april, recipe)));
    expect(previews).toMatchObject([
      { rows: 3, reason: null, preview: { left: [{ reason: 'yours', cells: 1 }] } },
      { rows: 1, reason: null, missing: [] },
      { rows: 2, reason: null },
    ]);
    expect(await valuesOf(april, 'price')).toEqual(['40', '10.50', '20.50', '33']);
    const done = await repeat(april, recipes);
    expect(await valuesOf(april, 'price')).toEqual(['48.00', '12.60', '24.60', '33']);
    expect(await valuesOf(april, 'title')).toEqual(['Vase D', 'Vase A', 'New Vase B', 'Mine']);
    expect(await valuesOf(april, 'vendor')).toEqual(['Nike', 'Nike', '', '']);
    expect(await offered(april)).toEqual([]);
    const { commands } = await call<{ commands: object[] }>('GET', `/api/queue/${april}/edits`);
    expect(commands[0]).toMatchObject({ id: done, kind: 'recipes', rows: 3, leftCells: { yours: 1 } });
    const undone = await undo(april, done);
    expect(await valuesOf(april, 'price')).toEqual(['40', '10.50', '20.50', '33']);
    expect(await offered(april)).toHaveLength(3);
    expect((await jobOf(april)).list).toMatchObject({ asksRecipes: false });
    await undo(april, undone);
    expect(await valuesOf(april, 'vendor')).toEqual(['Nike', 'Nike', '', '']);
  });

  it.runIf(isLong)('have their rows fixed before the first of them changes any', async () => {
    const supplier = await newSupplier('Beta');
    const march = await nextList(supplier, list([{ sku: 'E', price: '10', brand: 'NIKE' }]));
    await command(march, [rename], nike);
    await command(march, [raise], { value: 'vendor:Nike' });
    const april = await nextList(
      supplier,
      list([
        { sku: 'E', price: '10', brand: 'NIKE' },
        { sku: 'F', price: '10', brand: 'Nike' },
      ]),
    );
    await repeat(april, await offered(april));
    expect(await valuesOf(april, 'vendor')).toEqual(['Nike', 'Nike']);
    expect(await valuesOf(april, 'price')).toEqual(['10', '12.00']);
  });

  longIt('change a cell once where several of them do the same', async () => {
    const supplier = await newSupplier('Theta');
    const rows = ['M', 'N', 'O'].map((sku) => ({ sku, price: '10' }));
    for (const ticked of [
      [1, 2],
      [2, 3],
    ]) {
      const earlier = await nextList(supplier, list(rows));
      const { rows_run: run } = await read(earlier);
      await command(earlier, [raise], { rows: ticked, run });
    }
    const may = await nextList(supplier, list(rows.map((row) => ({ ...row, price: '11' }))));
    const recipes = await offered(may);
    expect(recipes).toHaveLength(2);
    const done = await repeat(may, recipes);
    expect(await valuesOf(may, 'price')).toEqual(['13.20', '13.20', '13.20']);
    const { commands } = await call<{ commands: object[] }>('GET', `/api/queue/${may}/edits`);
    expect(commands[0]).toMatchObject({ id: done, rows: 3, leftCells: {} });
  });

  it.runIf(isLong)(
    'are left to be ticked when they do too much or nothing, or when a column is missing',
    async () => {
      const supplier = await newSupplier('Gamma');
      const many = Array.from({ length: 40 }, (_, at) => ({ sku: `G-${at}`, price: '10', cost: '5' }));
      const brands = (from: number) =>
        many.map((row, at) => ({ ...row, brand: at < from ? 'NIKE' : 'Puma' }));
      const march = await nextList(supplier, list(brands(4)));
      await command(march, [raise], nike);
      await command(march, [rename], { value: 'vendor:Puma' });
      await command(march, [{ kind: 'percent-of', field: 'price', of: 'cost', percent: '300' }], nike);
      const take = { kind: 'take', field: 'compareAtPrice', from: { column: 'Cost' } };
      await command(march, [take], nike);
      const more = brands(13).map((row, at) => (at < 13 ? row : { ...row, brand: 'Asics' }));
      const april = await nextList(supplier, list(more, 'Wholesale price'));
      const [raised, renamed, priced, taken] = await offered(april);
      expect(await preview(april, raised)).toMatchObject({
        rows: 13,
        reason: 'The change would affect 13 of 40 rows. Last time, it affected 4 of 40.',
      });
      expect(await preview(april, renamed)).toMatchObject({
        rows: 0,
        reason: 'No row to change has “Puma” as Brand.',
      });
      const [lacked] = (await preview(april, taken)).missing;
      expect(lacked).toMatchObject({ in: 'columns', name: 'Cost', columns: ['Wholesale price'] });
      const uses = { columns: { Cost: 'Wholesale price' }, fields: {} };
      expect(await preview(april, taken)).toMatchObject({ reason: 'Cost isn’t in this list.' });
      const refused = async (body: object) => {
        const path = `/api/queue/${april}/recipes`;
        const previewed = await stack.api.call('POST', `${path}/${taken?.id}/preview`, {
          body: { uses: body },
        });
        const done = await stack.api.call('POST', path, { body: { do: [{ id: taken?.id, uses: body }] } });
        expect(done.status).toBe(previewed.status);
        return previewed;
      };
      expect(await refused({ columns: { Cost: 'Nothing' }, fields: {} })).toMatchObject({
        ...{ status: 400, body: { message: 'This list has no column “Nothing”.' } },
      });
      expect(await refused({ columns: { Title: 'SKU' }, fields: {} })).toMatchObject({ status: 400 });
      expect(await refused({ columns: {}, fields: { shelf: 'SKU' } })).toMatchObject({ status: 400 });
      await repeat(april, [taken], uses);
      expect(
        (await call<{ recipes: Recipe[] }>('GET', `/api/suppliers/${supplier}/recipes`)).recipes,
      ).toHaveLength(4);
      expect((await preview(april, priced)).missing).toEqual([]);
      const may = await nextList(supplier, list(more.slice(1), 'Wholesale price'));
      const again = (await offered(may)).find(({ id }) => id === taken?.id);
      expect(again).toMatchObject({
        sentence: 'Compare-at price taken from column “Wholesale price”',
        mayBeAlways: true,
      });
      expect((await preview(may, again)).missing).toEqual([]);
    },
  );

  it.runIf(isLong)(
    'are forgotten when they are undone before the next list, and not when they were done again',
    async () => {
      const supplier = await newSupplier('Delta');
      const march = await nextList(supplier, list([{ sku: 'H', price: '10' }]));
      const first = await command(march, [raise], {});
      const april = await nextList(supplier, list([{ sku: 'H', price: '11' }]));
      expect(await offered(april)).toHaveLength(1);
      await undo(march, first);
      const may = await nextList(supplier, list([{ sku: 'H', price: '12' }]));
      expect(await offered(may)).toEqual([]);
      const raised = await command(may, [raise], {});
      const june = await nextList(supplier, list([{ sku: 'H', price: '13' }]));
      await repeat(june, await offered(june));
      const july = await nextList(supplier, list([{ sku: 'H', price: '14' }]));
      await undo(may, raised);
      const august = await nextList(supplier, list([{ sku: 'H', price: '15' }]));
      for (const id of [july, august]) expect(await offered(id)).toMatchObject([{ mayBeAlways: true }]);
    },
  );

  it.runIf(isLong)(
    'are done without asking where the operator has said so, within the same limits',
    async () => {
      const supplier = await newSupplier('Epsilon');
      const row = { sku: 'I', price: '10' };
      const march = await nextList(supplier, list([row]));
      await command(march, [raise], {});
      await command(march, [rename], { value: 'vendor:' });
      const april = await nextList(supplier, list([row, { sku: 'J', price: '10' }]));
      const [once] = await offered(april);
      const change = (recipe: Recipe | undefined, body: object) =>
        stack.api.call('PATCH', `/api/suppliers/${supplier}/recipes/${recipe?.id}`, {
          body: { version: recipe?.version, ...body },
        });
      expect((await change(once, { asks: 'always' })).status).toBe(409);
      await repeat(april, await offered(april));
      const may = await nextList(supplier, list([{ ...row, price: '11' }]));
      expect(await offered(may)).toHaveLength(2);
      for (const recipe of await offered(may)) {
        expect((await change(recipe, { asks: 'always' })).status).toBe(200);
        expect((await change(recipe, { asks: 'always' })).status).toBe(409);
      }
      const june = await nextList(supplier, list([{ ...row, brand: 'Puma' }]));
      expect(await valuesOf(june, 'price')).toEqual(['12.00']);
      expect(await offered(june)).toMatchObject([{ sentence: 'Brand set to “Nike”', asks: 'always' }]);
      const { commands } = await call<{ commands: object[] }>('GET', `/api/queue/${june}/edits`);
      expect(commands).toMatchObject([{ kind: 'recipes', sentence: 'Row 1: Price × 1.2', author: 'worker' }]);
      // What is undone stays so when the file is read again.
      await undo(june, String((commands[0] as { id?: string }).id));
      const { parse_run } = await read(june);
      await call('PUT', `/api/queue/${june}/supplier`, { again: true });
      await until('it is read again', async () => (await read(june)).rows_run > parse_run);
      await rested(june);
      expect(await valuesOf(june, 'price')).toEqual(['10']);
      const july = await nextList(supplier, list([{ ...row, price: '', brand: 'Puma' }]));
      expect(await offered(july)).toHaveLength(2);
      expect((await call<{ commands: object[] }>('GET', `/api/queue/${july}/edits`)).commands).toEqual([]);
    },
  );

  longIt(
    'apply to a price of the supplier that is accepted, before and after, and to its next list',
    async () => {
      const supplier = await newSupplier('Kappa');
      const skus = ['AA', 'AB', 'AC', 'AD'];
      const rows = (price: string) => skus.map((sku) => ({ sku, price }));
      const march = await nextList(supplier, list(rows('100.00')));
      await command(march, [raise], {});
      for (const row of [1, 2, 3]) await edit(march, row, { price: '150.00' });
      const april = await nextList(supplier, list(rows('200.00')));
      type Listed = { id: number; row: number; reason: string };
      const proposed = async (id: string) =>
        (await call<{ proposals: Listed[] }>('GET', `/api/queue/${id}/proposals?source=supplier`)).proposals;
      const [first, second, third] = await proposed(april);
      expect(first?.reason).toBe('Kappa: 200.00 (was 100.00). Yours: 150.00.');
      await call('POST', `/api/queue/${april}/proposals/${first?.id}`, { action: 'take' });
      expect((await preview(april, (await offered(april))[0])).preview.left).toMatchObject([{ cells: 2 }]);
      await repeat(april, await offered(april));
      expect(await valuesOf(april, 'price')).toEqual(['240.00', '150.00', '150.00', '240.00']);
      expect((await proposed(april))[0]?.reason).toBe(
        'Kappa: 200.00 (was 100.00), 240.00 after the changes made to this list. Yours: 150.00.',
      );
      await call('POST', `/api/queue/${april}/proposals/${second?.id}`, { action: 'take' });
      await call('POST', `/api/queue/${april}/proposals/decide`, { action: 'take', ids: [third?.id] });
      expect(await valuesOf(april, 'price')).toEqual(['240.00', '240.00', '240.00', '240.00']);
      const may = await nextList(supplier, list(rows('300.00')));
      expect(await valuesOf(may, 'price')).toEqual(['300.00', '300.00', '300.00', '300.00']);
      expect(await proposed(may)).toEqual([]);
      await repeat(may, await offered(may));
      expect(await valuesOf(may, 'price')).toEqual(['360.00', '360.00', '360.00', '360.00']);
    },
  );

  it('are asked about once before a push', async () => {
    const supplier = await newSupplier('Zeta');
    const march = await nextList(supplier, list([{ sku: 'K', price: '10' }]));
    await command(march, [raise], {});
    const april = await nextList(supplier, list([{ sku: 'K', price: '11' }]));
    const push = (id: string, body: object = {}) => stack.api.call('POST', `/api/queue/${id}/push`, { body });
    expect(await asksInLists(april)).toEqual([true, true, true]);
    expect(await push(april)).toMatchObject({
      status: 409,
      body: {
        message:
          '“Price × 1.2” was done to the last list, not to this one. Choose Do It Again or Not This Time, then push.',
      },
    });
    expect((await push(april, { recipes: 'skip' })).status).toBe(200);
    const may = await nextList(supplier, list([{ sku: 'K', price: '12' }]));
    expect(await asksInLists(may)).toEqual([true, true, true]);
    await call('POST', `/api/queue/${may}/recipes`, { do: [] });
    expect(await asksInLists(may)).toEqual([false, false, false]);
    expect((await jobOf(may)).list).toMatchObject({ asksRecipes: false, recipes: [{ rows: 1 }] });
    expect((await push(may)).status).toBe(200);
  });

  it.runIf(isLong)('are not asked about for a list of stock in which they are about nothing', async () => {
    const supplier = await newSupplier('Lambda');
    const march = await nextList(supplier, list([{ sku: 'M', price: '10' }]));
    await command(march, [raise], {});
    const push = (id: string) => stack.api.call('POST', `/api/queue/${id}/push`, { body: {} });
    const prices = await nextList(
      supplier,
      csvOf([
        ['SKU', 'Price'],
        ['M', '11'],
      ]),
    );
    expect((await jobOf(prices)).list).toMatchObject({ isPartial: true, asksRecipes: true });
    expect((await push(prices)).status).toBe(409);
    expect(await asksInLists(prices)).toEqual([true, true, true]);
    const stock = await nextList(
      supplier,
      csvOf([
        ['SKU', 'Qty'],
        ['M', '7'],
      ]),
    );
    expect((await jobOf(stock)).list).toMatchObject({ isPartial: true, asksRecipes: false, recipes: [] });
    expect(await asksInLists(stock)).toEqual([false, false, false]);
    expect((await push(stock)).status).toBe(200);
  });

  it.runIf(isLong)('have an order, can be turned off and removed', async () => {
    const supplier = await newSupplier('Eta');
    const march = await nextList(supplier, list([{ sku: 'L', price: '10' }]));
    await command(march, [raise], {});
    await command(march, [tick], {});
    const april = await nextList(supplier, list([{ sku: 'L', price: '11' }]));
    const [first, second] = await offered(april);
    const path = (recipe: Recipe | undefined) => `/api/suppliers/${supplier}/recipes/${recipe?.id}`;
    await call('PATCH', path(second), { version: second?.version, move: 'up' });
    expect((await offered(april)).map(({ id }) => id)).toEqual([second?.id, first?.id]);
    await call('PATCH', path(first), { version: (await offered(april))[1]?.version, asks: 'never' });
    expect((await offered(april)).map(({ id }) => id)).toEqual([second?.id]);
    const { version } = await read(april);
    await call('DELETE', path(second));
    expect(await offered(april)).toEqual([]);
    // Else a screen would keep its notice.
    expect((await read(april)).version).toBeGreaterThan(version);
    const lost = await stack.api.call('POST', `/api/queue/${april}/recipes`, {
      body: { do: [{ id: second?.id }] },
    });
    expect(lost.status).toBe(409);
  });
});
