import type { SupplierList } from '@draftshelf/contract/imports/list';
import type { Row } from '@draftshelf/contract/review/rows';
import { beginExpiredRemovals } from '@draftshelf/core/operate/remove-old';
import { replaceCountTask } from '@draftshelf/core/suppliers/count-list';
import { itemKeyOf } from '@draftshelf/domain/suppliers/item-key';
import { expect, onTestFinished } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { itemsNow } from '../../support/items-now.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { gtinOf } from '../../support/sources.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);
const longTest = test.runIf(isLong);
const { push, reach, read } = pushSteps(() => stack);
const { plan } = planSteps(() => stack);
const { call, query, upload, ourIds: idsOf } = importSteps(() => stack);

type Product = { sku: string; title: string; price: string };
const shelf = (label: string, count: number): Product[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ sku: `${label}-${at + 1}`, title: `${label} vase number ${at + 1}`, price: '10.00' },
  }));
const csv = (products: readonly Product[]) =>
  csvOf([['Title', 'Price', 'SKU'], ...products.map(({ title, price, sku }) => [title, price, sku])]);

/** Uploads a list, and waits until its products are kept. */
const listed = (filename: string, products: readonly Product[]) => listedAs(filename, csv(products));

const send = (filename: string, text: string, before: Record<string, string> = {}) =>
  upload(text, before, filename);

const listedAs = async (filename: string, text: string) => rested(await send(filename, text));

/** Takes a lock in a transaction of its own. Returns what releases it. */
async function locked(statement: string): Promise<() => Promise<void>> {
  const client = await stack.database.pool.connect();
  await client.query('begin');
  // A connection of the product would be ended after five seconds of idleness.
  await client.query('set local idle_in_transaction_session_timeout = 0');
  await client.query(statement);
  let isHeld = true;
  const release = async () => {
    if (!isHeld) return;
    isHeld = false;
    await client.query('commit').finally(() => client.release());
  };
  onTestFinished(release);
  return release;
}

/** SQL query: the parse workers' connections that wait for a lock. */
const lockedWorkers = `select 1 from pg_stat_activity
  where application_name = 'draftshelf-parse' and datname = current_database() and wait_event_type = 'Lock'`;

async function rested(id: string): Promise<string> {
  await reach(id, 'queued', 'processed', 'completed');
  await until('its tasks have ended', async () => {
    const open = await query(
      `select 1 from chunks where import_id = $1 and state in ('pending','published')`,
      [id],
    );
    return open.length === 0;
  });
  return id;
}

async function pushed(id: string): Promise<string> {
  await push(id);
  await reach(id, 'completed');
  return rested(id);
}

async function listOf(id: string) {
  const [list] = await query<{ number: number; state: string; compared_with: number | null; counts: object }>(
    'select * from supplier_lists where import_id = $1',
    [id],
  );
  if (!list) throw new Error('The import is no list');
  return list;
}

test('the next list has the ids of the last one, says what changed, and is pushed to its products', async () => {
  const march = shelf('Acme', 12);
  const first = await listed('march.csv', march);
  expect(await listOf(first)).toMatchObject({ number: 1, state: 'open', compared_with: null, counts: null });
  await pushed(first);
  expect(await listOf(first)).toMatchObject({ state: 'counted' });

  const april = [
    ...march
      .slice(1)
      .map((product, at) => (at < 3 ? { ...product, price: at === 0 ? '30.00' : '9.00' } : product)),
    { sku: 'Acme-13', title: 'A new bowl', price: '5.00' },
  ].reverse();
  const second = await listed('april.csv', april);
  const { counts, ...list } = await listOf(second);
  expect(list).toMatchObject({ number: 2, state: 'open', compared_with: 1 });
  expect(counts).toMatchObject({
    ...{ new: 1, changed: 3, unchanged: 8, missing: 1, items: 12 },
    ...{ dearer: 1, dearerBy: 200, cheaper: 2, cheaperBy: 10, jumped: 1, price: 3, text: 0 },
  });
  const [before, after] = [await idsOf(first), await idsOf(second)];
  for (const { sku } of april.slice(1)) expect(after[sku]).toBe(before[sku]);
  await pushed(second);
  expect(await read(second)).toMatchObject({ created: 1, updated: 3, unchanged: 8, skipped: 0 });
  expect(await listOf(second)).toMatchObject({ state: 'counted' });

  // Reading it again changes neither ids nor what is compared with what.
  await call('POST', `/api/queue/${second}/dialect`, { encoding: 'windows-1252' });
  await rested(second);
  expect(await read(second)).toMatchObject({ rows_run: 2 });
  expect(await idsOf(second)).toEqual(after);
  expect(await listOf(second)).toMatchObject({ compared_with: 1, counts });

  // A product that was away is back.
  const third = await listed('may.csv', march);
  expect((await listOf(third)).counts).toMatchObject({ returned: 1, changed: 3, missing: 1, new: 0 });
  expect((await idsOf(third))['Acme-1']).toBe(before['Acme-1']);
});

longTest('cleaned SKUs are those that an earlier version has read as they stand', async () => {
  const clean = shelf('Dirt', 9);
  const dirty = clean.map((product, at) =>
    at < 3 ? { ...product, sku: product.sku.replace('-', '-\u200b') } : product,
  );
  const first = await listed('dirt-march.csv', dirty);
  await pushed(first);
  // As keys of the cells as they stand.
  const keys = dirty.map(({ sku }) => `s:${sku.toUpperCase()}`);
  const changed = `update supplier_items set key = $2 where key = $3 and supplier =
    (select supplier from supplier_lists where import_id = $1) returning key`;
  for (const [at, key] of keys.slice(0, 3).entries()) {
    const cleaned = `s:${clean[at]?.sku.toUpperCase()}`;
    expect(await query(changed, [first, key, cleaned])).toEqual([{ key }]);
  }
  const second = await listed('dirt-april.csv', dirty.toReversed());
  const isSame = { new: 0, missing: 0, unchanged: 9, renumbered: 0 };
  expect((await listOf(second)).counts).toMatchObject(isSame);
  expect(await idsOf(second)).toEqual(await idsOf(first));
  await pushed(second);
  expect(await read(second)).toMatchObject({ created: 0, unchanged: 9 });
  // The supplier cleans them itself.
  const third = await listed('dirt-may.csv', clean);
  expect((await listOf(third)).counts).toMatchObject(isSame);
});

longTest('options with HTML codes are found that an earlier version has read as they stand', async () => {
  const headers = ['Handle', 'Title', 'Price', 'Option1 Name', 'Option1 Value'];
  const colors = { 'Black &amp; blue': 'Black & blue', 'Cr&egrave;me': 'Crème', 'Gr\u200bay': 'Gray' };
  const handles = ['codes-1', 'codes-2', 'codes-3', 'co\u200bdes-4'];
  const products = handles.map((handle) =>
    Object.keys(colors).map((color, at) => [
      ...[handle, at === 0 ? `Codes &amp; dirt of ${handle}` : '', '10.00', 'Color', color],
    ]),
  );
  const first = await listedAs('codes 1.csv', csvOf([headers, ...products.flat()]));
  await pushed(first);
  for (const handle of handles) {
    for (const [dirty, clean] of Object.entries(colors)) {
      // As keys of the cells as they stand.
      const key = itemKeyOf({ title: '-', handle, option1Value: dirty });
      const cleaned = itemKeyOf({ title: '-', handle: handle.replace('\u200b', ''), option1Value: clean });
      const changed = 'update supplier_items set key = $1 where key = $2 returning key';
      expect(await query(changed, [key, cleaned])).toEqual([{ key }]);
    }
  }
  // Nor did it read the titles as today.
  await query(
    `update supplier_items set hashes = decode(md5(key) || md5(key), 'hex') where key like 'h:CO%DES%'`,
  );
  const { supplier } = await read(first);
  const again = csvOf([headers, ...products.toReversed().flat()]);
  // No key and no title is as it was, but the list is not taken for a new supplier's.
  const second = await listedAs('codes 2.csv', again);
  expect(await read(second)).toMatchObject({ supplier: null, asked_supplier: supplier });
  const third = await send('codes 3.csv', again, { supplier: String(supplier) });
  await rested(third);
  expect((await listOf(third)).counts).toMatchObject({ new: 0, missing: 0, renumbered: 0 });
  await pushed(third);
  expect(await read(third)).toMatchObject({ created: 0, unchanged: 4 });
});

longTest('a product that was split keeps its two products of the store, in any order', async () => {
  const headers = ['Handle', 'Title', 'Price', 'SKU', 'Option1 Name', 'Option1 Value'];
  const variant = (handle: string, title: string, size: string) =>
    [handle, title, '10.00', `Split-${size}`, 'Size', size] as const;
  const others = Array.from({ length: 6 }, (_, at) => variant(`other-${at}`, `Split other ${at}`, `X${at}`));
  const whole = [variant('chair', 'Split chair', 'S'), variant('chair', '', 'L')];
  const parts = [variant('chair', 'Split chair', 'S'), variant('chair-l', 'Split large chair', 'L')];
  const first = await listedAs('split 1.csv', csvOf([headers, ...others, ...whole]));
  await pushed(first);
  const second = await listedAs('split 2.csv', csvOf([headers, ...others, ...parts]));
  await pushed(second);
  const ids = await idsOf(second);
  expect(ids['Split-L']).not.toBe(ids['Split-S']);
  const third = await listedAs('split 3.csv', csvOf([headers, ...parts.toReversed(), ...others]));
  expect(await idsOf(third)).toEqual(ids);
  await pushed(third);
  // The large chair waits for an answer: the store has its SKU as a variant of the other one.
  expect(await read(third)).toMatchObject({ created: 0, updated: 0, unchanged: 7, in_store: 1 });
});

test.runIf(isLong)('ids stay when the rows are removed and the file is read again', async () => {
  const first = await listed('beta 1.csv', shelf('Beta', 8));
  const second = await listed('beta 2.csv', shelf('Beta', 9).reverse());
  const ids = await idsOf(second);
  expect(ids).toMatchObject(await idsOf(first));
  await pushed(second);
  await query(
    `update runs set completed_at = now() - interval '1 year' where import_id = $1 and stage = 'parse'`,
    [second],
  );
  await beginExpiredRemovals(stack.database, { keepRowsDays: 30, keepFilesDays: null });
  await query(`update chunks set not_before = null, deferred_at = null where import_id = $1`, [second]);
  await rested(second);
  expect(await query('select 1 from row_items where import_id = $1', [second])).toEqual([]);
  await call('POST', `/api/queue/${second}/read-again`);
  await rested(second);
  expect(await idsOf(second)).toEqual(ids);
  await pushed(second);
  expect(await read(second)).toMatchObject({ created: 0, unchanged: 9 });
});

test.runIf(isLong)(
  'products of a deleted list go, unless another list has them or they were pushed',
  async () => {
    const only = await listed('gamma.csv', shelf('Gamma', 5));
    const { supplier } = await read(only);
    expect(await query('select 1 from supplier_items where supplier = $1', [supplier])).toHaveLength(5);
    await stack.api.call('DELETE', `/api/queue/${only}`);
    await until(
      'it is gone',
      async () => (await query('select 1 from imports where id = $1', [only])).length === 0,
    );
    expect(await query('select 1 from supplier_items where supplier = $1', [supplier])).toEqual([]);

    const first = await listed('delta 1.csv', shelf('Delta', 5));
    const second = await listed('delta 2.csv', shelf('Delta', 5).reverse());
    const ids = await idsOf(second);
    await stack.api.call('DELETE', `/api/queue/${first}`);
    await until(
      'it is gone',
      async () => (await query('select 1 from imports where id = $1', [first])).length === 0,
    );
    const third = await listed('delta 3.csv', shelf('Delta', 6));
    expect(await idsOf(third)).toMatchObject(ids);
  },
);

const keptLater = 'Waits for an earlier list, whose products are still being stored.';

/** Lets products of lists be kept only once the returned function is called. */
async function keepLater(): Promise<() => Promise<void>> {
  await query(`
    create function keep_later() returns trigger language plpgsql as
      $$ begin new.not_before = 'infinity'; return new; end $$;
    create trigger keep_later before insert on chunks for each row when (new.task = 'keep-items')
      execute function keep_later()`);
  return async () => {
    await query('drop trigger keep_later on chunks; drop function keep_later()');
    await query(`update chunks set not_before = null where task = 'keep-items'`);
  };
}

test.runIf(isLong)(
  'a list waits until the products of another open one are kept, and no longer',
  async () => {
    await pushed(await listed('nu 1.csv', shelf('Nu', 6)));
    const release = await keepLater();
    const more = shelf('Nu', 10);
    const second = await send('nu 2.csv', csv(more));
    await reach(second, 'queued', 'processed');
    const third = await send('nu 3.csv', csv(more.toReversed()));
    await until('the third list waits', async () => (await read(third)).waiting_for === keptLater);
    const waitsLong = `update chunks
    set not_before = clock_timestamp() + interval '1 hour', deferred_at = clock_timestamp()
    where import_id = $1 and kind = 'finalize' and state = 'pending' returning id`;
    await until('it waits for long', async () => (await query(waitsLong, [third])).length === 1);
    await release();
    await Promise.all([second, third].map(rested));
    expect(await idsOf(third)).toEqual(await idsOf(second));
    expect((await read(third)).waiting_for).toBeNull();
  },
);

test.runIf(isLong).for([
  ['of a supplier', 'select from suppliers for no key update'],
  ['of a new supplier', `select pg_advisory_xact_lock(hashtext('draftshelf'), hashtext('new supplier'))`],
])('two lists %s that are read at once give a product one id', async ([whose, lock]) => {
  const label = `Read ${whose}`;
  if (whose === 'of a supplier') await listed(`${label} 1.csv`, shelf(label, 6));
  const release = await locked(lock ?? '');
  const more = shelf(label, 10);
  const ids = [await send(`${label} 2.csv`, csv(more)), await send(`${label} 3.csv`, csv(more.toReversed()))];
  const isKnown = whose === 'of a supplier';
  const waiting = 'select id from imports where id = any($1) and waiting_for = $2';
  // Of a known supplier, one has found its items, and the other finds none before that one is current.
  await until('both wait', async () => {
    const behind = isKnown ? await query(waiting, [ids, keptLater]) : [];
    return behind.length === (isKnown ? 1 : 0) && (await query(lockedWorkers)).length >= (isKnown ? 1 : 2);
  });
  const found = await query('select distinct import_id from row_items where import_id = any($1)', [ids]);
  expect(found).toHaveLength(isKnown ? 1 : 0);
  await release();
  await Promise.all(ids.map(rested));
  const [second, third] = await Promise.all(ids.map(idsOf));
  expect(third).toEqual(second);
  const suppliers = await Promise.all(ids.map(async (id) => (await read(id)).supplier));
  expect(suppliers[0]).toBe(suppliers[1]);
});

test.runIf(isLong)(
  'a list of stock that is read beside its new supplier’s first list is none of products',
  async () => {
    const release = await locked(
      `select pg_advisory_xact_lock(hashtext('draftshelf'), hashtext('new supplier'))`,
    );
    const beside = { supplier: 'new', supplierName: 'Stock beside' };
    const products = shelf('Beside', 6);
    const full = await send('beside.csv', csv(products), beside);
    await until('the full list waits', async () => (await query(lockedWorkers)).length >= 1);
    const stocked = csvOf([['SKU', 'Stock'], ...products.map(({ sku }) => [sku, '7'])]);
    const stock = await send('beside stock.csv', stocked, beside);
    await until('both wait', async () => (await query(lockedWorkers)).length >= 2);
    await release();
    await Promise.all([full, stock].map(rested));
    expect((await read(stock)).supplier).toBe((await read(full)).supplier);
    expect(await shown(stock)).toMatchObject({ isPartial: true });
  },
);

longTest('a list counts in which a given key stands beside the item that had it', async () => {
  const of = (rows: [sku: string, gtin: number][]) =>
    csvOf([
      ['Title', 'Price', 'SKU', 'UPC'],
      ...rows.map(([sku, gtin]) => [`Given bowl ${gtin}`, '10.00', sku, gtinOf(gtin)]),
    ]);
  const shared = [1, 2, 3, 4, 5].map((at): [string, number] => [`Given-${at}`, 83_000 + at]);
  const counts = async (id: string, isCounted: boolean) => {
    expect((await answer(id, { counts: isCounted })).status).toBe(200);
    await until('it counts, or not', async () => ((await listOf(id)).state === 'counted') === isCounted);
    await rested(id);
  };
  await counts(await listedAs('given 1.csv', of([...shared, ['Given-A', 83_010]])), true);
  const second = await listedAs('given 2.csv', of([...shared, ['Given-B', 83_010]]));
  await counts(second, true);
  const third = await listedAs('given 3.csv', of([...shared, ['Given-B', 83_010], ['Given-A', 83_011]]));
  await counts(second, false);
  await counts(third, true);
  const next = await listedAs('given 4.csv', of([...shared, ['Given-B', 83_010], ['Given-A', 83_011]]));
  expect((await listOf(next)).counts).toMatchObject({ unchanged: 7, new: 0, missing: 0 });
  expect(await idsOf(next)).toEqual(await idsOf(third));
});

test('an edit does not wait while items are found', async () => {
  const id = await listed('xi 1.csv', shelf('Xi', 5));
  const next = await listed('xi 2.csv', shelf('Xi', 5));
  const release = await locked('lock table row_items in share mode');
  await call('PUT', `/api/queue/${next}/supplier`, { again: true });
  await until('it waits', async () => (await query(lockedWorkers)).length >= 1);
  const edited = await stack.api.call('PATCH', `/api/queue/${next}/rows/1`, {
    body: { values: { title: 'Other' } },
  });
  expect(edited).toMatchObject({ status: 409, body: { message: 'Rows can’t be edited in this status.' } });
  await release();
  await rested(next);
  expect(await idsOf(next)).toEqual(await idsOf(id));
});

test.runIf(isLong)('a key of another product is that product once the list counts', async () => {
  const headers = ['Title', 'Price', 'SKU', 'UPC'];
  const rows = Array.from({ length: 6 }, (_, at) => [
    `Omicron bowl ${at}`,
    '10.00',
    `Omicron-${at}`,
    gtinOf(81_000 + at),
  ]);
  await pushed(await listedAs('omicron 1.csv', csvOf([headers, ...rows])));
  const reused = ['Another thing', '10.00', 'Omicron-0', gtinOf(81_900)];
  const changed = csvOf([headers, reused, ...rows.slice(1)]);
  const second = await listedAs('omicron 2.csv', changed);
  expect((await listOf(second)).counts).toMatchObject({ doubtful: 1, unchanged: 5 });
  expect((await answer(second, { counts: true })).status).toBe(200);
  await rested(second);
  const third = await listedAs('omicron 3.csv', `${changed}\n`);
  expect((await listOf(third)).counts).toMatchObject({ doubtful: 0, unchanged: 6 });
  expect(await idsOf(third)).toEqual(await idsOf(second));
});

test('a product that is split into variants under other numbers, and joined again, stays itself by its handle', async () => {
  const headers = ['Handle', 'Title', 'Option1 Name', 'Option1 Value', 'Price', 'SKU'];
  const others = Array.from({ length: 9 }, (_, at) => [
    ...[`rho-jug-${at}`, `Rho jug ${at}`, 'Title', 'Default Title', '5.00', `Rho-jug-${at}`],
  ]);
  const whole = (sku: string) =>
    csvOf([headers, ['rho-cup', 'Rho cup', 'Title', 'Default Title', '10.00', sku], ...others]);
  const first = await listedAs('rho 1.csv', whole('Rho-1'));
  await pushed(first);
  const { 'Rho-1': cup } = await idsOf(first);
  const sizes = ['S', 'M'].map((size) => ['rho-cup', 'Rho cup', 'Size', size, '11.00', `Rho-cup-${size}`]);
  const second = await listedAs('rho 2.csv', csvOf([headers, ...sizes, ...others]));
  expect((await idsOf(second))['Rho-cup-S']).toBe(cup);
  await pushed(second);
  expect(await read(second)).toMatchObject({ created: 0, updated: 1, unchanged: 9, failed: 0 });
  const third = await listedAs('rho 3.csv', whole('Rho-3'));
  expect((await idsOf(third))['Rho-3']).toBe(cup);

  // Another product has the handle now.
  const reused = csvOf([
    headers,
    ['rho-cup', 'Steel flask', 'Title', 'Default Title', '30.00', 'Rho-flask'],
    ...others,
  ]);
  expect((await idsOf(await listedAs('rho flask.csv', reused)))['Rho-flask']).not.toBe(cup);

  // One of its numbers is listed under another handle, so it is that product.
  const moved = [
    ['rho-cup', 'Rho cup', 'Size', 'L', '11.00', 'Rho-cup-L'],
    ['rho-mug', 'Rho mug', 'Size', 'S', '11.00', 'Rho-cup-S'],
  ];
  const fourth = await listedAs('rho 4.csv', csvOf([headers, ...moved, ...others]));
  const { 'Rho-cup-L': large, 'Rho-cup-S': small } = await idsOf(fourth);
  expect(small).toBe(cup);
  expect(large).not.toBe(cup);
});

longTest(
  'a product that was merged with another supplier’s stays merged when its list is read again',
  async () => {
    const headers = ['Title', 'Price', 'SKU', 'UPC'];
    const listFrom = (label: string) => [
      headers,
      [`${label} lamp`, '10.00', `${label}-0`, gtinOf(82_000)],
      ...Array.from({ length: 5 }, (_, at) => [`${label} cup ${at}`, '10.00', `${label}-${at + 1}`, '']),
    ];
    const theirs = await pushed(await listedAs('pi.csv', csvOf(listFrom('Pi'))));
    const ofRho = { supplier: 'new', supplierName: 'Rho' };
    const id = await pushed(await rested(await send('rho 1.csv', csvOf(listFrom('Rho')), ofRho)));
    await plan(id);
    const choice = { about: 'in-store', choice: 'update', product: 1 };
    expect(await stack.api.call('POST', `/api/queue/${id}/plan/choices`, { body: choice })).toMatchObject({
      body: { decided: 1 },
    });
    await pushed(id);
    const ofPi = (await idsOf(theirs))['Pi-0'];
    const itemIds = () => query(`select our_id from supplier_items where key = 's:RHO-0'`);
    expect(await itemIds()).toEqual([{ our_id: ofPi }]);
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { encoding: 'windows-1252' } });
    await rested(id);
    expect(await read(id)).toMatchObject({ rows_run: 2 });
    expect(await itemIds()).toEqual([{ our_id: ofPi }]);
    const next = await listedAs('rho 2.csv', csvOf(listFrom('Rho').toReversed().toSpliced(5, 0, headers)));
    expect((await idsOf(next))['Rho-0']).toBe(ofPi);
  },
);

test('a list that is being counted, or could not be, is neither read again nor deleted', async () => {
  const id = await pushed(await listed('sigma.csv', shelf('Sigma', 4)));
  const tasks = (set: string) =>
    query(`update chunks set ${set} where import_id = $1 and task = 'count-list'`, [id]);
  const refusals = async () => {
    const calls = [
      await stack.api.call('PUT', `/api/queue/${id}/supplier`, { body: { again: true } }),
      await stack.api.call('DELETE', `/api/queue/${id}`),
    ];
    return calls.map(({ status, body }) => [status, (body as { message: string }).message]);
  };
  const later = `not_before = now() + interval '1 hour', deferred_at = now()`;
  await tasks(`state = 'pending', ${later}`);
  const counting = [409, 'This import is becoming the supplier’s latest list. Wait until that has ended.'];
  expect(await refusals()).toEqual([counting, counting]);
  await tasks(`state = 'dead'`);
  const failed = [
    409,
    'This import couldn’t be made the supplier’s latest list. First retry or give up that work under Failed work.',
  ];
  expect(await refusals()).toEqual([failed, failed]);
  // A new task replaces it.
  expect((await answer(id, { counts: true })).status).toBe(200);
  await rested(id);
  expect((await stack.api.call('PUT', `/api/queue/${id}/supplier`, { body: { again: true } })).status).toBe(
    200,
  );
});

const get = <T>(path: string) => call<T>('GET', path);
type Missing = { items: { key: string; storeUrl: string | null }[]; next: string | null };
const shown = async (id: string) => (await get<{ job: { list: SupplierList } }>(`/api/queue/${id}`)).job.list;
const answer = (id: string, body: object) => stack.api.call('PUT', `/api/queue/${id}/list`, { body });
const rowsWith = async (id: string, filter: string) => {
  return get<{ matching: number | null; rows: Row[] }>(`/api/queue/${id}/rows?${filter}`);
};

test('screens read what a list is compared with, its rows by change, what is missing, and all as CSV', async () => {
  const march = shelf('Zeta', 60);
  const first = await pushed(await listed('zeta 1.csv', march));
  expect(await shown(first)).toMatchObject({
    state: 'counted',
    since: null,
    counts: null,
    notCompared: null,
  });
  const april = march.slice(0, 5).map((product, at) => (at === 1 ? { ...product, price: '12.50' } : product));
  const second = await listed('zeta 2.csv', april);
  const list = await shown(second);
  expect(list).toMatchObject({
    ...{ state: 'open', notCompared: null, newer: null, late: null },
    since: { importId: first, filename: 'zeta 1.csv' },
    counts: { unchanged: 4, changed: 1, dearer: 1, missing: 55, items: 60 },
    cutOff: { missing: 55, of: 60, shortRow: null, isWhole: null },
  });

  const dearer = await rowsWith(second, 'change=dearer');
  expect(dearer.matching).toBe(1);
  expect(dearer.rows.map(({ row, listed }) => [row, listed])).toEqual([
    [2, { changes: ['changed', 'dearer', 'price'], priceBefore: '10.00', quantityBefore: null }],
  ]);
  expect((await rowsWith(second, 'change=unchanged&limit=2')).rows.map(({ row }) => row)).toEqual([1, 3]);
  expect((await rowsWith(second, 'change=unchanged&before=5&limit=2')).rows.map(({ row }) => row)).toEqual([
    3, 4,
  ]);
  expect((await rowsWith(second, 'change=new')).matching).toBe(0);
  expect(await rowsWith(second, 'change=changed&class=error')).toMatchObject({ matching: 0, rows: [] });
  expect((await rowsWith(second, `change=changed&q=${encodeURIComponent('number 2')}`)).rows).toHaveLength(1);
  expect(await rowsWith(second, 'change=dearer&class=valid')).toMatchObject({
    matching: null,
    rows: [{ row: 2 }],
  });
  expect(await get(`/api/queue/${second}/values?field=price&change=dearer`)).toMatchObject({
    values: [{ value: '12.50', rows: 1 }],
    rows: 1,
  });

  const page = await get<Missing>(`/api/queue/${second}/list/missing`);
  const rest = await get<Missing>(
    `/api/queue/${second}/list/missing?after=${encodeURIComponent(page.next ?? '')}`,
  );
  expect([page.items.length, rest.items.length, rest.next]).toEqual([50, 5, null]);
  expect(page.items[0]).toMatchObject({ key: 's:ZETA-10', title: 'Zeta vase number 10', price: '10.00' });
  expect(page.items[0]?.storeUrl).toContain('/products/');
  const text = await get<string>(`/api/queue/${second}/list/changes.csv`);
  const lines = text.replace('\ufeff', '').trim().split('\r\n');
  expect(lines.slice(0, 3)).toEqual([
    'Key,Title,What,Price before,Price now',
    'ZETA-2,Zeta vase number 2,"changed, dearer, price",10.00,12.50',
    'ZETA-10,Zeta vase number 10,missing,10.00,',
  ]);
  expect(lines).toHaveLength(57);

  // Once it counts, its items have other prices, and its rows still say what was before.
  await answer(second, { isWhole: true });
  expect((await shown(second)).cutOff).toMatchObject({ isWhole: true });
  await pushed(second);
  expect(await shown(second)).toMatchObject({ state: 'counted', cutOff: null, since: { importId: first } });
  expect((await rowsWith(second, 'change=dearer')).rows[0]?.listed).toMatchObject({ priceBefore: '10.00' });
});

longTest('rows that repeat a price in another currency are not compared, and double no SKU', async () => {
  const headers = ['Handle', 'Title', 'SKU', 'Option1 Name', 'Option1 Value', 'Price', 'Currency'];
  const listIn = (price: string) =>
    csvOf([
      headers,
      ...['USD', 'EUR'].flatMap((currency) =>
        Array.from({ length: 6 }, (_, at) => [
          ...[`xi-${at}`, currency === 'USD' ? `Xi vase ${at}` : '', `XI-${at}`],
          ...(currency === 'USD' ? ['Size', 'S'] : ['', '']),
          ...[at === 0 ? price : '10.00', currency],
        ]),
      ),
    ]);
  const first = await pushed(await listedAs('xi 1.csv', listIn('10.00')));
  await call('PATCH', `/api/queue/${first}/rows/2`, { values: { price: '11.50' } });
  const second = await listedAs('xi 2.csv', listIn('12.00'));
  const { rows: carried } = await rowsWith(second, 'change=carried');
  expect(carried.map(({ row, values }) => [row, values.price])).toEqual([[2, '11.50']]);
  expect((await rowsWith(second, 'issue=price-repeated')).matching).toBe(6);
  expect((await shown(second)).counts).toMatchObject({
    changed: 1,
    dearer: 1,
    unchanged: 5,
    doubled: 0,
    items: 6,
  });
});

longTest(
  'fields that only one of two lists has are named, and what they belong to is not compared',
  async () => {
    const products = shelf('Nu', 6);
    const first = await pushed(await listed('nu 1.csv', products));
    expect(await shown(first)).toMatchObject({ differences: null });
    const rows = products.map(({ title, sku }) => [title, '12.00', sku, '4.00']);
    const second = await listedAs('nu 2.csv', csvOf([['Title', 'Price', 'SKU', 'Cost'], ...rows]));
    expect(await shown(second)).toMatchObject({
      differences: { added: ['cost'], missing: [], groups: ['price'] },
      counts: { unchanged: 6, changed: 0, dearer: 0 },
    });
    await pushed(second);
    const third = await listed('nu 3.csv', products);
    expect(await shown(third)).toMatchObject({
      differences: { added: [], missing: ['cost'], groups: ['price'] },
    });
    // Every poll of a list that counts asks for its differences, which are not read from the mapping of its columns.
    await query(`update runs set mapping = mapping::jsonb #- '{sources,cost}' where import_id = $1`, [
      second,
    ]);
    expect(await shown(second)).toMatchObject({ state: 'counted', differences: { added: ['cost'] } });
    const fourth = await listedAs('nu 4.csv', csvOf([['Title', 'Price', 'SKU', 'Cost'], ...rows]));
    expect(await shown(fourth)).toMatchObject({ differences: null, counts: { unchanged: 6 } });
  },
);

longTest('without its rows a list is taken back, and does not count', async () => {
  const first = await pushed(await listed('rowless 1.csv', shelf('Rowless', 6)));
  const second = await listed('rowless 2.csv', shelf('Rowless', 5));
  const counting = async (id: string, counts: boolean) => {
    await query('update imports set rows_removed_at = now() where id = $1', [id]);
    await query(`update supplier_lists set answers = $2 where import_id = $1`, [id, { counts }]);
    const record = await read(id);
    await stack.database.db.transaction().execute((trx) => replaceCountTask(trx, record));
    await rested(id);
  };
  await counting(second, true);
  expect(await listOf(second)).toMatchObject({ state: 'open' });
  const missed =
    'select from item_versions where missed and supplier = (select supplier from imports where id = $1)';
  expect(await query(missed, [second])).toEqual([]);
  await counting(first, false);
  expect(await listOf(first)).toMatchObject({ state: 'not counted' });
});

test.runIf(isLong)('an older list does not count by itself, and the latest one is taken back', async () => {
  const march = shelf('Eta', 10);
  const dearer = march.map((product) => ({ ...product, price: '11.00' }));
  const first = await pushed(await listed('eta 1.csv', march));
  const second = await pushed(await listed('eta 2.csv', dearer));
  const { supplier } = await read(first);
  const items = () =>
    query(
      `select key, price, content_list, missed_since from ${itemsNow(stack.database)}
       where supplier = $1 order by key`,
      [supplier],
    );
  const counted = await items();

  const late = await listed('eta 1 again.csv', march);
  expect((await shown(late)).late).toEqual({ filename: 'eta 2.csv', back: 10, of: 10, isLatest: null });
  await pushed(late);
  expect(await listOf(late)).toMatchObject({ state: 'open' });
  expect(await items()).toEqual(counted);
  expect((await answer(first, { counts: false })).status).toBe(409);

  expect((await answer(late, { isLatest: true })).status).toBe(200);
  await rested(late);
  expect(await listOf(late)).toMatchObject({ state: 'counted' });
  const third = await items();
  expect(third).not.toEqual(counted);
  expect((await answer(late, { counts: false })).status).toBe(200);
  await rested(late);
  expect(await listOf(late)).toMatchObject({ state: 'not counted' });
  expect(await items()).toEqual(counted);
  expect((await answer(late, { counts: true })).status).toBe(200);
  await rested(late);
  expect(await items()).toEqual(third);
  expect(await listOf(second)).toMatchObject({ state: 'counted' });
});

test.runIf(isLong)(
  'a list says that a newer one waits, and that another one has counted since it was compared',
  async () => {
    const march = shelf('Theta', 10);
    const first = await listed('theta 1.csv', march);
    const second = await listed('theta 2.csv', march.slice(1));
    expect((await shown(first)).newer).toEqual({ importId: second, filename: 'theta 2.csv', state: 'waits' });
    expect(await shown(second)).toMatchObject({ newer: null, since: null, counts: null });
    const { version } = await read(second);
    await pushed(first);
    expect((await shown(second)).newer).toEqual({
      importId: first,
      filename: 'theta 1.csv',
      state: 'counted',
    });
    expect((await read(second)).version).toBeGreaterThan(version);

    // It counts all the same, with what it lacks.
    await pushed(second);
    const { supplier } = await read(second);
    const missed = await query(
      `select key from ${itemsNow(stack.database)} where supplier = $1 and missed_since = 2`,
      [supplier],
    );
    expect(missed).toEqual([{ key: 's:THETA-1' }]);

    // A list that was compared with it is not older than the one that counts instead, once it is taken back.
    const third = await listed('theta 3.csv', march.slice(2));
    expect((await answer(second, { counts: false })).status).toBe(200);
    await rested(second);
    const takenBack = { importId: second, filename: 'theta 2.csv', state: 'taken back' };
    expect((await shown(third)).newer).toEqual(takenBack);
  },
);

test('a list without keys says so, and a test is no list', async () => {
  const rows = Array.from({ length: 5 }, (_, at) => [`Unkeyed ${at}`, '9.50']);
  const id = await listedAs('unkeyed.csv', csvOf([['Title', 'Price'], ...rows]));
  expect(await shown(id)).toMatchObject({
    supplier: null,
    notCompared: 'Not compared: no SKU, UPC or item number identifies its products.',
  });
  const tested = await rested(await send('test.csv', csv(shelf('Iota', 5)), { testMode: 'true' }));
  expect(await shown(tested)).toBeNull();
});

longTest('products that were pushed keep their ids when the list goes to another supplier', async () => {
  const products = shelf('Kappa', 6);
  const first = await pushed(await listed('kappa 1.csv', products));
  const { supplier } = await read(first);
  const before = (await stack.store.stats()).products;
  // Nobody's list: its products are others, of which two are pushed under ids of their own.
  const others = products.map((product, at) => ({ ...product, sku: at < 2 ? `other-${at}` : product.sku }));
  const id = await rested(await send('kappa 2.csv', csv(others), { supplier: '' }));
  expect((await read(id)).supplier).toBeNull();
  await pushed(id);
  expect((await stack.store.stats()).products).toBe(before + 2);
  const ids = await idsOf(id);
  await call('PUT', `/api/queue/${id}/supplier`, { supplier });
  await rested(id);
  expect(await read(id)).toMatchObject({ supplier, rows_run: 2 });
  const [then, now] = [await idsOf(first), await idsOf(id)];
  const sent = await query<{ our_id: string }>(
    `select our_id from outcomes where import_id = $1 and rows_run = 2 and outcome in ('created','updated')`,
    [id],
  );
  expect(sent.map(({ our_id }) => our_id)).toEqual(expect.arrayContaining([ids['other-0'], ids['other-1']]));
  expect([now['other-0'], now['other-1']]).toEqual([ids['other-0'], ids['other-1']]);
  expect(new Set(Object.values(now)).size).toBe(6);
  expect(Object.values(then).filter((ourId) => Object.values(now).includes(ourId)).length).toBeGreaterThan(0);
  await pushed(id);
  expect((await stack.store.stats()).products).toBe(before + 2);
});

test.runIf(isLong)(
  'a file that ends in the middle of a row is noticed, also if little is missing',
  async () => {
    const products = shelf('Mu', 30);
    await pushed(await listed('mu 1.csv', products));
    const lines = csv(products.slice(0, 29)).trimEnd();
    const torn = lines.slice(0, lines.lastIndexOf(',10.00'));
    const id = await listedAs('mu 2.csv', torn);
    expect((await shown(id)).cutOff).toEqual({ missing: 2, of: 30, shortRow: 29, isWhole: null });
  },
);
