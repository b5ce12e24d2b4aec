import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beginImport } from '@draftshelf/core/reading/begin-import';
import { discardFile, FileRefused, takeFile } from '@draftshelf/core/reading/take-file';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { getStream } from '@draftshelf/object-storage/objects';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { expect } from 'vitest';
import { type Fixture, productCsv, storedUnder } from '../../support/fixture.ts';
import { test } from '../../support/test.ts';

let fixture: Fixture;
test.beforeAll(({ fixture: own }) => {
  fixture = own;
});

const limits = { ...readLimitsDefault, csvBytesMax: 1_000, archiveBytesMax: 20_000, rowsMax: 20 };
const options = () => ({ db: fixture.database.db, storage: fixture.storage, limits });
const taken = (text: string) => takeFile(piecesOf(Buffer.from(text)), options());
const filesStored = async () => (await storedUnder(fixture.storage, '')).length;

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

test('a stream of bytes becomes an import', async () => {
  const csv = productCsv(5);
  const file = await taken(csv);
  expect((await buffer(getStream(fixture.storage, file.objectKey))).toString()).toBe(csv);
  const choices = { filename: 'watched.csv', testMode: true, enableUpc: false, enableAi: undefined };
  const { id } = await fixture.database.db.transaction().execute((trx) => beginImport(trx, file, choices));
  const { rows: imports } = await fixture.database.pool.query(
    'select filename, file_bytes, sha256, object_key, status, enable_upc, enable_ai, total_rows, open_chunks from import_records where id = $1',
    [id],
  );
  expect(imports).toEqual([
    {
      filename: 'watched.csv',
      file_bytes: csv.length,
      sha256: createHash('sha256').update(csv).digest('hex'),
      object_key: file.objectKey,
      status: 'processing',
      enable_upc: false,
      enable_ai: true,
      total_rows: 3,
      open_chunks: 1,
    },
  ]);
  const { rows: chunks } = await fixture.database.pool.query(
    'select state, first_row, rows, products from chunks where import_id = $1',
    [id],
  );
  expect(chunks).toEqual([{ state: 'pending', first_row: 1, rows: 3, products: 3 }]);
});

test.each([
  ['too large', productCsv(100)],
  ['too few records', 'Title,Price\r\n'],
  ['not csv', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n'],
  ['over a read limit', productCsv(21)],
])('a refused file leaves nothing: %s', async (reason, text) => {
  const before = await filesStored();
  const error = await taken(text).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(FileRefused);
  expect(error).toMatchObject({ reason });
  expect(await filesStored()).toBe(before);
});

test('a discarded file is gone with its transcript', async () => {
  const before = await filesStored();
  const source = piecesOf(Buffer.from('\uFEFFTitle;Price\r\nVäse;1\r\nTässe;2\r\n', 'utf16le'));
  const file = await takeFile(source, options());
  expect(await filesStored()).toBe(before + 2);
  await discardFile(file, fixture.storage);
  expect(await filesStored()).toBe(before);
});

test('a discarded workbook is gone with the text of its sheet', async () => {
  const before = await filesStored();
  const rows = [
    ['Title', 'Price'],
    ['Lamp', 1],
  ];
  const bytes = Buffer.from(await workbookFile({ sheets: [{ name: 'Prices', rows }] }));
  const larger = { ...limits, csvBytesMax: 20_000 };
  const file = await takeFile(piecesOf(bytes), { ...options(), limits: larger });
  expect(await filesStored()).toBe(before + 2);
  await discardFile(file, fixture.storage);
  expect(await filesStored()).toBe(before);
});

test('an archive has a limit of its own', async () => {
  const bytes = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(20_000)]);
  const error = await takeFile(piecesOf(bytes), options()).catch((thrown) => thrown);
  expect(error).toMatchObject({ reason: 'too large', message: expect.stringContaining('ARCHIVE_BYTES_MAX') });
});
