import { createHash } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import type { ImportRecord } from '@draftshelf/core/connection/schema';
import { tableKey } from '@draftshelf/csv/object-keys';
import { getStream } from '@draftshelf/object-storage/objects';
import { converterVersion } from '@draftshelf/workbooks/container-kind';
import {
  part,
  relationsXml,
  type SheetContent,
  workbookFile,
} from '@draftshelf/workbooks/testing/workbook-file';
import { compressed, zipFile } from '@draftshelf/workbooks/testing/zip-file';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { editRow } from '../../support/edit-row.ts';
import { storedUnder, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(pushers);
const steps = importSteps(() => stack);
const { upload, reach } = steps;

const xlsx = (...sheets: SheetContent[]) => workbookFile({ sheets });
const prices = (...titles: string[]): SheetContent => ({
  name: 'Prices',
  rows: [
    ['Price list'],
    [],
    ['SKU', 'Title', 'Price'],
    ...titles.map((title, at) => [`${title}-1`, title, 10 + at]),
  ],
});
const notes: SheetContent = { name: 'Notes', rows: [['Please read'], ['Prices without tax']] };

const send = (bytes: Uint8Array<ArrayBuffer>, before: Record<string, string> = {}, filename = 'list.xlsx') =>
  stack.api.upload(csvForm(bytes, { filename, before: { supplier: '', ...before } }));

const rowsOf = async ({ id }: ImportRecord) =>
  (await steps.rowsOf(id)).map(({ line, byte_from, values }) => [
    line,
    byte_from,
    values.title,
    values.price,
  ]);

const edit = (id: string, row: number, price: string) =>
  stack.database.db.transaction().execute((trx) => editRow(trx, id, row, { price }));

async function reread(id: string, body: object): Promise<ImportRecord> {
  const reply = await stack.api.call('POST', `/api/queue/${id}/dialect`, { body });
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reach(id, 'queued', 'processed');
}

const place = (table: number, line: number) => table * 2 ** 40 + line;

test('a workbook becomes an import: the file stays as it is, and beside it is the text of the sheet', async () => {
  const bytes = await xlsx(notes, prices('Lamp', 'Vase, red'));
  const reply = await send(bytes);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body).toMatchObject({ totalRows: 2, totalProducts: 2, table: { name: 'Prices', others: 1 } });
  const record = await reach((reply.body as { id: string }).id, 'processed', 'queued');
  expect(record).toMatchObject({ total_rows: 2, valid_products: 2, file_bytes: bytes.length });
  expect(record.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(await buffer(getStream(stack.storage, record.object_key))).toEqual(Buffer.from(bytes));
  const key = tableKey(record.object_key, { n: 1, converter: converterVersion });
  expect(await text(getStream(stack.storage, key))).toBe(
    'Price list\n\nSKU,Title,Price\nLamp-1,Lamp,10\n"Vase, red-1","Vase, red",11\n',
  );
  expect(await rowsOf(record)).toEqual([
    [4, place(1, 4), 'Lamp', '10'],
    [5, place(1, 5), 'Vase, red', '11'],
  ]);
  const job = await stack.api.call('GET', `/api/queue/${record.id}`);
  const dialect = { headerRecord: 1, table: { name: 'Prices', kind: 'sheet' } };
  expect(job.body).toMatchObject({ job: { dialect } });
});

test.runIf(isLong)(
  'another sheet takes no edits of the first, which finds them when it is read again',
  async () => {
    const old = { ...prices('Bowl', 'Chair', 'Rug'), name: 'Old', state: 'hidden' as const };
    const id = await upload(await xlsx(prices('Lamp', 'Vase'), old));
    await reach(id, 'processed', 'queued');
    await edit(id, 2, '99');
    await stack.api.call('POST', `/api/queue/${id}/push`);
    await reach(id, 'completed');
    const { products } = await stack.store.stats();
    const other = await reread(id, { table: 'old' });
    expect(other).toMatchObject({ total_rows: 3, edits_without_row: 1, created: 0 });
    expect((await rowsOf(other)).map(([, at, title, price]) => [at, title, price])).toEqual([
      [place(1, 4), 'Bowl', '10'],
      [place(1, 5), 'Chair', '11'],
      [place(1, 6), 'Rug', '12'],
    ]);
    await edit(id, 3, '55');
    const { body } = await stack.api.call('GET', `/api/queue/${id}/tables`);
    const { tables } = body as { tables: { name: string; edits: number }[] };
    expect(tables.map(({ name, edits }) => [name, edits])).toEqual([
      ['Prices', 1],
      ['Old', 1],
    ]);
    await until('the rows of the first sheet are removed', async () => {
      const { rows } = await stack.database.pool.query(
        'select 1 from rows where import_id = $1 and run = 1',
        [id],
      );
      return rows.length === 0;
    });
    const back = await reread(id, { table: 'Prices' });
    expect(back).toMatchObject({ total_rows: 2, edits_without_row: 1, created: 2 });
    expect((await rowsOf(back)).map(([, at, , price]) => [at, price])).toEqual([
      [place(0, 4), '10'],
      [place(0, 5), '99'],
    ]);
    await stack.api.call('POST', `/api/queue/${id}/push`);
    expect(await reach(id, 'completed')).toMatchObject({ created: 0, unchanged: 2 });
    expect((await stack.store.stats()).products).toBe(products);
    const again = await reread(id, { table: 'Old' });
    expect((await rowsOf(again)).map(([, , , price]) => price)).toEqual(['10', '11', '55']);
  },
);

test.runIf(isLong)('a header row that was set holds for its sheet only', async () => {
  const id = await upload(await xlsx(prices('Lamp'), { ...prices('Vase'), name: 'New' }), {
    supplier: '',
    dialect: JSON.stringify({ table: 'Prices', headerRecord: 0 }),
  });
  expect((await rowsOf(await reach(id, 'processed', 'queued'))).length).toBe(2);
  expect((await rowsOf(await reread(id, { table: 'New' }))).map(([, , title]) => title)).toEqual(['Vase']);
});

test.runIf(isLong)('the tables of a file are listed, with what is known of them', async () => {
  const hidden = { ...prices('Old lamp'), name: 'Old', state: 'hidden' as const };
  const id = await upload(await xlsx(notes, prices('Lamp', 'Vase'), hidden));
  const { body } = await stack.api.call('GET', `/api/queue/${id}/tables`);
  const none = { hiddenRows: 0, hiddenColumns: 0, errorCells: 0, formulasWithoutValue: 0 };
  expect(body).toMatchObject({
    tables: [
      { name: 'Notes', kind: 'sheet', hidden: false, isList: false, notices: null },
      { name: 'Prices', kind: 'sheet', hidden: false, rows: 2, isList: true, notices: none },
      { name: 'Old', kind: 'sheet', hidden: true, isList: null, notices: null },
    ],
  });
  const csv = await upload('Title,Price\nLamp,1\n');
  expect((await stack.api.call('GET', `/api/queue/${csv}/tables`)).body).toEqual({
    ...{ tables: [], picturesNotice: null },
  });
});

test.runIf(isLong)('a table that is not there is refused with the names of those that are', async () => {
  const bytes = await xlsx(prices('Lamp'), notes);
  const message = 'The workbook has no sheet ‘Preise’. It has: ‘Prices’, ‘Notes’.';
  const before = (await storedUnder(stack.storage, 'files/')).length;
  const dialect = JSON.stringify({ table: 'Preise' });
  expect(await send(bytes, { dialect })).toMatchObject({ status: 400, body: { message } });
  expect((await storedUnder(stack.storage, 'files/')).length).toBe(before);
  const id = await upload(bytes);
  await reach(id, 'processed', 'queued');
  for (const path of ['dialect', 'reread-preview']) {
    const body = path === 'dialect' ? { table: 'Preise' } : { dialect: { table: 'Preise' } };
    expect(await stack.api.call('POST', `/api/queue/${id}/${path}`, { body })).toMatchObject({
      status: 400,
      body: { message, field: 'table' },
    });
  }
});

test.runIf(isLong)('the preview of a re-read shows the other sheet', async () => {
  const id = await upload(await xlsx(prices('Lamp', 'Vase'), { ...prices('Bowl'), name: 'New' }));
  await reach(id, 'processed', 'queued');
  const preview = (dialect: object) =>
    stack.api.call('POST', `/api/queue/${id}/reread-preview`, { body: { dialect } });
  expect((await preview({ table: 'New' })).body).toMatchObject({
    isWhole: true,
    before: { rows: 2, valid: 2 },
    after: { rows: 1, valid: 1, records: [{ title: 'Bowl' }], dialect: { table: { name: 'New' } } },
  });
  expect((await preview({ headerRecord: 0 })).body).toMatchObject({
    before: { rows: 2 },
    after: { rows: 3, dialect: { table: { name: 'Prices' }, headerRecord: 0 } },
  });
});

test.each<
  [string, () => Promise<Uint8Array<ArrayBuffer>>, { status: number; code: string; message: string }]
>([
  [
    'cut off',
    async () => (await xlsx(prices('Lamp'))).slice(0, 700),
    {
      status: 400,
      code: 'workbook_damaged',
      message:
        'The file is damaged: it ends before its table of contents. It was probably cut off in transfer; get it again.',
    },
  ],
  [
    'changed in transfer',
    async () => Uint8Array.from({ length: 90 }, (_, at) => at % 9),
    {
      status: 400,
      code: 'not_csv',
      message:
        'The file is damaged: its name ends in .xlsx, but it doesn’t begin like an Excel workbook. It may have changed in transfer; get it again, or save the list again.',
    },
  ],
  [
    'without rows',
    () => xlsx({ name: 'Notes', rows: [['Please read']] }, { name: 'Empty', rows: [] }),
    {
      status: 400,
      code: 'no_list',
      message: 'There is no header row with data below it: ‘Notes’, ‘Empty’.',
    },
  ],
])('a workbook that is %s leaves nothing', async (_name, make, { status, ...body }) => {
  const before = (await storedUnder(stack.storage, 'files/')).length;
  expect(await send(await make())).toMatchObject({ status, body });
  expect((await storedUnder(stack.storage, 'files/')).length).toBe(before);
});

const csv = 'SKU,Title,Price\nL-1,Lamp,10\nV-1,"Vase, red",\n';

test.runIf(isLong).each<[string, () => Promise<Uint8Array<ArrayBuffer>>, number]>([
  ['gzip', () => compressed(new TextEncoder().encode(csv), 'gzip'), 0],
  [
    'ZIP archive with one list',
    () =>
      zipFile([
        { name: '__MACOSX/._a.csv', data: 'x' },
        { name: 'a/list.csv', data: csv },
      ]),
    0,
  ],
])('a %s is read like the list in it', async (kind, make, n) => {
  const before = (await storedUnder(stack.storage, 'files/')).length;
  const reply = await send(await make(), {}, `list.${kind}.zip`);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body).toMatchObject({ totalRows: 2, table: { others: 0 } });
  const record = await reach((reply.body as { id: string }).id, 'processed', 'queued');
  expect(await rowsOf(record)).toEqual([
    [2, place(n, 16), 'Lamp', '10'],
    [3, place(n, 28), 'Vase, red', undefined],
  ]);
  expect((await storedUnder(stack.storage, 'files/')).length).toBe(before + 2);
});

test.runIf(isLong)(
  'of several lists in an archive the best is read, and another one is chosen like a sheet',
  async () => {
    const other = csv.replace('Lamp', 'Bowl');
    const archive = await zipFile([
      { name: 'notes.csv', data: 'Note,Day\nClosed,Monday\n' },
      { name: 'new.csv', data: other },
      { name: 'prices.csv', data: `${csv}C-1,Chair,5\n` },
    ]);
    const id = await upload(archive);
    const first = await reach(id, 'processed', 'queued');
    const { body } = await stack.api.call('GET', `/api/queue/${id}/tables`);
    const { tables } = body as { tables: { name: string; isList: boolean }[] };
    expect(tables.map(({ name, isList }) => [name, isList])).toEqual([
      ['notes.csv', false],
      ['new.csv', true],
      ['prices.csv', true],
    ]);
    await edit(id, 1, '77');
    const read = await rowsOf(first);
    const chosen = read.length === 3 ? 'new.csv' : 'prices.csv';
    const changed = await reread(id, { table: chosen });
    expect(changed).toMatchObject({ edits_without_row: 1 });
    expect((await rowsOf(changed)).map(([, , , price]) => price)).not.toContain('77');
    const encoded = await reread(id, { encoding: 'windows-1252' });
    expect(encoded).toMatchObject({ edits_without_row: 1 });
    const back = await reread(id, { table: read.length === 3 ? 'prices.csv' : 'new.csv' });
    expect(back).toMatchObject({ edits_without_row: 0 });
    expect((await rowsOf(back)).map(([, at]) => at)).toEqual(read.map(([, at]) => at));
    expect((await rowsOf(back))[0]?.[3]).toBe('77');
  },
);

test.runIf(isLong)('the pictures of an archive wait to be taken out', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const id = await upload(
    await zipFile([
      { name: 'list.csv', data: csv },
      { name: 'L-1.png', data: png },
    ]),
  );
  const { rows } = await stack.database.pool.query('select entry from file_pictures where import_id = $1', [
    id,
  ]);
  expect(rows).toEqual([{ entry: 'L-1.png' }]);
});

test.runIf(isLong)('a workbook whose drawing is damaged is read without its pictures', async () => {
  const drawing = ['drawing', '../drawings/drawing1.xml'] as const;
  const parts = [
    part('xl/worksheets/_rels/sheet1.xml.rels', relationsXml([drawing])),
    { ...part('xl/drawings/drawing1.xml', '<wsDr/>'), claims: { crc: 1 } },
  ];
  const record = await reach(
    await upload(await workbookFile({ sheets: [prices('Lamp')], parts })),
    'processed',
    'queued',
  );
  expect(record).toMatchObject({ total_rows: 1, pictures: 0 });
});

test.runIf(isLong)(
  'a damaged file beside the list does not refuse it, also where the list is named',
  async () => {
    const archive = await zipFile([
      { name: 'a.csv', data: csv, claims: { crc: 1 } },
      { name: 'b.csv', data: csv },
    ]);
    for (const before of [undefined, { dialect: JSON.stringify({ table: 'b.csv' }) }]) {
      const reply = await send(archive, before, 'list.zip');
      expect(reply).toMatchObject({ status: 200, body: { totalRows: 2, table: { name: 'b.csv' } } });
    }
    const dialect = JSON.stringify({ table: 'a.csv' });
    expect(await send(archive, { dialect }, 'list.zip')).toMatchObject({
      ...{ status: 400, body: { code: 'workbook_damaged' } },
    });
  },
);

test.runIf(isLong)('what to know of a sheet is said', async () => {
  const sheet = {
    name: 'Prices',
    data: `<row r="1"><c r="A1" t="inlineStr"><is><t>Title</t></is></c><c r="B1" t="inlineStr"><is><t>Price</t></is></c></row>
      <row r="2" hidden="1"><c r="A2" t="inlineStr"><is><t>Lamp</t></is></c><c r="B2"><v>1</v></c></row>
      <row r="3"><c r="A3" t="inlineStr"><is><t>Vase</t></is></c><c r="B3" t="e"><v>#N/A</v></c></row>`,
  };
  const id = await upload(await xlsx(sheet));
  expect((await stack.api.call('GET', `/api/queue/${id}/tables`)).body).toMatchObject({
    tables: [{ notices: { hiddenRows: 1, hiddenColumns: 0, errorCells: 1 } }],
  });
});

test.runIf(isLong)(
  'the same workbook again gets the edits of the first, also where another sheet is read',
  async () => {
    const bytes = await xlsx(prices('Lamp', 'Vase'), { ...prices('Bowl'), name: 'New' });
    const id = await upload(bytes);
    await reach(id, 'processed', 'queued');
    await edit(id, 2, '99');
    const again = await send(bytes);
    expect(again.body).toMatchObject({ sameAs: id });
    const same = await reach((again.body as { id: string }).id, 'processed', 'queued');
    expect((await rowsOf(same)).map(([, , , price]) => price)).toEqual(['10', '99']);
    const other = await send(bytes, { dialect: JSON.stringify({ table: 'New' }) });
    expect(other.body).toMatchObject({ sameAs: same.id, totalRows: 1 });
    const read = await reach((other.body as { id: string }).id, 'processed', 'queued');
    expect(read).toMatchObject({ edits_without_row: 1 });
    expect((await rowsOf(read)).map(([, , , price]) => price)).toEqual(['10']);
  },
);

test.runIf(isLong)('failed rows are downloaded as CSV, with the columns of the sheet', async () => {
  const id = await upload(
    await xlsx({
      name: 'Prices',
      rows: [
        ['Title', 'Price', 'Note'],
        ['Lamp', 10],
        ['Vase', null, 'ask'],
      ],
    }),
  );
  await reach(id, 'processed', 'queued');
  await stack.api.call('POST', `/api/queue/${id}/push`);
  await reach(id, 'completed');
  const { body } = await stack.api.call('GET', `/api/queue/${id}/failed-rows.csv`);
  expect(String(body)).toMatch(/^\uFEFF?Title,Price,Note,Draftshelf error\r?\nVase,,ask,/);
});
