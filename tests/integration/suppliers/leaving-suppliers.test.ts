import { randomUUID } from 'node:crypto';
import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import { carryNewerValues } from '@draftshelf/core/suppliers/carry-newer';
import {
  markSupplierLeaving,
  mergeOrDeletePart,
  requestMergeOrDelete,
} from '@draftshelf/core/suppliers/change-supplier';
import { type Random, seededRandom } from '@draftshelf/csv/testing/random';
import { expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { itemsNow } from '../../support/items-now.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const {
  read,
  upload,
  reach,
  call,
  query,
  edit,
  nextList,
  newSupplier,
  rowsOf,
  ourIds: idsOf,
} = importSteps(() => stack);

/** A list of products by SKU and price. The titles tell whose they are. */
const list = (whose: string, prices: Record<string, string>) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...Object.entries(prices).map(([sku, price]) => [`${whose} vase ${sku}`, price, sku]),
  ]);

const isAtRest = async () =>
  (await query(`select 1 from chunks where subject is null and state in ('pending','published')`)).length ===
  0;

/** Uploads a list of a supplier, and waits until its products are kept. */
async function listed(supplier: number, csv: string): Promise<string> {
  const id = await nextList(supplier, csv);
  await until('its products are kept', isAtRest);
  return id;
}

/** Makes a list the latest one. */
async function counted(id: string): Promise<string> {
  await call('PUT', `/api/queue/${id}/list`, { counts: true });
  await until('it counts', async () => {
    const [found] = await query<{ state: string }>('select state from supplier_lists where import_id = $1', [
      id,
    ]);
    return found?.state === 'counted' && (await isAtRest());
  });
  return id;
}

const pricesOf = async (id: string) => (await rowsOf(id)).map(({ values }) => values.price);
const detailsOf = (id: number) => call<SupplierDetails>('GET', `/api/suppliers/${id}`);
const isGone = async (id: number) =>
  (await query('select 1 from suppliers where id = $1', [id])).length === 0;

async function merged(id: number, into: number): Promise<void> {
  await call('POST', `/api/suppliers/${id}/merge`, { into }, 202);
  await until('it is merged', () => isGone(id));
}

it('merges lists, products, values and signs into another supplier, and names what both had', async () => {
  const [acme, beta] = [await newSupplier('Acme'), await newSupplier('Beta')];
  const march = await counted(await listed(acme, list('Acme', { A1: '1', A2: '2', X1: '3', X2: '4' })));
  const other = await listed(beta, list('Beta', { B1: '1', B2: '2', X1: '5' }));
  await edit(other, 1, { price: '9.01' });
  await edit(march, 1, { price: '9.02' });
  await counted(other);
  const april = await listed(beta, list('Beta', { B1: '1', B2: '2', X1: '5', B3: '6' }));
  const before = [await idsOf(march), await idsOf(other), await idsOf(april)];
  const clear = (field: string) => [{ kind: 'clear', field }];
  const [first, last] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  for (const [supplier, field, orderedAt] of [
    [acme, 'vendor', first],
    [beta, 'vendor', last],
    [beta, 'upc', first],
  ] as const) {
    await query(
      `insert into supplier_recipes (supplier, operations, target, takes, asks, position, rows_last, rows_then,
         done_in, made_in, made_at, done_at, ordered_at)
       values ($1, $2, '{}', '[]', 'always', 1, 1, 1, 'x.csv', $3, now(), now(), $4)`,
      [supplier, JSON.stringify(clear(field)), march, orderedAt],
    );
  }
  // Of products that no list has any more, in a shop that is not connected now.
  const keysOf = (supplier: number) =>
    query('select shop, value from product_keys where supplier = $1 order by value', [supplier]);
  await query(
    `insert into product_keys (shop, kind, value, our_id, supplier)
     select 'left.example', 'sku', 'LEFT-' || at, 'left ' || at, $1 from generate_series(1, 3) at`,
    [beta],
  );
  const left = await keysOf(beta);
  await merged(beta, acme);
  expect(await keysOf(acme)).toEqual(expect.arrayContaining(left));
  expect(await keysOf(beta)).toEqual([]);
  // What both did is done once, and nothing without asking.
  expect(
    await query(
      'select operations, asks, ordered_at from supplier_recipes where supplier = $1 order by position',
      [acme],
    ),
  ).toEqual([
    // Acme's values and Beta's are final by different orders.
    { operations: clear('vendor'), asks: 'ask', ordered_at: new Date(0) },
    { operations: clear('upc'), asks: 'ask', ordered_at: new Date(first) },
  ]);
  expect([await idsOf(march), await idsOf(other), await idsOf(april)]).toEqual(before);
  for (const id of [march, other, april]) expect((await read(id)).supplier).toBe(acme);
  const { lists, merged: found, values, signs } = await detailsOf(acme);
  expect(lists.map(({ importId, state }) => [importId, state])).toEqual([
    [april, 'open'],
    [other, 'counted'],
    [march, 'counted'],
  ]);
  // Beta's list counted later, so the product of X1 is Beta's.
  expect(found).toEqual({ name: 'Beta', twice: 1, keys: ['s:X1'] });
  expect(values).toBe(1);
  expect(signs.find(({ kind }) => kind === 'layout')?.lists).toBe(3);

  const prices = { A1: '1', A2: '2', X1: '5', X2: '4', B1: '1', B2: '2', B3: '6', C1: '7' };
  const may = await listed(acme, list('All', prices));
  const [ofAcme, , ofBeta] = before;
  const ids = await idsOf(may);
  expect(ids).toMatchObject({ ...ofAcme, ...ofBeta });
  expect(new Set(Object.values(ids)).size).toBe(Object.keys(prices).length);
  expect(await pricesOf(may)).toEqual(['9.02', '2', '5', '4', '9.01', '2', '6', '7']);
  // It was compared with Beta's list, which counted last.
  expect((await detailsOf(acme)).lists[0]).toMatchObject({ counts: { new: 2, missing: 0 } });
});

it.for(['leaves', 'stays'])(
  'gives an open list of the supplier that %s what was said in the other’s lists',
  async (which) => {
    const [acme, beta] = [await newSupplier(`Older that ${which}`), await newSupplier(`Newer that ${which}`)];
    const march = await listed(acme, list('Older', { M1: '1', M2: '2' }));
    await edit(march, 1, { price: '9.01' });
    await listed(acme, list('Older', { M1: '1', M2: '3' }));
    const open = await listed(beta, list('Newer', { M1: '1', N1: '1' }));
    if (which === 'leaves') await merged(beta, acme);
    else await merged(acme, beta);
    await carryNewerValues(stack.database.db, open);
    expect(await pricesOf(open)).toEqual(['9.01', '1']);
  },
);

it('keeps the number of the list that counted last, which can be taken back after a merge', async () => {
  const [gamma, delta] = [await newSupplier('Gamma'), await newSupplier('Delta')];
  await counted(await listed(delta, list('Delta', { D1: '1', D2: '2' })));
  const first = await counted(await listed(gamma, list('Gamma', { G1: '1' })));
  const second = await counted(await listed(delta, list('Delta', { D1: '1.50', D2: '2', D3: '3' })));
  await merged(gamma, delta);
  const items = () =>
    query<{ key: string; price: number }>(
      `select key, price from ${itemsNow(stack.database)}
       where supplier = $1 and content_list is not null order by key`,
      [delta],
    );
  const [latest] = (await detailsOf(delta)).lists;
  expect(latest).toMatchObject({ importId: second, state: 'counted' });
  expect(await items()).toMatchObject([
    { key: 's:D1', price: 15_000 },
    { key: 's:D2', price: 20_000 },
    { key: 's:D3' },
    { key: 's:G1' },
  ]);
  await call('PUT', `/api/queue/${second}/list`, { counts: false });
  await until('it is taken back', async () => (await detailsOf(delta)).lists[0]?.state === 'not counted');
  expect(await items()).toMatchObject([
    { key: 's:D1', price: 10_000 },
    { key: 's:D2', price: 20_000 },
    { key: 's:G1' },
  ]);
  expect((await detailsOf(delta)).lists.at(-1)?.importId).toBe(first);
});

it('waits for lists that are worked on, and blocks them until it has ended', async () => {
  const [eps, zeta] = [await newSupplier('Epsilon'), await newSupplier('Zeta')];
  const id = await listed(eps, list('Epsilon', { E1: '1', E2: '2' }));
  await query(`update imports set status = 'paused', paused_from = 'uploading' where id = $1`, [id]);
  const busy = 'products.csv is being pushed. Wait until that has ended.';
  expect(await call('DELETE', `/api/suppliers/${eps}`, undefined, 409)).toMatchObject({ message: busy });
  expect(await call('POST', `/api/suppliers/${zeta}/merge`, { into: eps }, 409)).toMatchObject({
    message: busy,
  });
  expect((await detailsOf(eps)).busy).toBe(busy);
  await query(`update imports set status = 'processed', paused_from = null where id = $1`, [id]);

  // Without a task nothing happens, so that it is seen what is blocked.
  await requestMergeOrDelete(stack.database.db, zeta, eps);
  await query(
    `update chunks set state = 'done', not_before = null where task = 'merge-supplier' and subject = $1`,
    [String(zeta)],
  );
  const leaving = 'Zeta is being merged into Epsilon. Wait until that has ended.';
  for (const [method, path, body] of [
    ['POST', `queue/${id}/push`, undefined],
    ['PUT', `queue/${id}/supplier`, { supplier: null }],
    ['PUT', `queue/${id}/list`, { counts: true }],
    ['PUT', `suppliers/${eps}/answers`, { set: { sendsComplete: true }, from: {} }],
    ['DELETE', `queue/${id}`, undefined],
    ['DELETE', `suppliers/${eps}`, undefined],
    ['POST', `suppliers/${eps}/merge`, { into: zeta }],
  ] as const) {
    expect(await call(method, `/api/${path}`, body, 409), path).toMatchObject({ message: leaving });
  }
  // A list that is read meanwhile waits, and is the other supplier's then.
  const late = await upload(list('Zeta', { Z1: '1', Z2: '2' }), { supplier: String(zeta) });
  await until('it waits', async () => (await read(late)).waiting_for === leaving);
  while ((await mergeOrDeletePart(stack.database.db, zeta, async () => {})) === 'more');
  await reach(late, 'queued', 'processed');
  expect((await read(late)).supplier).toBe(eps);
});

it('deletes a supplier and leaves its imports with the ids of their products', async () => {
  const eta = await newSupplier('Eta');
  const march = await counted(await listed(eta, list('Eta', { H1: '1', H2: '2' })));
  await edit(march, 1, { price: '9' });
  const april = await listed(eta, list('Eta', { H1: '1', H2: '2', H3: '3' }));
  const before = [await idsOf(march), await idsOf(april)];
  await call('DELETE', `/api/suppliers/${eta}`, undefined, 202);
  await until('it is gone', () => isGone(eta));
  expect([await idsOf(march), await idsOf(april)]).toEqual(before);
  expect(await pricesOf(april)).toEqual(['9', '2', '3']);
  for (const table of [
    'supplier_items',
    'item_versions',
    'carried_values',
    'supplier_signs',
    'supplier_lists',
  ]) {
    expect(await query(`select 1 from ${table} where supplier = $1`, [eta]), table).toEqual([]);
  }
  expect((await read(april)).supplier).toBeNull();
  const [theta] = [await newSupplier('Theta')];
  await call('PUT', `/api/queue/${april}/supplier`, { supplier: theta });
  await reach(april, 'queued', 'processed');
  expect((await read(april)).supplier).toBe(theta);
  expect(await idsOf(april)).toEqual(before[1]);
});

type Item = { key: string; ourId: string; content: number | null; missed: number | null; first: number };
type Side = { id: number; lists: number[]; items: Map<string, Item> };

/** A supplier with random lists, which began at these seconds and count, and random items of 40 keys. */
async function randomSide(random: Random): Promise<Side> {
  const id = await newSupplier(randomUUID());
  const lists = Array.from({ length: 1 + random(3) }, () => random(1_000_000)).sort((a, b) => a - b);
  const numberOf = () => 1 + random(lists.length);
  const items = new Map<string, Item>();
  for (let at = 0; at < 40; at++) {
    if (random(10) < 4) continue;
    const key = `s:${at}`;
    const content = random(10) < 8 ? numberOf() : null;
    const isMissed = content !== null && content < lists.length && random(10) < 3;
    const missed = isMissed ? content + 1 + random(lists.length - content) : null;
    const ourId = random(10) < 2 ? `both ${at}` : `${id} ${at}`;
    items.set(key, { key, ourId, content, missed, first: numberOf() });
  }
  await query(
    `insert into supplier_lists (supplier, number, filename, state, began_at, counted_at, counted_run)
     select $1, at, at || '.csv', 'counted', to_timestamp(began), to_timestamp(began), 1
     from unnest($2::int[]) with ordinality as given (began, at)`,
    [id, lists],
  );
  await query('update suppliers set last_number = $2 where id = $1', [id, lists.length]);
  await query(
    `with given as (
       select * from json_to_recordset($2) as given (key text, "ourId" text, first int, content int, missed int)
     ), items as (
       insert into supplier_items (supplier, key, our_id, first_list) select $1, key, "ourId", first from given
       returning id, key
     )
     insert into item_versions (supplier, item, list, run, our_id, missed)
     select $1, id, content, 1, "ourId", false from given join items using (key) where content is not null
     union all
     select $1, id, missed, 1, "ourId", true from given join items using (key) where missed is not null`,
    [id, JSON.stringify([...items.values()])],
  );
  return { id, lists, items };
}

/** When the lists of a supplier had an item last. */
function listedAt({ lists }: Side, { content, missed, first }: Item): number {
  if (missed !== null) return lists[missed - 1] ?? 0;
  return (content === null ? lists[first - 1] : lists.at(-1)) ?? 0;
}

it('merges any items as a model says, and keeps the order of lists', async () => {
  const random = seededRandom(203);
  for (let round = 0; round < 40; round++) {
    const [from, into] = [await randomSide(random), await randomSide(random)];
    const expected = new Map([...into.items.values()].map(({ key, ourId }) => [key, ourId]));
    const twice: string[] = [];
    for (const item of from.items.values()) {
      const existing = into.items.get(item.key);
      if (existing && existing.ourId !== item.ourId) twice.push(item.key);
      if (!existing || listedAt(from, item) > listedAt(into, existing)) expected.set(item.key, item.ourId);
    }
    await markSupplierLeaving(stack.database.db, from.id, into.id);
    while ((await mergeOrDeletePart(stack.database.db, from.id, async () => {})) === 'more');
    const items = await query<{
      key: string;
      our_id: string;
      first_list: number;
      content_list: number | null;
    }>(`select key, our_id, first_list, content_list from ${itemsNow(stack.database)} where supplier = $1`, [
      into.id,
    ]);
    expect(new Map(items.map(({ key, our_id }) => [key, our_id]))).toEqual(expected);
    const [kept] = await query<{ last_number: number; first_number: number; merged: { twice: number } }>(
      'select * from suppliers where id = $1',
      [into.id],
    );
    expect(kept?.merged.twice).toBe(twice.length);
    const lists = await query<{ number: number; began: number }>(
      `select number, extract(epoch from began_at)::int as began from supplier_lists
       where supplier = $1 order by number`,
      [into.id],
    );
    const later = from.lists.filter((began) => began > (into.lists.at(-1) ?? 0));
    const earlier = from.lists.filter((began) => !later.includes(began));
    expect(lists.map(({ began }) => began)).toEqual([...earlier, ...into.lists, ...later]);
    expect(kept?.last_number).toBe(lists.at(-1)?.number);
    const numbers = new Set(lists.map(({ number }) => number));
    for (const { first_list, content_list } of items) {
      expect(numbers.has(first_list) && (content_list === null || numbers.has(content_list))).toBe(true);
    }
  }
});
