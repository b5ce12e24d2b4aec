import { describe, expect } from 'vitest';
import { csvOf, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);
const { processed, reach, read, rowsOf, call, nextList, newSupplier } = importSteps(() => stack);

/** Rows of a SKU and a price; the title differs with the place, unless it is given. */
const list = (...rows: [sku: string, price: string, title?: string][]) =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ...rows.map(([sku, price, title], at) => [title ?? `Vase ${sku} ${at + 1}`, price, sku]),
  ]);

const edit = (id: string, row: number, change: object) =>
  call('PATCH', `/api/queue/${id}/rows/${row}`, change);

const pricesOf = async (id: string) =>
  (await rowsOf(id)).map(({ values, leftOut }) => (leftOut ? 'out' : values.price));

/** Waits for the tasks of an import, of which one may fail. */
const rested = (id: string) =>
  until('no task is left', async () => {
    const { rows } = await stack.database.pool.query(
      `select 1 from chunks where import_id = $1 and state in ('pending', 'published') limit 1`,
      [id],
    );
    return rows.length === 0;
  });

const deleted = async (id: string) => {
  await call('DELETE', `/api/queue/${id}`);
  await until('the import is deleted', async () => {
    const { rows } = await stack.database.pool.query('select 1 from imports where id = $1', [id]);
    return rows.length === 0;
  });
};

it('recognizes the next list and carries the changes of the only one before, which was deleted', async () => {
  const numbers = Array.from({ length: 20 }, (_, at) => `ONLY-${at + 1}`);
  const rows = (price: string) => list(...numbers.map((sku): [string, string] => [sku, price]));
  const march = await processed(rows('12.00'), {});
  await rested(march);
  await edit(march, 1, { values: { price: '14.40', vendor: 'Acme' } });
  await deleted(march);
  const april = await processed(rows('12'), {});
  const [row] = await rowsOf(april);
  expect(row?.values).toMatchObject({ price: '14.40', vendor: 'Acme' });
});

it('keeps the changes of a list with a damaged row when it is deleted', async () => {
  const supplier = await newSupplier('Damaged');
  const march = await nextList(supplier, list(['DA', '12.00'], ['DB', '12.00']));
  await rested(march);
  for (const row of [1, 2]) await edit(march, row, { values: { price: '14.40' } });
  await stack.database.pool.query(`update rows set cells = 'null' where import_id = $1 and row = 1`, [march]);
  await deleted(march);
  const april = await nextList(supplier, list(['DA', '12.00'], ['DB', '12.00']));
  expect(await pricesOf(april)).toEqual(['14.40', '14.40']);
});

it('does not spread a value from one of several rows with its key', async () => {
  const supplier = await newSupplier('Shared');
  const march = await nextList(
    supplier,
    list(['SA', '12.00'], ['SA', '13.00'], ['SB', '9', 'Same'], ['SB', '9', 'Same'], ['SC', '5']),
  );
  await rested(march);
  await edit(march, 1, { values: { price: '14.40' } });
  await edit(march, 2, { values: { sku: 'SA-2' } });
  await edit(march, 3, { leaveOut: true });
  await edit(march, 5, { values: { price: '6.00' } });
  const april = await nextList(supplier, list(['SA', '12.00'], ['SB', '9', 'Same'], ['SC', '5']));
  expect(await pricesOf(april)).toEqual(['12.00', '9', '6.00']);
  const rows = await rowsOf(april);
  expect(rows[0]?.values.sku).toBe('SA');
});

it('carries the value of a key into rows that are one item, and not into rows that differ', async () => {
  const supplier = await newSupplier('Doubled');
  const march = await nextList(supplier, list(['TA', '12.00'], ['TB', '9']));
  await rested(march);
  await edit(march, 1, { values: { price: '14.40' } });
  await edit(march, 2, { values: { price: '10.00' } });
  const april = await nextList(
    supplier,
    list(['TA', '12.00'], ['TA', '12.00'], ['TB', '9', 'Same'], ['TB', '9', 'Same']),
  );
  expect(await pricesOf(april)).toEqual(['12.00', '12.00', '10.00', '10.00']);
});

describe('a value that the next list says too', () => {
  it.runIf(isLong).for([
    ['fails', ['15.00', '20.00']],
    ['ends', ['14.40', '13']],
  ] as const)('ends with the rows that count, if a re-read %s', async ([how, prices]) => {
    const supplier = await newSupplier(`Settled ${how}`);
    // Files of the same bytes would get each other's edits.
    const [a, b] = [`A-${how}`, `B-${how}`];
    const march = await nextList(supplier, list([a, '12.00'], [b, '12.00']));
    await edit(march, 1, { values: { price: '14.40' } });
    const april = await nextList(
      supplier,
      csvOf([
        ['Title', 'Price', 'Dealer', 'SKU'],
        ['Vase 1', '14.40', '9', a],
        ['Vase 2', '12.00', '20', b],
      ]),
    );
    await rested(april);
    await edit(march, 2, { values: { price: '20.00' } });
    const refusal = how === 'fails' ? await refuseRows(april) : undefined;
    await call('PUT', `/api/queue/${april}/mapping`, { Price: 'compareAtPrice', Dealer: 'price' });
    await until('the re-read has ended', async () => {
      const { parse_run, rows_run, status } = await read(april);
      const isAtRest = status === 'queued' || status === 'processed';
      return isAtRest && (refusal ? parse_run === 1 : rows_run === 2);
    });
    await rested(april);
    await call('PUT', `/api/queue/${april}/list`, { counts: true });
    await rested(april);
    const may = await nextList(supplier, list([a, '15.00'], [b, '13']));
    expect(await pricesOf(may)).toEqual(prices);
  });

  /** Makes a re-read fail when its rows become current. */
  async function refuseRows(id: string): Promise<string> {
    const name = `refuse_${id.replaceAll('-', '')}`;
    await stack.database.pool.query(`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        if new.id = '${id}' and new.rows_run > 1 then raise exception 'relation 4711 is broken'; end if;
        return new;
      end $$;
      create trigger ${name} before update of rows_run on imports for each row execute function ${name}()`);
    return name;
  }
});

it('filters the rows into which values were carried, also after a re-read', async () => {
  const supplier = await newSupplier('Filtered');
  const march = await nextList(
    supplier,
    list(['FA', '12.00'], ['FB', '12.00'], ['FC', '12.00'], ['FD', '12.00']),
  );
  await rested(march);
  await edit(march, 2, { values: { price: '14.40', vendor: 'Acme' } });
  await edit(march, 4, { leaveOut: true });
  // The second header is an ignored row, unless the file is read from there.
  const rows = list(['FA', '12.00'], ['FB', '13.00'], ['FC', '12.00'], ['FD', '12.00']);
  const april = await nextList(supplier, list(['FX', '1']) + rows);
  type Page = { rows: { row: number }[]; matching: number };
  const carried = async () => {
    const page = await call<Page>('GET', `/api/queue/${april}/rows?change=carried`);
    return { rows: page.rows.map(({ row }) => row), matching: page.matching };
  };
  expect(await carried()).toEqual({ rows: [4, 6], matching: 2 });
  const { list: shown } = await call<{ list: { carried: object } }>('GET', `/api/jobs/${april}`);
  expect(shown.carried).toMatchObject({ rows: 2 });
  await rested(april);
  await call('POST', `/api/queue/${april}/dialect`, { headerRecord: 2 });
  await until('the file is read again', async () => (await read(april)).rows_run === 2);
  await reach(april, 'queued', 'processed');
  expect(await carried()).toEqual({ rows: [2, 4], matching: 2 });
});

it.runIf(isLong)('waits for the values of its suppliers before a list of them locks its import', async () => {
  const [own, other] = [await newSupplier('Locked'), await newSupplier('Locked other')];
  const march = await nextList(own, list(['LA', '12.00']));
  await rested(march);
  await edit(march, 1, { values: { price: '14.40' } });
  const april = await nextList(own, list(['LA', '12.00'], ['LB', '1']));
  await rested(april);
  const client = await stack.database.pool.connect();
  try {
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtext('draftshelf carried values'), $1)", [own]);
    await call('PUT', `/api/queue/${april}/supplier`, { supplier: other });
    await until('the re-read waits', async () => {
      const { rows } = await client.query(
        "select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted",
        [own],
      );
      return rows.length > 0;
    });
    await client.query('select 1 from imports where id = $1 for update nowait', [april]);
  } finally {
    await client.query('rollback');
    client.release();
  }
  await until('the list is the other supplier’s', async () => (await read(april)).supplier === other);
  await reach(april, 'queued', 'processed');
});
