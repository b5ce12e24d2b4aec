import { discardFile, takeFile } from '@draftshelf/core/reading/take-file';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { expect } from 'vitest';
import { storedUnder } from '../../support/fixture.ts';
import { fixture, testOnFixture } from '../../support/test.ts';

const test = testOnFixture();

const limits = { ...readLimitsDefault, csvBytesMax: 1_000, archiveBytesMax: 20_000 };
const options = () => ({ db: fixture.database.db, storage: fixture.storage, limits });
const filesStored = async () => (await storedUnder(fixture.storage, '')).length;

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

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
  expect(error).toMatchObject({ reason: 'too_large', message: expect.stringContaining('ARCHIVE_BYTES_MAX') });
});
