import { randomUUID } from 'node:crypto';
import type { ScannedProduct } from '@draftshelf/contract/scanner/scanner';
import { scannedProductsMax } from '@draftshelf/core/scanner/scanned-products';
import { beforeEach, describe, expect } from 'vitest';
import type { TestApi } from '../../support/api.ts';
import { lockWaiters, productCsv, storedImport, until } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { photoData, scanned, scannerPath, scannerSteps } from '../../support/scanner-steps.ts';
import { test } from '../../support/test.ts';

let current: TestApi;
beforeEach<{ api: TestApi }>(({ api }) => {
  current = api;
});
const { save, update, saved, read, remove } = scannerSteps(() => current);

const listed = async (query = '') => {
  const answer = await current.call('GET', `${scannerPath}${query}`);
  expect(answer.status).toBe(200);
  return { ...answer, products: answer.body as ScannedProduct[] };
};
const idOf = ({ body }: { body: unknown }) => (body as ScannedProduct).id;

describe('a product', () => {
  test('is created with 201, then listed with all its fields', async () => {
    const { status, body } = await save({
      name: ' Ceramic vase ',
      description: 'Blue.',
      price: 24.9,
      sku: 'VA-12',
      upc: '012345678905',
      dimensions: { length: '10', width: 5, height: '2,5', unit: 'cm' },
      weight: { value: '2.5', unit: 'kg' },
      photos: ['https://images.example/vase.jpg'],
      selectedBatch: 'none',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Ceramic vase',
      description: 'Blue.',
      price: '24.90',
      sku: 'VA-12',
      upc: '012345678905',
      dimensions: { length: 10, width: 5, height: 2.5, unit: 'cm' },
      weight: { value: 2.5, unit: 'kg' },
      photos: ['https://images.example/vase.jpg'],
      status: 'active',
      version: 1,
      createdAt: expect.any(String),
      changedAt: expect.any(String),
      syncedAt: null,
      storeUrl: null,
      batches: [],
    });
    const { products } = await listed();
    expect(products[0]).toEqual(body);
    expect((await read(idOf({ body }))).body).toEqual(body);
  });

  test('needs no more than name, price and SKU; empty measures are 0', async () => {
    const { body } = await save({ name: 'Bare', price: '$5', sku: 'B-1' });
    expect(body).toMatchObject({
      price: '5.00',
      description: '',
      upc: null,
      dimensions: { length: 0, width: 0, height: 0, unit: 'in' },
      weight: { value: 0, unit: 'lb' },
      photos: [],
    });
    const empty = { name: 'Empty', price: '5', sku: 'E-1', upc: '', description: null, selectedBatch: '' };
    const unmeasured = { dimensions: null, weight: null };
    expect(await save({ ...empty, ...unmeasured })).toMatchObject({
      status: 201,
      body: { upc: null, description: '', dimensions: { length: 0, unit: 'in' }, weight: { value: 0 } },
    });
  });

  const required = 'Please fill in name, SKU, and price';
  test.for<[string, object, string | null]>([
    ['name', { name: ' ' }, required],
    ['name', { name: undefined }, required],
    ['name', { name: 'x'.repeat(256) }, null],
    ['sku', { sku: '' }, required],
    ['price', { price: '' }, required],
    ['price', { price: undefined }, required],
    ['price', { price: 'free' }, 'The price must be an amount like 24.99.'],
    ['price', { price: -1 }, 'The price must be an amount like 24.99.'],
    ['dimensions.unit', { dimensions: { length: 1, width: 1, height: 1, unit: 'ft' } }, null],
    ['dimensions.height', { dimensions: { length: 1, width: 1, height: -1, unit: 'in' } }, null],
    ['weight.unit', { weight: { value: 1, unit: 'stone' } }, null],
    ['weight.value', { weight: { value: 'heavy', unit: 'lb' } }, null],
    ['photos', { photos: Array.from({ length: 21 }, (_, n) => `https://x.test/${n}.jpg`) }, null],
    ['photos.1', { photos: ['https://x.test/1.jpg', 'javascript:alert(1)'] }, null],
    ['id', { id: 'mine' }, null],
  ])(
    'with a wrong %s %j is refused by create and update, and nothing is saved',
    async ([field, wrong, message]) => {
      const product = await saved('Unchanged');
      const { headers } = await listed();
      const body = { ...scanned('Refused'), ...wrong };
      const answers = [await save(body), ...(field === 'id' ? [] : [await update(product.id, body)])];
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 400,
          body: { field, message: message ?? expect.any(String) },
        });
      }
      expect((await listed()).headers.get('x-total-count')).toBe(headers.get('x-total-count'));
      expect((await read(product.id)).body).toEqual(product);
    },
  );

  test('without a body is refused', async () => {
    expect(await save(undefined)).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    const headers = { 'content-type': 'application/json' };
    expect((await current.call('POST', scannerPath, { headers })).status).toBe(400);
  });

  test('is not saved with an import that is unknown', async () => {
    const id = randomUUID();
    const body = { id, ...scanned('Lost batch', { selectedBatch: randomUUID() }) };
    expect(await save(body)).toMatchObject({
      status: 404,
      body: { message: 'Import not found.', field: 'selectedBatch' },
    });
    expect((await read(id)).status).toBe(404);
    const product = await saved('With a batch');
    expect((await update(product.id, scanned('Other name', { selectedBatch: 'unknown' }))).status).toBe(404);
    expect((await read(product.id)).body).toEqual(product);
  });
});

describe('a repeated creation', () => {
  test('100 times at once, of which the answers are lost, makes one product and one added row', async ({
    fixture,
  }) => {
    const id = randomUUID();
    const batch = await storedImport(fixture, { csv: productCsv(1) });
    const before = Number((await listed()).headers.get('x-total-count'));
    const body = { id, ...scanned('Once', { selectedBatch: batch.id }) };
    const answers = await Promise.all(Array.from({ length: 100 }, () => save(body)));
    // A change that waits too long for a connection is busy, as any other; the client tries again.
    expect(answers.filter(({ status }) => ![200, 201, 409].includes(status))).toEqual([]);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409).every(({ body }) => isBusy(body))).toBe(true);
    expect(await save(body)).toMatchObject({
      status: 200,
      body: { id, version: 1, batches: [{ id: batch.id, row: null }] },
    });
    const added = await fixture.database.db
      .selectFrom('added_rows')
      .select('ordinal')
      .where('product_id', '=', id)
      .execute();
    expect(added).toEqual([{ ordinal: 1 }]);
    expect(Number((await listed()).headers.get('x-total-count'))).toBe(before + 1);
  });

  test('with other content changes what nothing else has changed', async () => {
    const { id } = await saved('Typed');
    const typed = { id, ...scanned('Typed on') };
    expect(await save(typed)).toMatchObject({ status: 200, body: { name: 'Typed on', version: 2 } });
    expect(await save(typed)).toMatchObject({ status: 200, body: { version: 2 } });
  });

  test('does not undo a later change', async () => {
    const product = await saved('Early');
    await update(product.id, scanned('Later'));
    const late = await save({ id: product.id, ...scanned('Early') });
    expect(late).toMatchObject({
      status: 409,
      body: { current: { id: product.id, name: 'Later', version: 2 } },
    });
    expect((await read(product.id)).body).toMatchObject({ name: 'Later', version: 2 });
  });

  test('that arrived first and ends last does not undo what was typed on', async ({ fixture }) => {
    const id = randomUUID();
    const holder = await fixture.database.pool.connect();
    let late: ReturnType<typeof save>;
    try {
      await holder.query('begin; lock table uploads in exclusive mode');
      // Only a photo is recorded there.
      late = save({ id, ...scanned('Typed', { photos: [photoData(7)] }) });
      await until('the first call waits', async () => (await lockWaiters(fixture)) > 0);
      expect((await save({ id, ...scanned('Typed on') })).status).toBe(201);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect(await late).toMatchObject({ status: 409, body: { current: { name: 'Typed on', version: 1 } } });
    expect((await read(id)).body).toMatchObject({ name: 'Typed on', version: 1 });
  });

  test('does not bring a deleted product back', async () => {
    const { id } = await saved('Deleted');
    expect(await remove(id)).toMatchObject({
      status: 200,
      body: { success: true, message: 'Product has been deleted successfully' },
    });
    expect(await save({ id, ...scanned('Deleted') })).toMatchObject({ status: 410, body: { code: 'gone' } });
    for (const answer of [await read(id), await remove(id), await update(id, scanned('X'))]) {
      expect(answer).toMatchObject({ status: 404, body: { message: 'Product not found.' } });
    }
    expect((await listed()).products.map((product) => product.id)).not.toContain(id);
  });

  test('is possible again a month after the deletion', async ({ fixture }) => {
    const { id } = await saved('Long ago');
    await remove(id);
    await fixture.database.pool.query(
      `update scanned_products set deleted_at = deleted_at - interval '31 days' where id = '${id}'`,
    );
    const { id: other } = await saved('Another');
    await remove(other);
    expect((await save({ id, ...scanned('Long ago') })).status).toBe(201);
  });
});

describe('an update', () => {
  test('counts as an edit, also without a difference', async () => {
    const product = await saved('Edited');
    const { status, body } = await update(product.id, scanned('Edited', { price: '9.99' }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: 'Edited', price: '9.99', status: 'active', version: 2 });
    expect((await update(product.id, scanned('Edited'))).body).toMatchObject({ version: 3 });
  });

  test('that is based on another version is a conflict with the stored product', async () => {
    const product = await saved('Two tabs');
    const first = await update(product.id, { ...scanned('By the first tab'), version: 1 });
    expect(first).toMatchObject({ status: 200, body: { version: 2 } });
    const second = await update(product.id, { ...scanned('By the second tab'), version: 1 });
    expect(second).toMatchObject({ status: 409, body: { current: first.body } });
    expect((await read(product.id)).body).toEqual(first.body);
  });

  test('that is repeated after its answer was lost is no conflict with itself', async ({ fixture }) => {
    const product = await saved('Answer lost');
    const batch = await storedImport(fixture, { csv: productCsv(1) });
    const body = {
      ...scanned('Answer lost', {
        price: '7',
        upc: '036000291452',
        dimensions: { length: 1.5, width: 2, height: 0, unit: 'cm' },
        weight: { value: 2.5, unit: 'kg' },
        photos: ['https://images.example/1.jpg', 'https://images.example/2.jpg'],
        selectedBatch: batch.id,
      }),
      version: product.version,
    };
    const first = await update(product.id, body);
    expect(first).toMatchObject({ status: 200, body: { version: 2, batches: [{ id: batch.id }] } });
    expect(await update(product.id, body)).toMatchObject({ status: 200, body: first.body as object });
    const other = { ...body, photos: ['https://images.example/2.jpg'] };
    expect(await update(product.id, other)).toMatchObject({ status: 409, body: { current: first.body } });
  });

  test('of an unknown product is 404, whatever its id', async () => {
    for (const id of [randomUUID(), 'unknown', '%00']) {
      expect((await update(id, scanned('X'))).status).toBe(404);
      expect((await remove(id)).status).toBe(404);
      expect((await read(id)).status).toBe(404);
    }
  });
});

describe('the list', () => {
  test('is a bare array, newest first, with its number, and pages through 500 at a time', async ({
    fixture,
  }) => {
    await fixture.database.pool.query(`
      insert into scanned_products (id, name, price, sku, dimensions, weight, created_at)
      select gen_random_uuid(), 'Paged ' || n, '1.00', 'P-' || n,
        '{"length":0,"width":0,"height":0,"unit":"in"}', '{"value":0,"unit":"lb"}', now() - n * interval '1 hour'
      from generate_series(1, 1100) n`);
    const seen: string[] = [];
    let next: string | null = '';
    while (next !== null) {
      const query: string = next === '' ? '' : `&before=${next}`;
      const { products, headers } = await listed(`?q=Paged${query}`);
      expect(headers.get('x-total-count')).toBe('1100');
      seen.push(...products.map(({ name }) => name));
      next = headers.get('x-next-before');
    }
    expect(seen).toEqual(Array.from({ length: 1100 }, (_, n) => `Paged ${n + 1}`));
    expect((await current.call('GET', `${scannerPath}?before=nonsense`)).status).toBe(400);
    await fixture.database.pool.query(`delete from scanned_products where name like 'Paged %'`);
  });

  test('finds by a part of name, SKU or UPC, and takes no sign for a wildcard', async () => {
    await saved('Lamp 100%', { sku: 'LA_1', upc: '4006381333931' });
    await saved('Lamp 100x', { sku: 'LAx1' });
    const names = async (q: string) =>
      (await listed(`?q=${encodeURIComponent(q)}`)).products.map(({ name }) => name);
    expect(await names('lamp')).toEqual(['Lamp 100x', 'Lamp 100%']);
    expect(await names('100%')).toEqual(['Lamp 100%']);
    expect(await names('la_1')).toEqual(['Lamp 100%']);
    expect(await names('333931')).toEqual(['Lamp 100%']);
    expect(await names('nothing has this')).toEqual([]);
  });

  test('is not sent again until it changes', async () => {
    const first = await listed();
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
    expect((await current.call('GET', scannerPath, { headers })).status).toBe(304);
    await saved('New');
    expect((await current.call('GET', scannerPath, { headers })).status).toBe(200);
  });

  test.runIf(isLong)('has pages of limited size, however long the descriptions are', async () => {
    const description = 'x'.repeat(100_000);
    for (let n = 0; n < 50; n += 1) await saved(`Lengthy ${n}`, { description });
    const { products, headers } = await listed('?q=Lengthy%20');
    expect(products.length).toBe(40);
    const rest = await listed(`?q=Lengthy%20&before=${headers.get('x-next-before')}`);
    expect(rest.products.length).toBe(10);
    expect(rest.headers.get('x-next-before')).toBeNull();
  });

  test('takes no more products when the library is full', async ({ fixture }) => {
    await fixture.database.pool.query(`
      insert into scanned_products (id, name, price, sku, dimensions, weight)
      select gen_random_uuid(), 'Filler', '1.00', 'F', '{}', '{}' from generate_series(1, ${scannedProductsMax})`);
    const id = randomUUID();
    expect(await save({ id, ...scanned('One too many') })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('The library is full') },
    });
    expect((await read(id)).status).toBe(404);
    await fixture.database.pool.query(`delete from scanned_products where name = 'Filler'`);
  });
});

const isBusy = (body: unknown) => (body as { code: string }).code === 'busy';
