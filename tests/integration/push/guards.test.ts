import type { JobWithRows } from '@draftshelf/contract/imports/imports';
import { savePreferences } from '@draftshelf/core/access/preferences';
import { upsertShop } from '@draftshelf/core/push/store/shops';
import { expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { processed, read, reach, rested } = importSteps(() => stack);
it.beforeAll(async () => {
  await savePreferences(stack.database.db, { autoPushDelayMinutes: 0 });
  const shop = { shop: 'draftshelf-demo.myshopify.com', url: stack.store.url, currency: 'CAD' };
  await upsertShop(stack.database.db, shop);
});

const query = (text: string, values: unknown[] = []) => stack.database.pool.query(text, values);
async function call<Reply>(method: string, path: string, body?: object, status = 200): Promise<Reply> {
  const answer = await stack.api.call(method, `/api/${path}`, body && { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body as Reply;
}

type Row = readonly [sku: string, price: string, cost: string, map: string];
const list = (rows: readonly Row[]) =>
  csvOf([
    ['Title', 'SKU', 'Price', 'Cost', 'MAP'],
    ...rows.map(([sku, ...amounts]) => [`Vase ${sku}`, sku, ...amounts]),
  ]);

async function newSupplier(name: string): Promise<number> {
  const { rows } = await query('insert into suppliers (name) values ($1) returning id', [name]);
  return rows[0].id;
}

async function listed(supplier: number, rows: readonly Row[]): Promise<string> {
  const id = await processed(list(rows), { supplier: String(supplier) });
  await rested(id);
  return id;
}

const edit = (id: string, row: number, values: object) =>
  call<{ command: string }>('PATCH', `queue/${id}/rows/${row}`, { values });
const answer = (supplier: number, set: object, from: object = {}) =>
  call('PUT', `suppliers/${supplier}/answers`, { set, from });

/** The facts about guards, as '1 guard-cost'. */
async function guardsOf(id: string): Promise<string[]> {
  const { job } = await call<{ job: JobWithRows }>('GET', `queue/${id}?rows=0`);
  const facts = job.beforePush?.facts ?? [];
  return facts.flatMap(({ kind, count }) => (kind.includes('guard') ? `${count} ${kind}` : []));
}
async function rowsWith(id: string, issue: string): Promise<number[]> {
  const { rows } = await call<{ rows: { row: number }[] }>('GET', `queue/${id}/rows?issue=${issue}`);
  return rows.map(({ row }) => row);
}
/** What full auto decides about an import: why it is left to a person, or that it is pushed. */
async function autoPushed(id: string): Promise<string> {
  await query(`update imports set auto_mode = 'full-auto' where id = $1`, [id]);
  await until('it is decided', async () => {
    const { auto_held, push_run } = await read(id);
    return auto_held !== null || push_run > 0;
  });
  return (await read(id)).auto_held ?? 'pushed';
}

const march: Row[] = [
  ['A', '10', '5', '9'],
  ['B', '20', '10', '18'],
];

it.runIf(isLong)(
  'guards hold full auto and are facts, until the prices or the guards are others',
  async () => {
    const acme = await newSupplier('Acme');
    const first = await listed(acme, march);
    await call('PUT', `queue/${first}/list`, { counts: true });
    await rested(first);
    await answer(acme, { guardCost: 1.3, guardColumn: 'MAP', guardChange: 30 });
    const april = await listed(acme, [
      ['A', '14', '12', '13'],
      ['B', '20', '10', '21'],
      ['C', '30', '10', ''],
    ]);
    expect(await guardsOf(april)).toEqual(['1 guard-cost', '1 guard-column', '1 guard-change']);
    expect([await rowsWith(april, 'guard-cost'), await rowsWith(april, 'guard-column')]).toEqual([[1], [2]]);
    expect(await autoPushed(april)).toBe('Not pushed: 1 price was below cost × 1.3. Check it, then push.');

    const { command } = await edit(april, 1, { price: '15.60' });
    await edit(april, 2, { price: '21' });
    // The supplier has changed its price as before.
    expect(await guardsOf(april)).toEqual(['1 guard-change']);
    await call('POST', `queue/${april}/edits/${command}/undo`);
    expect(await guardsOf(april)).toEqual(['1 guard-cost', '1 guard-change']);

    await call('PUT', `suppliers/${acme}/answers`, { set: { guardCost: 1 }, from: { guardCost: 2 } }, 409);
    await answer(acme, { guardCost: 1.1, guardColumn: 'MSRP', guardChange: 50 }, { guardCost: 1.3 });
    await rested(april);
    expect(await guardsOf(april)).toEqual(['3 guard-column']);
    await answer(acme, { guardColumn: null, guardChange: 39 });
    await rested(april);
    expect(await guardsOf(april)).toEqual(['1 guard-change']);

    const may = await listed(acme, march);
    expect(await guardsOf(may)).toEqual([]);
    await call('PUT', `queue/${april}/list`, { counts: false });
    expect(await autoPushed(may)).toBe('pushed');
    await reach(may, 'completed');
  },
);

it.runIf(isLong)('guards go with a supplier that is merged or deleted', async () => {
  const [beta, gamma] = [await newSupplier('Beta'), await newSupplier('Gamma')];
  const own = await listed(beta, [['D', '10', '9', '']]);
  const other = await listed(gamma, [['E', '10', '9', '']]);
  await answer(beta, { guardCost: 2 });
  await rested(own);
  expect([await guardsOf(own), await guardsOf(other)]).toEqual([['1 guard-cost'], []]);
  const isGone = async (id: number) =>
    (await query('select 1 from suppliers where id = $1', [id])).rowCount === 0;
  await call('POST', `suppliers/${beta}/merge`, { into: gamma }, 202);
  await until('it is merged', () => isGone(beta));
  await rested(other);
  expect(await guardsOf(other)).toEqual(['1 guard-cost']);
  await call('DELETE', `suppliers/${gamma}`, undefined, 202);
  await until('it is deleted', () => isGone(gamma));
  await Promise.all([rested(own), rested(other)]);
  expect([await guardsOf(own), await guardsOf(other)]).toEqual([[], []]);
  expect(await rowsWith(other, 'guard-cost')).toEqual([]);
});
