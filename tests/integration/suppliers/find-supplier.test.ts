import { randomUUID } from 'node:crypto';
import { hashLetters } from '@draftshelf/domain/suppliers/hash-text';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { csvOf, until } from '../../support/fixture.ts';
import { folderImport } from '../../support/folder-import.ts';
import { importSteps } from '../../support/import-steps.ts';
import { itemsNow } from '../../support/items-now.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const longTest = test.runIf(isLong);
test.beforeEach(async () => {
  await stack.database.pool.query('delete from suppliers');
});

const { read, reach, upload, rested, call } = importSteps(() => stack);

async function reached(id: string) {
  const record = await reach(id, 'queued', 'processed', 'failed');
  expect(record.error_message).toBeNull();
  return record;
}

type Fields = Record<string, string>;
const send = (filename: string, csv: string, fields: Fields = {}) => upload(csv, fields, filename);
async function listed(filename: string, csv: string, after: Fields = {}) {
  const id = await send(filename, csv, after);
  return reached(id);
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at);
/** A list of `count` products from number `from` on, with names and keys of a supplier. */
const listOf = (
  prefix: string,
  name: string,
  { count = 20, from = 1, price = '9.50', headers = ['Title', 'Price', 'SKU', 'Vendor'] } = {},
) =>
  csvOf([
    headers,
    ...numbers(count, from).map((number) => [
      `${name} ${number}`,
      price,
      `${prefix}${number}`,
      `${name} Ltd`,
    ]),
  ]);

const suppliers = async () =>
  (await stack.database.pool.query('select id, name, named_by_operator from suppliers order by id')).rows;
const lists = async () =>
  (
    await stack.database.pool.query(
      'select supplier, number, import_id, filename from supplier_lists order by began_at',
    )
  ).rows;
const ofNobody = { supplier: null, supplier_by: null, asked_supplier: null };

const set = (id: string, body: object) => stack.api.call('PUT', `/api/queue/${id}/supplier`, { body });

test('a first list begins a supplier, and the next lists are its own', async () => {
  const march = await listed('acme-march.csv', listOf('A-', 'Vase'));
  const [acme] = await suppliers();
  expect(acme).toMatchObject({ name: 'Vase Ltd', named_by_operator: false });
  expect(march).toMatchObject({ supplier: acme.id, supplier_by: 'evidence', asked_supplier: null });

  // In another order, with other columns, prices and a quarter of new products.
  const april = await listed(
    'acme-april.csv',
    listOf('A-', 'Vase', { from: 6, price: '12.00' }).replace('Vendor', 'Brand name'),
  );
  expect(april).toMatchObject({ supplier: acme.id, supplier_by: 'evidence' });
  const other = await listed('other.csv', listOf('B-', 'Chair'));
  expect(other.supplier).not.toBe(acme.id);
  expect(await lists()).toMatchObject([
    { supplier: acme.id, number: 1, import_id: march.id, filename: 'acme-march.csv' },
    { supplier: acme.id, number: 2, import_id: april.id },
    { supplier: other.supplier, number: 1 },
  ]);
  const { rows: signs } = await stack.database.pool.query(
    `select kind, value, lists from supplier_signs where supplier = $1 and kind = 'filename'`,
    [acme.id],
  );
  expect(signs).toEqual([{ kind: 'filename', value: 'acme', lists: 2 }]);
});

test('item numbers of another supplier are no sign of this one', async () => {
  const first = await listed(
    'first.csv',
    listOf('10', 'Vase', { headers: ['Title', 'Price', 'SKU', 'Vendor'] }),
  );
  const second = await listed(
    'second.csv',
    listOf('10', 'Chair', { headers: ['Name', 'Cost', 'SKU', 'Brand'] }),
  );
  expect(second.supplier_by).toBe('evidence');
  expect(second.supplier).not.toBe(first.supplier);
  // In the layout of the first one only the operator can tell.
  const third = await listed('third.csv', listOf('10', 'Table'));
  expect(third).toMatchObject({
    ...ofNobody,
    asked_supplier: first.supplier,
    asked_known: 20,
    asked_sampled: 20,
  });
  expect(await lists()).toHaveLength(2);
});

/** A supplier's first list, which counts, and its next one, in which all products have other numbers. */
async function renumbered(between: () => Promise<unknown> = async () => {}) {
  const first = await listed('first.csv', listOf('A-', 'Vase'));
  await stack.api.call('PUT', `/api/queue/${first.id}/list`, { body: { counts: true } });
  await rested(first.id);
  await between();
  const next = await listed('next.csv', listOf('X-', 'Vase'));
  return { of: next.supplier ?? next.asked_supplier, should: first.supplier };
}

test('a list with other numbers for all products begins no supplier', async () => {
  const { of, should } = await renumbered();
  expect(of).toBe(should);
});

longTest('a list with other numbers in a layout of two suppliers begins none either', async () => {
  const { of, should } = await renumbered(() => listed('second.csv', listOf('B-', 'Chair')));
  expect(of).toBe(should);
});

test('a test, and a list without keys, are nobody’s', async () => {
  const tested = await listed('test.csv', listOf('A-', 'Vase'), { testMode: 'true' });
  const rows = numbers(6).map((number) => [`Vase ${number}`, '9.50']);
  const unkeyed = await listed('unkeyed.csv', csvOf([['Title', 'Price'], ...rows]));
  expect(tested).toMatchObject(ofNobody);
  expect(unkeyed).toMatchObject(ofNobody);
  expect(await suppliers()).toEqual([]);
});

test.runIf(isLong)('two first lists that are read at once are of one supplier', async () => {
  const ids = await Promise.all(
    ['acme 1.csv', 'acme 2.csv', 'acme 3.csv'].map((name, at) =>
      send(name, listOf('A-', 'Vase', { price: `${at}.50` })),
    ),
  );
  const records = await Promise.all(ids.map((id) => reached(id)));
  expect(new Set(records.map(({ supplier }) => supplier)).size).toBe(1);
  expect(await suppliers()).toHaveLength(1);
  expect((await lists()).map(({ number }) => number)).toEqual([1, 2, 3]);
});

longTest('a new supplier’s list ends while other suppliers keep beginning', async () => {
  const client = await stack.database.pool.connect();
  const key = `hashtext('draftshelf'), hashtext('new supplier')`;
  const lastStep = async (id: string) => {
    const { rows } = await client.query(
      `select finalize ->> 'step' as step, finalize -> 'supplier' -> 'newest' as newest from runs
       where import_id = $1 and finalize is not null`,
      [id],
    );
    return rows[0];
  };
  try {
    await client.query(`select pg_advisory_lock(${key})`);
    const id = await send('acme.csv', listOf('A-', 'Vase'));
    await until('it is about to end', async () => (await lastStep(id))?.step === null);
    const { newest } = await lastStep(id);
    await client.query(`insert into suppliers (name) values ('Bravo')`);
    await client.query(`select pg_advisory_unlock(${key})`);
    await reached(id);
    // Its steps were not repeated for Bravo.
    expect(await lastStep(id)).toEqual({ step: null, newest });
    expect(await suppliers()).toMatchObject([{ name: 'Bravo' }, { name: 'Vase Ltd' }]);
  } finally {
    await client.query('select pg_advisory_unlock_all()');
    client.release();
  }
});

test('the operator says at upload whose list it is', async () => {
  const acme = await listed('acme.csv', listOf('A-', 'Vase'));
  const named = await listed('beta.csv', listOf('A-', 'Vase'), { supplier: 'new', supplierName: ' Beta ' });
  const unnamed = await listed('gamma.csv', listOf('C-', 'Cup'), { supplier: 'new' });
  const nobodys = await listed('acme-again.csv', listOf('A-', 'Vase', { price: '1.00' }), { supplier: '' });
  const chosen = await listed('delta.csv', listOf('D-', 'Dish'), { supplier: String(acme.supplier) });
  expect(await suppliers()).toMatchObject([
    { id: acme.supplier, name: 'Vase Ltd', named_by_operator: true },
    { id: named.supplier, name: 'Beta', named_by_operator: true },
    { id: unnamed.supplier, name: 'Cup Ltd', named_by_operator: true },
  ]);
  expect(nobodys).toMatchObject({ supplier: null, supplier_by: 'operator', asked_supplier: null });
  expect(chosen).toMatchObject({ supplier: acme.supplier, supplier_by: 'operator' });

  // A re-read for another reason keeps the choice.
  await call('POST', `/api/queue/${named.id}/dialect`, { encoding: 'windows-1252' });
  await reached(named.id);
  expect(await read(named.id)).toMatchObject({
    parse_run: 2,
    supplier: named.supplier,
    supplier_by: 'operator',
  });
  expect(await suppliers()).toHaveLength(3);
});

test.each([
  ['another word', { supplier: 'acme' }, 'This supplier doesn’t exist.'],
  ['an id that is not there', { supplier: '2147483647' }, 'This supplier doesn’t exist.'],
  ['a longer id', { supplier: '99999999999' }, 'This supplier doesn’t exist.'],
  ['a long name', { supplier: 'new', supplierName: 'x'.repeat(101) }, 'This name isn’t supported'],
  ['no date', { fileDate: 'yesterday' }, 'The file’s date isn’t in ISO 8601 format'],
])('an upload with %s is refused and leaves nothing', async (_, after, sentence) => {
  const count = async () =>
    (await stack.database.pool.query('select count(*)::int as imports from imports')).rows;
  const before = await count();
  const answer = await stack.api.upload(csvForm(listOf('A-', 'Vase'), { after: after as Fields }));
  expect(answer.status).toBe(400);
  expect(JSON.stringify(answer.body)).toContain(sentence);
  expect(await count()).toEqual(before);
});

test('the upload or the folder of a file says when it was changed', async () => {
  const fileDate = '2026-03-01T10:00:00.000Z';
  const dated = await send('acme.csv', listOf('A-', 'Vase', { from: 2 }), { fileDate });
  const undated = await send('acme.csv', listOf('A-', 'Vase', { from: 3 }));
  await Promise.all([dated, undated].map(reached));
  expect((await read(dated)).file_at?.toISOString()).toBe(fileDate);
  expect((await read(undated)).file_at).toBeNull();
});

test('the operator changes whose list an import is', async () => {
  const acme = await listed('acme.csv', listOf('A-', 'Vase'));
  const beta = await listed('beta.csv', listOf('B-', 'Chair'));
  // Its only list: the supplier gets the name.
  expect(await set(beta.id, { name: 'Beta' })).toMatchObject({ status: 200, body: { success: true } });
  expect(await read(beta.id)).toMatchObject({
    parse_run: 1,
    supplier: beta.supplier,
    supplier_by: 'operator',
  });
  // A name in another case is the supplier that has it. The one that began with the list is not left behind.
  expect((await set(acme.id, { name: 'bETA' })).status).toBe(200);
  const moved = await reached(acme.id);
  expect(moved).toMatchObject({ parse_run: 2, supplier: beta.supplier, supplier_by: 'operator' });
  await until('the other one is gone', async () => (await suppliers()).length === 1);
  expect(await suppliers()).toMatchObject([{ id: beta.supplier, name: 'Beta', named_by_operator: true }]);
  expect(await lists()).toMatchObject([
    { number: 1, import_id: beta.id },
    { number: 2, import_id: acme.id },
  ]);
  // Nobody's: a re-read, because its rows may have ids of the supplier's items.
  expect((await set(acme.id, { supplier: null })).status).toBe(200);
  expect(await reached(acme.id)).toMatchObject({
    supplier: null,
    supplier_by: 'operator',
  });
  expect(await lists()).toHaveLength(1);
});

test('a list is compared again by a re-read, and nobody has said whose it is by that', async () => {
  const acme = await listed('acme.csv', listOf('A-', 'Vase'));
  expect((await set(acme.id, { again: true })).status).toBe(200);
  const again = await reached(acme.id);
  expect(again).toMatchObject({ parse_run: 2, supplier: acme.supplier });
  expect(again.supplier_by).toBe(acme.supplier_by);
});

test('an answer to the question is a re-read with the supplier, or none with another one', async () => {
  const first = await listed('first.csv', listOf('10', 'Vase'));
  const other = await listed('other.csv', listOf('10', 'Table'));
  expect(other.asked_supplier).toBe(first.supplier);
  expect((await set(other.id, { name: 'Tables' })).status).toBe(200);
  const answered = await read(other.id);
  expect(answered).toMatchObject({ parse_run: 1, supplier_by: 'operator', asked_supplier: null });
  expect(answered.supplier).not.toBe(first.supplier);
  const items = async () =>
    (await stack.database.pool.query('select 1 from supplier_items where supplier = $1', [answered.supplier]))
      .rows;
  await expect.poll(items).toHaveLength(20);
  // What a list that counts has changed is taken back first.
  await stack.database.pool.query(`update supplier_lists set state = 'counted' where import_id = $1`, [
    other.id,
  ]);
  expect(await set(other.id, { supplier: first.supplier })).toMatchObject({ status: 409 });

  const another = await listed('another.csv', listOf('10', 'Lamp').replaceAll('Vendor', 'vendor'));
  // The layout is of two suppliers now, so it says nothing, and no product is one of theirs.
  expect(another).toMatchObject({ supplier_by: 'evidence', asked_supplier: null });
  expect((await set(another.id, { supplier: first.supplier })).status).toBe(200);
  expect(await reached(another.id)).toMatchObject({
    parse_run: 2,
    supplier: first.supplier,
  });
});

test.runIf(isLong)(
  'setting a supplier is refused in other states, for tests, and for unknown ids',
  async () => {
    const tested = await listed('test.csv', listOf('A-', 'Vase'), { testMode: 'true' });
    expect(await set(tested.id, { name: 'Acme' })).toMatchObject({ status: 409 });
    expect(await set(randomUUID(), { name: 'Acme' })).toMatchObject({ status: 404 });
    const acme = await listed('acme.csv', listOf('A-', 'Vase'));
    expect(await set(acme.id, { supplier: 2_000_000_000 })).toMatchObject({
      status: 409,
      body: { message: 'This supplier was deleted.' },
    });
    expect(await set(acme.id, { name: ' ' })).toMatchObject({ status: 400 });
    await stack.database.pool.query(`update imports set status = 'cancelled' where id = $1`, [acme.id]);
    expect(await set(acme.id, { name: 'Acme' })).toMatchObject({ status: 409 });
  },
);

test('a supplier that is deleted while its list is read leaves the import nobody’s', async () => {
  const acme = await listed('acme.csv', listOf('A-', 'Vase'));
  const id = await send('beta.csv', listOf('B-', 'Chair'), { supplier: String(acme.supplier) });
  await stack.database.pool.query('delete from suppliers');
  expect(await reached(id)).toMatchObject({ supplier: null, supplier_by: 'operator' });
});

async function deleted(id: string): Promise<void> {
  await until('its deletion begins', async () => {
    const { status, body } = await stack.api.call('DELETE', `/api/queue/${id}`);
    // A task of the import that was just read may be storing something.
    if (status !== 200) expect(body).toMatchObject({ code: 'busy' });
    return status === 200;
  });
  await until('it is gone', async () => {
    return (await stack.database.pool.query('select 1 from imports where id = $1', [id])).rows.length === 0;
  });
}

/** Waits until the products of a list are kept as items. */
const kept = (supplier: number | null, count: number) =>
  until('its products are kept', async () => {
    const items = 'select 1 from supplier_items where supplier = $1';
    return (await stack.database.pool.query(items, [supplier])).rows.length === count;
  });

test.runIf(isLong)(
  'a supplier goes with its only list, and the next file begins it under the same name',
  async () => {
    const acme = await listed('acme.csv', listOf('A-', 'Vase'));
    await kept(acme.supplier, 20);
    await deleted(acme.id);
    expect(await suppliers()).toEqual([]);
    const next = await listed('acme-april.csv', listOf('A-', 'Vase', { price: '12.00' }));
    expect(await suppliers()).toMatchObject([{ id: next.supplier, name: 'Vase Ltd' }]);
  },
);

test('a supplier of which nothing has a name gets a number', async () => {
  const headers = ['Title', 'Price', 'SKU', 'Type'];
  await listed('july.csv', listOf('A-', 'Vase', { headers }));
  await listed('2026-07.csv', listOf('B-', 'Chair', { headers: [...headers.slice(0, 3), 'Shelf'] }));
  expect(await suppliers()).toMatchObject([{ name: 'Supplier 1' }, { name: 'Supplier 2' }]);
});

test.runIf(isLong)(
  'a supplier that the operator has named outlives its lists, and is known by its names',
  async () => {
    const acme = await listed('acme.csv', listOf('A-', 'Vase'));
    expect((await set(acme.id, { name: 'Acme & Sons' })).status).toBe(200);
    await kept(acme.supplier, 20);
    await deleted(acme.id);
    expect(await suppliers()).toMatchObject([{ id: acme.supplier, name: 'Acme & Sons' }]);
    // Its columns alone may be those of others, so that is asked.
    const other = await listed('april.csv', listOf('B-', 'Cup', { price: '12.00' }));
    expect(other).toMatchObject({ supplier: null, asked_supplier: acme.supplier, asked_known: 0 });
    await deleted(other.id);
    const named = await listed('acme april.csv', listOf('C-', 'Dish', { price: '12.00' }));
    expect(named.supplier).toBe(acme.supplier);
    await kept(named.supplier, 20);
    await deleted(named.id);
    const headers = ['Name', 'Cost', 'SKU', 'Brand'];
    const vendors = listOf('D-', 'Acme & Sons', { headers }).replaceAll(' Ltd', '');
    expect((await listed('may.csv', vendors)).supplier).toBe(acme.supplier);
    expect(await suppliers()).toHaveLength(1);
  },
);

test.runIf(isLong)(
  'a supplier outlives its lists with the values that the operator has set in any of them',
  async () => {
    const march = await listed('acme-march.csv', listOf('A-', 'Vase', { from: 6 }));
    await kept(march.supplier, 20);
    const april = await listed('acme-april.csv', listOf('A-', 'Vase', { from: 5 }));
    await kept(march.supplier, 21);
    const body = { values: { price: '14.40' } };
    expect((await stack.api.call('PATCH', `/api/queue/${april.id}/rows/2`, { body })).status).toBe(200);
    await deleted(april.id);
    await deleted(march.id);
    const may = await listed('acme-may.csv', listOf('A-', 'Vase', { from: 7, price: '9.50' }));
    expect(may.supplier).toBe(march.supplier);
    const june = await listed('acme-june.csv', listOf('A-', 'Vase', { from: 6, count: 3 }));
    const { body: shown } = await stack.api.call('GET', `/api/queue/${june.id}/rows`);
    const { rows } = shown as { rows: { values: { price: string } }[] };
    expect(rows.map(({ values }) => values.price)).toEqual(['14.40', '9.50', '9.50']);
    expect(await suppliers()).toHaveLength(1);
  },
);

longTest('a list whose supplier goes with the list before while it is read begins a supplier', async () => {
  const acme = await listed('acme.csv', listOf('A-', 'Vase'));
  await kept(acme.supplier, 20);
  const client = await stack.database.pool.connect();
  const waiting = `select 1 from pg_stat_activity
    where application_name = 'draftshelf-parse' and datname = current_database() and wait_event_type = 'Lock'`;
  const untilWaits = () => until('it waits', async () => (await client.query(waiting)).rows.length > 0);
  try {
    // First its rows, then its own import.
    stack.process('parse-worker').kill('SIGSTOP');
    const id = await send('acme-april.csv', listOf('A-', 'Vase', { price: '12.00' }));
    const key = `hashtext('draftshelf rows'), hashtext('${id}')`;
    await client.query(`select pg_advisory_lock(${key})`);
    stack.process('parse-worker').kill('SIGCONT');
    await untilWaits();
    await client.query('begin');
    await client.query('select 1 from imports where id = $1 for no key update', [id]);
    await client.query(`select pg_advisory_unlock(${key})`);
    await until('all is read', async () => {
      const step = `select finalize ->> 'step' as step from runs where import_id = $1 and finalize is not null`;
      const { rows } = await client.query(step, [id]);
      return rows.length > 0 && rows[0].step === null;
    });
    await deleted(acme.id);
    expect(await suppliers()).toEqual([]);
    await client.query('commit');
    const april = await reached(id);
    expect(await suppliers()).toMatchObject([{ id: april.supplier, name: 'Vase Ltd' }]);
    await kept(april.supplier, 20);
  } finally {
    stack.process('parse-worker').kill('SIGCONT');
    await client.query('rollback');
    client.release();
  }
});

test.runIf(isLong)('the third list in a row from a folder makes it the supplier’s', async () => {
  const arrive = async (path: string, csv: string) => {
    const { id } = await folderImport(stack, { csv, path, mode: 'manual' });
    return reached(id);
  };
  const folder = '/lists/Boggi';
  const headers = ['Title', 'Price', 'SKU', 'Type'];
  const first = await arrive(`${folder}/1.csv`, listOf('A-', 'Vase', { headers }));
  await arrive(`${folder}/2.csv`, listOf('A-', 'Vase', { from: 2, headers }));
  await arrive(`${folder}/3.csv`, listOf('A-', 'Vase', { from: 3, headers }));
  expect(await suppliers()).toMatchObject([{ id: first.supplier, name: 'Boggi' }]);
  const lots = await arrive(`${folder}/4.csv`, listOf('Z-', 'Lot', { headers }));
  expect(lots.supplier).toBe(first.supplier);
});

test('a supplier with several lists is renamed, unless the name is taken or it has another one now', async () => {
  const acme = await listed('acme.csv', listOf('A-', 'Vase'));
  await listed('acme again.csv', listOf('A-', 'Vase', { from: 2 }));
  await listed('other.csv', listOf('B-', 'Chair'));
  const rename = async (name: string, from: string) => {
    const body = { name, from };
    const answer = await stack.api.call('PATCH', `/api/suppliers/${acme.supplier}`, { body });
    return [answer.status, (answer.body as { message?: string }).message];
  };
  expect(await rename(' Acme ', 'Vase Ltd')).toEqual([200, undefined]);
  expect(await suppliers()).toMatchObject([
    { id: acme.supplier, name: 'Acme', named_by_operator: true },
    { name: 'Chair Ltd', named_by_operator: false },
  ]);
  expect(await rename('ACME', 'Acme')).toEqual([200, undefined]);
  expect(await rename('chair ltd', 'ACME')).toEqual([409, 'A supplier named Chair Ltd already exists.']);
  expect(await rename('Beta', 'Acme')).toEqual([409, 'This supplier is called ACME now.']);
  expect((await rename(' ', 'ACME'))[0]).toBe(400);
  const { rows } = await stack.database.pool.query('select max(id) + 1 as id from suppliers');
  const unknown = { body: { name: 'Beta', from: 'Gamma' } };
  expect((await stack.api.call('PATCH', `/api/suppliers/${rows[0].id}`, unknown)).status).toBe(409);
  expect(await lists()).toHaveLength(3);
});

test('the screen asks whose list a file is before it is uploaded', async () => {
  const find = async (filename: string, prefix: string, name: string) => {
    const items = numbers(20).map((number) => ({
      key: `s:${prefix}${number}`,
      gtin: null,
      letters: hashLetters(`${name} ${number}`).toString(16),
    }));
    const body = { filename, headers: ['Title', 'Price', 'SKU', 'Vendor'], items };
    return (await stack.api.call('POST', '/api/suppliers/find', { body })).body;
  };
  const unknown = { supplier: null, known: 0, last: null };
  expect(await find('acme.csv', 'A-', 'Vase')).toEqual({ ...unknown, is: 'new', sampled: 20 });
  const acme = await listed('acme.csv', listOf('A-', 'Vase'));
  // Who has one supplier sees no name.
  const certain = { ...unknown, is: 'certain', known: 20, sampled: 20 };
  await expect.poll(() => find('acme.csv', 'A-', 'Vase')).toEqual(certain);
  await set(acme.id, { name: 'Acme' });
  const supplier = { id: acme.supplier, name: 'Acme' };
  const last = { filename: 'acme.csv', items: 20 };
  expect(await find('april.csv', 'A-', 'Vase')).toEqual({
    is: 'certain',
    supplier,
    known: 20,
    sampled: 20,
    last,
  });
  expect(await find('april.csv', 'A-', 'Chair')).toEqual({
    is: 'unsure',
    supplier,
    known: 20,
    sampled: 20,
    last,
  });
  expect((await stack.api.call('GET', '/api/suppliers')).body).toEqual([{ ...supplier, isNamed: true }]);
});

/** Makes an import one that was pushed before there were suppliers, and whose rows are gone. */
async function pushedEarlier(id: string, ourId: string): Promise<void> {
  const { pool } = stack.database;
  await pool.query(
    `update imports set supplier = null, supplier_by = null, push_run = 1, shop = 'a-shop', status = 'completed' where id = $1`,
    [id],
  );
  await pool.query('update runs set finalize = null where import_id = $1', [id]);
  await pool.query(
    `insert into outcomes (import_id, rows_run, product, run, our_id, outcome)
     select import_id, run, product, 1, $2 || product, case product when 3 then 'failed' else 'created' end
     from rows where import_id = $1`,
    [id, ourId],
  );
  await pool.query(
    `insert into product_keys (shop, kind, value, our_id, import_id)
     select 'a-shop', kind, value, $2 || product, import_id
     from rows, lateral (values ('sku', sku), ('item', sku)) keys (kind, value) where import_id = $1 and product <> 9`,
    [id, ourId],
  );
  await pool.query(
    `insert into listings (shop, our_id, sent) select 'a-shop', $2 || product, json_build_object('title', title)
     from rows where import_id = $1`,
    [id, ourId],
  );
  await pool.query('delete from rows where import_id = $1', [id]);
}

longTest('products that were pushed before there were suppliers are items of the first list', async () => {
  const headers = ['Title', 'Price', 'SKU', 'Shelf'];
  const january = await listed('acme-january.csv', listOf('A-', 'Vase', { headers }));
  await pushedEarlier(january.id, 'january-');
  const february = await listed('acme-february.csv', listOf('A-', 'Vase', { headers, from: 11 }));
  await pushedEarlier(february.id, 'february-');
  await stack.database.pool.query('delete from suppliers');
  const march = await listed('acme-march.csv', listOf('A-', 'Vase', { headers, from: 5, price: '7.00' }));
  expect(march.supplier_by).toBe('evidence');
  const { rows: items } = await stack.database.pool.query(
    `select key, our_id, title, hashes, first_list, content_list from ${itemsNow(stack.database)}
     where supplier = $1 and first_list = 0 order by length(key), key`,
    [march.supplier],
  );
  expect(items).toHaveLength(28);
  const noContent = { hashes: null, first_list: 0, content_list: null };
  expect(items[0]).toEqual({ ...noContent, key: 's:A-1', our_id: 'january-1', title: 'Vase 1' });
  // Neither what failed, nor what has no key, nor what a later list has under another id.
  expect(items.map(({ key }) => key)).not.toContain('s:A-3');
  expect(items.find(({ key }) => key === 's:A-12')).toMatchObject({ our_id: 'february-2' });
  expect(await lists()).toMatchObject([{ supplier: march.supplier, number: 1, import_id: march.id }]);
  expect(await suppliers()).toHaveLength(1);
});
