import { discardFile, takeFile } from '@draftshelf/core/reading/take-file';
import { readLimitsDefault } from '@draftshelf/csv/limits';
import { pngOf, pngParts } from '@draftshelf/domain/testing/sample-pictures';
import { withContainer } from '@draftshelf/object-storage/store-table';
import { part, relationsXml, workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { zipFile } from '@draftshelf/workbooks/testing/zip-file';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { productCsv, storedUnder } from '../../support/fixture.ts';
import { isLong } from '../../support/queue-backend.ts';
import { api, fixture, testOnApi } from '../../support/test.ts';

const test = testOnApi();

const mb = 2 ** 20;
const limits = { ...readLimitsDefault, csvBytesMax: 50 * mb, archiveBytesMax: 512 * mb };
const rows = [
  ['Title', 'Price'],
  ['Lamp', 1],
];
const workbook = () => workbookFile({ sheets: [{ name: 'Prices', rows }] });
const filesStored = async () => (await storedUnder(fixture.storage, '')).length;

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes);
}
const take = async (options: Partial<Parameters<typeof takeFile>[1]> = {}) =>
  takeFile(piecesOf(await workbook()), {
    ...{ db: fixture.database.db, storage: fixture.storage, limits },
    ...options,
  });

test('who waits for a turn leaves when nobody waits for it any more', async () => {
  const file = await take();
  const running = Promise.withResolvers<void>();
  const convert = (work: () => Promise<void>, signal?: AbortSignal) =>
    withContainer(fixture.storage, file, limits, work, signal);
  const first = convert(() => running.promise);
  const waiting = new AbortController();
  const second = convert(() => Promise.reject(new Error('It has begun')), waiting.signal);
  waiting.abort(new Error('nobody waits'));
  await expect(second).rejects.toThrow('nobody waits');
  running.resolve();
  await first;
  await discardFile(file, fixture.storage);
});

test('a file that nobody waits for any more leaves nothing', async () => {
  const before = await filesStored();
  const waiting = new AbortController();
  // Its headers are asked for while its text is stored.
  const recall = async () => {
    waiting.abort(new Error('the process stops'));
    return undefined;
  };
  await expect(take({ recall, signal: waiting.signal })).rejects.toThrow('the process stops');
  expect(await filesStored()).toBe(before);
});

const png = pngOf(pngParts(1, 1));
const pictured = (crc?: number) =>
  workbookFile({
    sheets: [{ name: 'Prices', rows }],
    parts: [
      part('xl/worksheets/_rels/sheet1.xml.rels', relationsXml([['drawing', '../drawings/drawing1.xml']])),
      {
        ...part(
          'xl/drawings/drawing1.xml',
          '<wsDr><oneCellAnchor><from><row>1</row></from><pic><blip embed="rId1"/></pic></oneCellAnchor></wsDr>',
        ),
        ...(crc === undefined ? {} : { claims: { crc } }),
      },
      part('xl/drawings/_rels/drawing1.xml.rels', relationsXml([['image', '../media/1.png']])),
      { name: 'xl/media/1.png', data: png },
    ],
  });

/** What is said about the pictures of a file. */
async function noticeOf(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const reply = await api.upload(csvForm(bytes, { filename: 'list.xlsx' }));
  const { id } = reply.body as { id: string };
  const { body } = await api.call('GET', `/api/queue/${id}/tables`);
  return (body as { picturesNotice: string | null }).picturesNotice;
}

test('what is wrong with the pictures of a file is said', async () => {
  expect(await noticeOf(await pictured())).toBeNull();
  expect(await noticeOf(await pictured(1))).toBe(
    'No pictures are taken out of the file. The file is damaged: ‘xl/drawings/drawing1.xml’ does not match its checksum. It may have changed in transfer; get it again.',
  );
});

test.runIf(isLong)('of more pictures than one import takes, the first 20,000 are taken out', async () => {
  const many = Array.from({ length: 20_001 }, (_, at) => ({ name: `${at}.png`, data: png, isStored: true }));
  expect(await noticeOf(await zipFile([{ name: 'list.csv', data: productCsv(1) }, ...many]))).toBe(
    'The file has more pictures than an import can have. Only the first 20,000 are imported.',
  );
});
