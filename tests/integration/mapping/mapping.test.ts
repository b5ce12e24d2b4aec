import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { describe, expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { editRow } from '../../support/edit-row.ts';
import { until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(readers);

const { read, upload, rowsOf } = importSteps(() => stack);

async function reach(id: string, run: number): Promise<ImportRecord> {
  await until(`run ${run} is current`, async () => {
    const { rows_run, status } = await read(id);
    return rows_run === run && ['queued', 'processed'].includes(status);
  });
  return read(id);
}

const valuesOf = async ({ id }: ImportRecord) => (await rowsOf(id)).map(({ values }) => values);

async function columnsOf(id: string): Promise<MappedColumn[]> {
  const { status, body } = await stack.api.call('GET', `/api/queue/${id}/mapping`);
  expect(status).toBe(200);
  return (body as { columns: MappedColumn[] }).columns;
}

const put = (id: string, body: unknown) => stack.api.call('PUT', `/api/queue/${id}/mapping`, { body });

const content = 'Name,Kind A,Net,Gross\nLamp,X,10,12\nVase,Y,20,24\nVase,Y,20,24\n';

describe('the mapping of an import', () => {
  it('is what was set with the upload, with samples and alternatives', async () => {
    const id = await upload(content, {
      mapping: '{"Gross":"price","Name":null,"Kind A":"title","Gone":"sku"}',
    });
    const record = await reach(id, 1);
    expect((await valuesOf(record))[0]).toMatchObject({ title: 'X', price: '12' });
    const columns = await columnsOf(id);
    expect(columns).toMatchObject([
      { header: 'Name', field: null, setBy: 'operator' },
      { header: 'Kind A', field: 'title', setBy: 'operator' },
      { header: 'Net', setBy: null },
      { header: 'Gross', field: 'price', setBy: 'operator' },
    ]);
    expect(columns[2]?.field).not.toBe('price');
    expect(columns[3]).toMatchObject({ confidence: 1, reason: 'Set by you', samples: ['12', '24'] });
    expect(columns[0]).toMatchObject({ confidence: 0, samples: ['Lamp', 'Vase'] });
    expect(columns[0]?.alternatives[0]?.field).toBe('title');
  });

  it('is changed by a re-read; edits hold by field, and a re-read in another dialect keeps it', async () => {
    const id = await upload('Name;Price;MSRP\nLamp;10;15\nVase;20;25\n');
    const first = await reach(id, 1);
    expect(await valuesOf(first)).toMatchObject([{ price: '10' }, { price: '20' }]);
    const edited = await stack.database.db
      .transaction()
      .execute((trx) => editRow(trx, id, 2, { price: '99' }));
    expect(edited).toMatchObject({ ok: true });
    const changed = await put(id, { MSRP: 'price' });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    expect(changed.body).toMatchObject({ message: 'Re-reading the file.', job: { status: 'processing' } });
    const second = await reach(id, 2);
    expect(await valuesOf(second)).toMatchObject([{ price: '15' }, { price: '99' }]);

    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { quote: "'" } });
    expect(await valuesOf(await reach(id, 3))).toMatchObject([{ price: '15' }, { price: '99' }]);
    await put(id, { MSRP: 'detect', Name: 'sku' });
    const fourth = await reach(id, 4);
    expect(await valuesOf(fourth)).toMatchObject([{ price: '10', sku: 'Lamp' }, { price: '99' }]);
    const { dialect } = await stack.database.db
      .selectFrom('runs')
      .select('dialect')
      .where('import_id', '=', id)
      .where('run', '=', 4)
      .executeTakeFirstOrThrow();
    expect(dialect).toMatchObject({ quote: "'", said: ['quote'] });
  });

  it('keeps what was set while a dialect without that column is tried', async () => {
    const id = await upload('Name;Price;MSRP\nBowl;10;15\nDish;20;25\n', { mapping: '{"MSRP":"price"}' });
    await reach(id, 1);
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: '|', headerRecord: 0 } });
    await reach(id, 2);
    expect((await columnsOf(id)).map(({ header, setBy }) => [header, setBy])).toEqual([
      ['Name;Price;MSRP', null],
    ]);
    await stack.api.call('POST', `/api/queue/${id}/dialect`, { body: { delimiter: ';' } });
    expect(await valuesOf(await reach(id, 3))).toMatchObject([{ price: '15' }, { price: '25' }]);
  });

  it('refuses wrong changes with a sentence', async () => {
    const id = await upload(content);
    await reach(id, 1);
    const wrong: [unknown, string][] = [
      [{ Colour: 'price' }, 'The file has no column “Colour”.'],
      [{ Name: 'colour' }, 'There is no field “colour”.'],
      [{}, 'Nothing to change.'],
      [
        Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`c${at}`, null])),
        'Set the fields of at most 2,000 columns.',
      ],
    ];
    for (const [body, message] of wrong) {
      expect(await put(id, body)).toMatchObject({ status: 400, body: { message } });
    }
    await stack.api.call('POST', `/api/queue/${id}/cancel`);
    const refused = await put(id, { Net: 'price' });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: 'The import’s current status doesn’t allow this.' },
    });
    expect(await put('nothing', { Net: 'price' })).toMatchObject({ status: 404 });
    expect(await stack.api.call('GET', '/api/queue/nothing/mapping')).toMatchObject({ status: 404 });
  });

  it.each([
    ['{"Name":"titel"}', 'There is no field “titel”.'],
    ['{"Name"', 'These column settings aren’t supported.'],
    ['[]', 'These column settings aren’t supported.'],
    [
      JSON.stringify(Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`c${at}`, null]))),
      'Set the fields of at most 2,000 columns.',
    ],
  ])('is refused with the upload: %.20s', async (mapping, message) => {
    const answer = await stack.api.upload(csvForm(content, { before: { mapping } }));
    expect(answer).toMatchObject({ status: 400, body: { message, field: 'mapping' } });
  });

  it('must come before the file', async () => {
    const answer = await stack.api.upload(csvForm(content, { after: { mapping: '{"Net":"price"}' } }));
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'The mapping field must come before the file.' },
    });
  });
});

const specified = {
  title: 'title, product title, name, product name, item name, product_title, product_name',
  price: 'price, variant price, sale price, scd sale price, cost, amount, value',
  sku: 'sku, variant sku, product sku, item sku',
  upc: 'upc, barcode, variant barcode, product barcode, ean, gtin',
  description: 'description, body html, seo description, product description, details, summary',
  vendor: 'vendor, brand, manufacturer, supplier',
  quantity: 'quantity, inventory qty, variant inventory qty, stock, inventory, qty',
  type: 'type, product type, category, collection',
};

it('the fields list every synonym of the specification', async () => {
  const { status, body } = await stack.api.call('GET', '/api/csv/fields');
  expect(status).toBe(200);
  const fields = new Map((body as { field: string; aliases: string[] }[]).map((one) => [one.field, one]));
  for (const [field, names] of Object.entries(specified)) {
    const aliases = fields.get(field)?.aliases ?? [];
    expect(
      names.split(', ').filter((name) => !aliases.includes(name)),
      field,
    ).toEqual([]);
  }
  expect(fields.get('title')).toMatchObject({ label: 'Title', required: true });
});
