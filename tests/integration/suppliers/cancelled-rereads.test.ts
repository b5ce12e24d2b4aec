import { cancelImport } from '@draftshelf/core/work/import-actions';
import { expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const steps = importSteps(() => stack);
const { reach, read, rested, rowsOf, call, query, nextList, newSupplier } = steps;

const list = (prices: Record<string, string>) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Object.entries(prices).map(([sku, price]) => [`Vase ${sku}`, price, sku]),
  ]);

async function listOf(supplier: number, prices: Record<string, string>): Promise<string> {
  const id = await nextList(supplier, list(prices));
  await rested(id);
  return id;
}

const edit = (id: string, row: number, price: string) => steps.edit(id, row, { price });

const pricesOf = async (id: string) => (await rowsOf(id)).map(({ values }) => values.price);

const proposalsOf = (id: string) =>
  query<{ id: number }>(
    `select id, row, field, before, value, source, state from proposals where import_id = $1 order by id`,
    [id],
  );

const itemsOf = (supplier: number) =>
  query('select key, our_id, first_list from supplier_items where supplier = $1 order by key', [supplier]);

/** Gives a list of `former` to another supplier, and runs `act` when all is read and only the last step is missing. */
async function whileRead(
  id: string,
  { former, to }: { former: number; to: number | null },
  act: () => Promise<void>,
): Promise<void> {
  const client = await stack.database.pool.connect();
  const key = "hashtext('draftshelf carried values'), $1";
  try {
    await client.query(`select pg_advisory_lock(${key})`, [former]);
    await call('PUT', `/api/queue/${id}/supplier`, { supplier: to });
    await until('all is read', async () => {
      const { rows } = await client.query(
        `select 1 from pg_locks join runs on import_id = $2 and stage = 'parse' and run = 2
         where locktype = 'advisory' and objid = $1 and not granted and finalize ->> 'step' is null`,
        [former, id],
      );
      return rows.length > 0;
    });
    await act();
  } finally {
    await client.query(`select pg_advisory_unlock(${key})`, [former]);
    client.release();
  }
}

async function cancelled(id: string): Promise<void> {
  const result = await stack.database.db.transaction().execute((trx) => cancelImport(trx, id));
  expect(result).toMatchObject({ ok: true });
}

it.runIf(isLong)(
  'gives items and proposals back when the re-read for another supplier is cancelled',
  async () => {
    const [acme, beta] = [await newSupplier('Acme'), await newSupplier('Beta')];
    const prices = { K: '12.00', L: '12.00', M: '12.00' };
    const march = await listOf(acme, prices);
    for (const row of [1, 2, 3]) await edit(march, row, '14.40');
    await edit(await listOf(beta, { ...prices, O: '1.00' }), 1, '20.00');
    const april = await listOf(acme, { K: '13.00', L: '13.00', M: '12.00', N: '1.00' });
    const [open, dismissed] = await proposalsOf(april);
    await call('POST', `/api/queue/${april}/proposals/decide`, { action: 'dismiss', ids: [dismissed?.id] });
    const before = {
      proposals: await proposalsOf(april),
      items: await itemsOf(acme),
      prices: await pricesOf(april),
    };
    expect(before.proposals).toMatchObject([
      { id: open?.id, row: 1, before: '14.40', value: '13.00', state: 'open' },
      { row: 2, state: 'dismissed' },
    ]);
    expect(before.items).toHaveLength(4);

    await whileRead(april, { former: acme, to: beta }, () => cancelled(april));
    await reach(april, 'queued', 'processed');
    expect(await proposalsOf(april)).toEqual(before.proposals);
    expect(await itemsOf(acme)).toEqual(before.items);
    expect(await pricesOf(april)).toEqual(before.prices);

    // Once it has a result, what was of the former supplier is gone.
    await call('PUT', `/api/queue/${april}/supplier`, { supplier: beta });
    await until('it is read', async () => (await read(april)).supplier === beta);
    await reach(april, 'queued', 'processed');
    expect(await proposalsOf(april)).toMatchObject([
      { row: 1, before: '20.00', value: '13.00', state: 'open' },
    ]);
    await until('its only item is gone', async () => (await itemsOf(acme)).length === 3);
  },
);

it('keeps the items of the only list of a supplier until it is nobody’s', async () => {
  const gamma = await newSupplier('Gamma');
  const only = await listOf(gamma, { X: '1.00', Y: '2.00' });
  const before = await itemsOf(gamma);
  expect(before).toHaveLength(2);
  await whileRead(only, { former: gamma, to: null }, () => cancelled(only));
  await reach(only, 'queued', 'processed');
  expect(await itemsOf(gamma)).toEqual(before);
  await call('PUT', `/api/queue/${only}/supplier`, { supplier: null });
  await until('the supplier is gone', async () => {
    return (await query('select 1 from suppliers where id = $1', [gamma])).length === 0;
  });
  expect(await read(only)).toMatchObject({ supplier: null });
});
