import { Readable } from 'node:stream';
import type { listPictures } from '@draftshelf/contract/review/pictures';
import type { ReplyOf } from '@draftshelf/contract/route';
import { findImport } from '@draftshelf/core/imports/imports';
import { beginReread } from '@draftshelf/core/reading/begin-reread';
import { refreshRows } from '@draftshelf/core/reading/refresh-products';
import { listUsedPhotos } from '@draftshelf/core/scanner/photos';
import { deleteImport } from '@draftshelf/core/work/delete-import';
import { currentRows } from '@draftshelf/core/work/runs';
import { enqueueTask } from '@draftshelf/core/work/tasks';
import { photoIdAt, photoKey } from '@draftshelf/domain/base/photo-address';
import { issuesIn } from '@draftshelf/domain/review/issue-set';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { part, relationsXml, workbookFile } from '@draftshelf/workbooks/testing/workbook-file';
import { zipFile } from '@draftshelf/workbooks/testing/zip-file';
import { expect } from 'vitest';
import { csvForm } from '../../support/api-client.ts';
import { editRow } from '../../support/edit-row.ts';
import { importWithPictures, type PictureFile, pictureOf } from '../../support/file-pictures.ts';
import { csvOf, storedUnder, until } from '../../support/fixture.ts';
import { importSteps } from '../../support/import-steps.ts';
import { putPhoto } from '../../support/put-photo.ts';
import { readers, stack, testOnWorkers } from '../../support/test.ts';

const test = testOnWorkers(readers);
const { read, rested, rowsOf } = importSteps(() => stack);

async function matched(csv: string, files: readonly PictureFile[]): Promise<string> {
  const { id } = await importWithPictures(stack, csv, files);
  await rested(id);
  return id;
}

/** The numbers of the stored pictures that each row has, by what they are named. */
async function picturesOf(id: string): Promise<string[][]> {
  const { rows } = await stack.database.pool.query<{ entry: string; photo_id: string }>(
    'select entry, photo_id from file_pictures where import_id = $1 order by n',
    [id],
  );
  const names = new Map(rows.map(({ entry, photo_id }) => [photo_id, entry]));
  return (await rowsOf(id)).map(({ values: { image = '', moreImages = '' } }) =>
    [image, ...moreImages.split('\n')]
      .filter((src) => src !== '')
      .map((src) => names.get(photoIdAt(src) ?? '') ?? src),
  );
}

async function matchesOf(id: string) {
  const { rows } = await stack.database.pool.query(
    `select entry, state, row, coalesce(file_pictures.reason, picture_matches.reason) as reason
     from file_pictures left join picture_matches using (import_id, n) where import_id = $1 order by n`,
    [id],
  );
  return rows;
}

const csv = csvOf([
  ['Title', 'Price', 'SKU', 'Image'],
  ['Oak lamp', '12.50', 'L-1', ''],
  ['Oak vase', '9.50', 'V-1', 'https://example.com/own.jpg'],
  ['Oak bowl', '8.50', 'B-1', 'photos/bowl of oak.png'],
  ['Oak tray', '7.50', 'T-1', ''],
]);

test('pictures become photos of the products that they name, in order', async () => {
  const id = await matched(csv, [
    { name: 'list.csv', data: 'Title' },
    { name: 'pictures/L-1-2.png' },
    { name: 'pictures/l 1.png', isStored: true },
    { name: 'V-1.png' },
    { name: 'other/bowl of oak.png' },
    { name: 'photos/bowl of oak.png' },
    { name: 'unknown.png' },
    { name: 'T-1/2.png' },
    { name: 'T-1/broken.png', claims: { crc: 1 } },
  ]);
  expect(await picturesOf(id)).toEqual([
    ['pictures/l 1.png', 'pictures/L-1-2.png'],
    ['https://example.com/own.jpg'],
    ['photos/bowl of oak.png'],
    ['T-1/2.png'],
  ]);
  const noProduct = 'No product has this name as its SKU, UPC, item number or handle.';
  expect(await matchesOf(id)).toEqual([
    { entry: 'list.csv', state: 'refused', row: null, reason: 'This file isn’t a picture.' },
    { entry: 'pictures/L-1-2.png', state: 'stored', row: 1, reason: null },
    { entry: 'pictures/l 1.png', state: 'stored', row: 1, reason: null },
    {
      ...{ entry: 'V-1.png', state: 'stored', row: 2 },
      reason: 'Not used: the list has a picture of this product.',
    },
    { entry: 'other/bowl of oak.png', state: 'stored', row: null, reason: noProduct },
    { entry: 'photos/bowl of oak.png', state: 'stored', row: 3, reason: null },
    { entry: 'unknown.png', state: 'stored', row: null, reason: noProduct },
    { entry: 'T-1/2.png', state: 'stored', row: 4, reason: null },
    { entry: 'T-1/broken.png', state: 'refused', row: null, reason: expect.stringMatching(/damaged/) },
  ]);
  // The cell that named a file is a picture now.
  expect((await rowsOf(id)).map(({ issues, image }) => [issuesIn(issues), image !== null])).toEqual([
    [[], true],
    [[], true],
    [[], true],
    [[], true],
  ]);
});

test('an anchored picture is that of its row, others say where they are', async () => {
  // The place of a row of a CSV is its first byte.
  const [lamp, vase] = [csv.indexOf('Oak lamp'), csv.indexOf('Oak vase')];
  const id = await matched(csv, [
    { name: 'image1.png', anchor: { sheet: 0, line: lamp } },
    { name: 'image2.png', anchor: { sheet: 0, line: vase } },
    { name: 'L-1.png', anchor: { sheet: 0, line: 1 } },
    { name: 'image3.png', anchor: { sheet: 1, line: lamp } },
    { name: 'image4.png', anchor: { sheet: 0, line: 9_999 } },
    { name: 'image5.png', anchor: { sheet: 0, line: lamp, toLine: vase } },
    { name: 'image6.png', anchor: { sheet: 0, line: lamp - 1, toLine: lamp } },
    { name: 'image7.png', anchor: { sheet: 0, line: vase - 1, toLine: vase + 1 } },
    { name: 'image8.png', anchor: { sheet: 0, line: 9_000, toLine: 9_999 } },
  ]);
  const several = 'The picture covers several rows.';
  expect((await matchesOf(id)).map(({ row, reason }) => row ?? reason)).toEqual([
    ...[
      1,
      2,
      'The picture is above the list (a logo?).',
      'The picture is on another sheet.',
      'There’s no product in the picture’s row.',
    ],
    ...[several, several, 2, several],
  ]);
});

test('a re-read matches again, and an edit of the picture stays', async () => {
  const id = await matched(csv, [{ name: 'L-1.png' }, { name: 'T-1.png' }]);
  const { db, pool } = stack.database;
  // Without the pictures, which are not read again.
  const { object_key } = await read(id);
  await putStream(stack.storage, object_key, Readable.from([Buffer.from(csv)]));
  await db.transaction().execute((trx) => editRow(trx, id, 4, { image: 'https://example.com/mine.jpg' }));
  await db
    .transaction()
    .execute((trx) => beginReread(trx, id, { mapping: { SKU: { field: null, by: 'operator' } } }));
  await until('re-read', async () => (await read(id)).rows_run === 2);
  await rested(id);
  expect(await picturesOf(id)).toEqual([
    [],
    ['https://example.com/own.jpg'],
    ['photos/bowl of oak.png'],
    ['https://example.com/mine.jpg'],
  ]);
  await db
    .transaction()
    .execute((trx) => beginReread(trx, id, { mapping: { SKU: { field: 'sku', by: 'operator' } } }));
  await until('re-read', async () => (await read(id)).rows_run === 3);
  await rested(id);
  expect((await picturesOf(id))[0]).toEqual(['L-1.png']);
  expect((await picturesOf(id))[3]).toEqual(['https://example.com/mine.jpg']);
  // Taken out once.
  const { rows } = await pool.query(
    `select count(*)::int from chunks where import_id = $1 and task = 'take-pictures'`,
    [id],
  );
  expect(rows).toEqual([{ count: 1 }]);
});

test('pictures that were taken out during a re-read are matched when it is cancelled', async () => {
  const id = await matched(csv.replaceAll('Oak', 'Elm').replaceAll('-1,', '-7,'), [{ name: 'L-7.png' }]);
  const before = await picturesOf(id);
  expect(before[0]).toEqual(['L-7.png']);
  const { db, pool } = stack.database;
  const of = currentRows(await read(id));
  await db.transaction().execute(async (trx) => {
    // As it was before the picture was taken out.
    for (const table of ['picture_matches', 'found_values'] as const) {
      await trx.deleteFrom(table).where('import_id', '=', id).execute();
    }
    await trx
      .updateTable('file_pictures')
      .set({ state: 'waiting', photo_id: null })
      .where('import_id', '=', id)
      .execute();
    await refreshRows(trx, await read(id), [1]);
    await enqueueTask(trx, of, 'take-pictures');
    await beginReread(trx, id, {});
    await trx
      .updateTable('chunks')
      .set({ not_before: new Date(Date.now() + 3_600_000) })
      .where('import_id', '=', id)
      .where('kind', '<>', 'task')
      .where('state', '=', 'pending')
      .execute();
  });
  const isTaken = async () =>
    (await pool.query(`select 1 from file_pictures where import_id = $1 and state = 'stored'`, [id])).rows
      .length === 1;
  await until('taken out', isTaken);
  expect(await picturesOf(id)).toEqual([[], ...before.slice(1)]);
  const cancelled = await stack.api.call('POST', `/api/queue/${id}/cancel`, { body: { only: 'reread' } });
  expect(cancelled.status).toBe(200);
  await until('matched', async () => (await picturesOf(id))[0]?.length === 1);
  expect(await picturesOf(id)).toEqual(before);
});

test('pictures are matched behind the first rows too, and by the beginning of an endless cell', async () => {
  const rows = Array.from({ length: 600 }, (_, at) => [`Pin ${at}`, '1', `PIN-${at}`, '']);
  rows[550] = ['Pin 550', '1', 'x'.repeat(9_000), `pin of brass.png,${'y'.repeat(9_000)}`];
  const pins = csvOf([['Title', 'Price', 'SKU', 'Image'], ...rows]);
  const id = await matched(pins, [{ name: 'PIN-599.png' }, { name: 'pin of brass.png' }]);
  expect((await matchesOf(id)).map(({ row }) => row)).toEqual([600, 551]);
});

test('the same picture is one photo, which stays as long as an import names it', async () => {
  const data = pictureOf(77);
  const files = Array.from({ length: 30 }, (_, at) => ({ name: `L-1 (${at}).png`, data }));
  const ids = [await matched(csv, files), await matched(csv, files)];
  const [first = '', second = ''] = ids;
  const [photo = ''] = (await rowsOf(first)).map(({ values }) => values.image ?? '');
  const key = photoKey(photoIdAt(photo) ?? '');
  expect((await rowsOf(first))[0]?.values.moreImages).toBeUndefined();
  const isStored = async () => (await storedUnder(stack.storage, key)).length === 1;
  const isLeftOver = async () =>
    (await stack.database.pool.query('select 1 from uploads where object_key = $1', [key])).rows.length === 1;
  const remove = async (id: string) => {
    await stack.database.db.transaction().execute((trx) => deleteImport(trx, id));
    await until('deleted', async () => (await findImport(stack.database.db, id)) === undefined);
  };
  expect([await isStored(), await isLeftOver()]).toEqual([true, false]);
  await remove(first);
  expect([await isStored(), await isLeftOver()]).toEqual([true, false]);
  await remove(second);
  // The sweep removes it.
  expect(await isLeftOver()).toBe(true);
});

test('pictures are listed by state, and an operator chooses the product of one', async () => {
  // Products of their own, so that nothing is carried over from other imports.
  const pine = csv.replaceAll('Oak', 'Pine').replaceAll('-1,', '-9,');
  const files = [{ name: 'L-9.png' }, { name: 'who.png' }, { name: 'T-9.txt', data: 'no picture' }];
  const id = await matched(pine, files);
  const list = async (query = '') => {
    const { status, body } = await stack.api.call('GET', `/api/queue/${id}/pictures${query}`);
    expect(status).toBe(200);
    return body as ReplyOf<typeof listPictures>;
  };
  const counts = { matched: 1, unmatched: 1, refused: 1, waiting: 0, products: 1 };
  expect(await list()).toMatchObject({ counts, next: null });
  const { pictures } = await list('?state=unmatched');
  expect(pictures).toEqual([
    expect.objectContaining({
      n: 2,
      entry: 'who.png',
      row: null,
      photo: expect.stringMatching(/^\/api\/photos\//),
    }),
  ]);
  const choose = (n: number, row: number, run = 1) =>
    stack.api.call('POST', `/api/queue/${id}/pictures/${n}/product`, { body: { row, run } });
  expect(await choose(3, 4)).toMatchObject({ status: 404 });
  expect(await choose(2, 99)).toMatchObject({ status: 404 });
  // The numbers of rows are of another reading of the file.
  expect(await choose(2, 4, 2)).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^The rows have been read again/) },
  });
  const chosen = await choose(2, 4);
  expect(chosen).toMatchObject({ status: 200, body: { message: 'Picture added to row 4.' } });
  await choose(2, 1);
  expect(await picturesOf(id)).toEqual([
    ['L-9.png', 'who.png'],
    ['https://example.com/own.jpg'],
    ['photos/bowl of oak.png'],
    ['who.png'],
  ]);
  expect((await list()).counts).toEqual({ ...counts, matched: 2, unmatched: 0 });
  const { command } = chosen.body as { command: string };
  await stack.api.call('POST', `/api/queue/${id}/edits/${command}/undo`);
  expect((await picturesOf(id))[3]).toEqual([]);
  // The later choice holds; of one that was undone, the picture has no product again.
  expect((await list()).counts).toEqual({ ...counts, matched: 2, unmatched: 0 });
  const again = (await choose(2, 4)).body as { command: string };
  await stack.api.call('POST', `/api/queue/${id}/edits/${again.command}/undo`);
  expect(await list('?state=unmatched')).toMatchObject({
    counts,
    pictures: [{ n: 2, row: null, title: null, reason: 'Your choice was undone.' }],
  });
  await choose(2, 1);
  const { body } = await stack.api.call('GET', `/api/queue/${id}/pictures.csv`);
  expect(String(body).split('\r\n').slice(1, 4)).toEqual([
    'L-9.png,Matched,1,Pine lamp,',
    'who.png,Matched,1,Pine lamp,Chosen by you.',
    'T-9.txt,Could not be read,,,This file isn’t a picture.',
  ]);
});

test('a photo that an operator adds is kept for rows of the import, and is no picture of its file', async () => {
  const archive = await zipFile([
    { name: 'list.csv', data: csv.replaceAll('Oak', 'Ash').replaceAll('-1,', '-7,') },
    { name: 'L-7.png', data: pictureOf(700) },
  ]);
  const { id } = (await stack.api.upload(csvForm(archive, { filename: 'ash.zip' }))).body as { id: string };
  await rested(id);
  const address = async (photo: Uint8Array) => {
    const { uploadURL } = (await stack.api.call('POST', '/api/objects/upload')).body as { uploadURL: string };
    await putPhoto(uploadURL, photo);
    return uploadURL;
  };
  const add = (upload: string) =>
    stack.api.call('POST', `/api/queue/${id}/photos`, { body: { upload, name: 'T-7 front.png' } });
  expect(await add(await address(Buffer.from('no picture')))).toMatchObject({
    status: 400,
    body: { message: 'This file isn’t a picture.' },
  });
  expect(await add('https://example.com/a.png')).toMatchObject({ status: 400 });
  const photos: string[] = [];
  for (const n of [701, 702]) {
    const { status, body } = await add(await address(pictureOf(n)));
    expect(status).toBe(200);
    photos.push((body as { address: string }).address);
  }
  const [first = '', second = ''] = photos;
  await editRow(stack.database.db, id, 4, { image: second, moreImages: first });
  const [, , , tray] = await rowsOf(id);
  const productNow = async () =>
    (await stack.api.call('GET', `/api/queue/${id}/products/${tray?.product}`)).body;
  const known = { state: 'ok', reason: null, name: 'T-7 front.png' };
  expect(await productNow()).toMatchObject({ pictures: { [first]: known, [second]: known } });

  // Matched again, its name gives the photo to no row.
  await stack.database.db.transaction().execute((trx) => beginReread(trx, id, {}));
  await until('the file is read again', async () => (await read(id)).rows_run === 2);
  await rested(id);
  const { body } = await stack.api.call('GET', `/api/queue/${id}/pictures`);
  const counts = { matched: 1, unmatched: 0, refused: 0, waiting: 0, products: 1 };
  expect(body).toMatchObject({ counts, pictures: [{ n: 1 }] });
  expect(await productNow()).toMatchObject({ rows: [{ values: { image: second, moreImages: first } }] });

  const keys = photos.map((photo) => photoKey(photoIdAt(photo) ?? ''));
  expect(await listUsedPhotos(stack.database.db, keys)).toEqual(new Set(keys));
  await stack.database.db.transaction().execute((trx) => deleteImport(trx, id));
  await until('deleted', async () => (await findImport(stack.database.db, id)) === undefined);
  expect(await listUsedPhotos(stack.database.db, keys)).toEqual(new Set());
});

test('a chosen picture stays chosen when the file is read again', async () => {
  const list = csv.replaceAll('Oak', 'Elm').replaceAll('-1,', '-8,');
  const archive = await zipFile([
    { name: 'list.csv', data: list },
    { name: 'who.png', data: pictureOf(88) },
  ]);
  const { id } = (await stack.api.upload(csvForm(archive, { filename: 'list.zip' }))).body as { id: string };
  await rested(id);
  const chosen = { body: { row: 4, run: 1 } };
  expect((await stack.api.call('POST', `/api/queue/${id}/pictures/1/product`, chosen)).status).toBe(200);
  await stack.database.db.transaction().execute((trx) => beginReread(trx, id, {}));
  await until('the file is read again', async () => (await read(id)).rows_run === 2);
  await rested(id);
  const { body } = await stack.api.call('GET', `/api/queue/${id}/pictures`);
  expect(body).toMatchObject({ pictures: [{ n: 1, state: 'matched', row: 4, reason: 'Chosen by you.' }] });
});

test('pictures in a packed workbook of an archive become photos of the products in their rows', async () => {
  const anchor = (row: number) =>
    `<oneCellAnchor><from><row>${row}</row></from><pic><blip embed="rId${row}"/></pic></oneCellAnchor>`;
  const media = [1, 2].map((n) => ({ name: `xl/media/${n}.png`, data: pictureOf(n) }));
  const book = await workbookFile({
    sheets: [
      {
        name: 'A',
        rows: [
          ['Title', 'Price'],
          ['Oak desk', 50],
          ['Oak stool', 20],
        ],
      },
    ],
    parts: [
      part('xl/worksheets/_rels/sheet1.xml.rels', relationsXml([['drawing', '../drawings/drawing1.xml']])),
      part('xl/drawings/drawing1.xml', `<wsDr>${anchor(2)}${anchor(1)}</wsDr>`),
      part(
        'xl/drawings/_rels/drawing1.xml.rels',
        relationsXml([1, 2].map((n) => ['image', `../media/${n}.png`] as const)),
      ),
      ...media,
    ],
  });
  const archive = await zipFile([{ name: 'book.xlsx', data: book }]);
  const reply = await stack.api.upload(csvForm(archive, { filename: 'list.zip' }));
  const { id } = reply.body as { id: string };
  await rested(id);
  expect(await picturesOf(id)).toEqual([['xl/media/1.png'], ['xl/media/2.png']]);
});
