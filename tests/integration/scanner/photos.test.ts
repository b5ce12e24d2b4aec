import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { updateAddedValues } from '@draftshelf/core/scanner/added-rows';
import { photoIdAt, photoKey, uploadKey } from '@draftshelf/domain/base/photo-address';
import {
  jpegMetadata,
  jpegOf,
  jpegParts,
  pngOf,
  pngParts,
  secret,
} from '@draftshelf/domain/testing/sample-pictures';
import { getStream } from '@draftshelf/object-storage/objects';
import { beforeEach, expect } from 'vitest';
import { removeLeftovers } from '../../../apps/parse-worker/src/tasks.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import {
  type Fixture,
  lockWaiters,
  productCsv,
  storedImport,
  storedUnder,
  until,
} from '../../support/fixture.ts';
import { putPhoto } from '../../support/put-photo.ts';
import { scanned, scannerSteps } from '../../support/scanner-steps.ts';
import { test } from '../../support/test.ts';

let api: TestApi;
let fixture: Fixture;
beforeEach<{ api: TestApi; fixture: Fixture }>(({ api: ofFile, fixture: fixtureOfFile }) => {
  api = ofFile;
  fixture = fixtureOfFile;
});
const { save, update, saved, read, remove } = scannerSteps(() => api);

const dirty = (width = 40) => jpegOf([...Object.values(jpegMetadata), ...jpegParts(width)]);
const dataUrl = (bytes: Uint8Array, type = 'image/jpeg') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const photosOf = ({ body }: { body: unknown }) => (body as { photos: string[] }).photos;
const uploadAddress = async () =>
  ((await api.call('POST', '/api/objects/upload')).body as { uploadURL: string }).uploadURL;
/** Sends a photo and returns the address that it was sent to. */
async function uploaded(photo: Uint8Array = dirty()): Promise<string> {
  const address = await uploadAddress();
  expect((await putPhoto(address, photo)).status).toBe(200);
  return address;
}
const storedPhoto = async (address: string) =>
  Buffer.concat(await getStream(fixture.storage, photoKey(photoIdAt(address) ?? '')).toArray());
const isStored = async (address: string) =>
  (await storedUnder(fixture.storage, photoKey(photoIdAt(address) ?? ''))).length > 0;
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('uploads become photos without metadata, by their address in any form, and once', async () => {
  const [whole, path, absolute] = [await uploaded(), await uploaded(), await uploaded()];
  const photos = [
    whole,
    new URL(path).pathname,
    `http://shelf.example.com${new URL(absolute).pathname}`,
    'https://images.example/vase.jpg',
  ];
  const product = { id: randomUUID(), ...scanned('Uploaded', { photos }) };
  const first = await save(product);
  expect(first.status).toBe(201);
  const stored = photosOf(first);
  const ids = [whole, path, absolute].map((address) => new URL(address).pathname.split('/').at(-1));
  expect(stored).toEqual([...ids.map((id) => `/api/photos/${id}`), 'https://images.example/vase.jpg']);
  const bytes = await storedPhoto(stored[0] ?? '');
  expect(textOf(dirty())).toContain(secret);
  expect(textOf(bytes)).not.toContain(secret);
  expect(bytes.length).toBe(jpegOf(jpegParts()).length + 36);
  expect((await api.call('GET', stored[0] ?? '')).headers.get('content-type')).toBe('image/jpeg');
  // The address stays valid for a while, but what is sent to it now is nobody's photo.
  expect((await putPhoto(whole, pngOf(pngParts()))).status).toBe(200);
  const repeated = await save(product);
  expect(repeated).toMatchObject({ status: 200, body: { version: 1, photos: stored } });
  expect(await storedPhoto(stored[0] ?? '')).toEqual(bytes);
  const shown = await api.call('GET', new URL(whole).pathname);
  expect(shown.headers.get('content-type')).toBe('image/jpeg');
});

test('data URLs become photos, and a repeated save gives the same ones', async () => {
  const photos = [
    dataUrl(dirty(60)),
    'https://images.example/a.jpg',
    dataUrl(pngOf(pngParts()), 'text/html'),
  ];
  const product = { id: randomUUID(), ...scanned('In the body', { photos }) };
  const first = await save(product);
  expect(first.status).toBe(201);
  const [jpeg = '', web, png = ''] = photosOf(first);
  expect([photoIdAt(jpeg), web, photoIdAt(png)]).toEqual([
    expect.any(String),
    'https://images.example/a.jpg',
    expect.any(String),
  ]);
  expect(textOf(await storedPhoto(jpeg))).not.toContain(secret);
  expect((await api.call('GET', png)).headers.get('content-type')).toBe('image/png');
  expect(await save(product)).toMatchObject({ status: 200, body: { version: 1 } });
  // An edit sends addresses, and may add a photo.
  const changed = await update(product.id, { ...scanned('Edited'), photos: [png, dataUrl(dirty(61)), jpeg] });
  expect(photosOf(changed)).toEqual([png, expect.stringMatching(/^\/api\/photos\//), jpeg]);
});

const html = new TextEncoder().encode('<html>photo.jpg</html>');
test('a photo that is none is refused by its place, and nothing is saved', async () => {
  const notSent = await uploadAddress();
  const refused: [photo: string, message: string][] = [
    [dataUrl(html), 'This file isn’t a picture.'],
    [await uploaded(html), 'This file isn’t a picture.'],
    [
      await uploaded(jpegOf(jpegParts(20_000, 20_000))),
      'The photo has more than 25 megapixels (20000×20000).',
    ],
    [dataUrl(jpegOf(jpegParts()).subarray(0, 60)), 'The picture is incomplete. Choose the file again.'],
    [notSent, 'This upload has expired. Choose the photo again.'],
    [`/api/photos/${randomUUID()}`, 'This photo is gone. Choose it again.'],
    ['ftp://images.example/a.jpg', 'Upload the photo, or enter its web address.'],
    ['/etc/passwd', 'Upload the photo, or enter its web address.'],
  ];
  for (const [photo, message] of refused) {
    const id = randomUUID();
    const reply = await save({ id, ...scanned('Refused', { photos: ['https://a.example/1.jpg', photo] }) });
    expect(reply).toMatchObject({ status: 400, body: { field: 'photos.1', message } });
    expect((await read(id)).status).toBe(404);
  }
  expect(await save(undefined)).toMatchObject({ status: 400 });
});

test('a photo is removed with the last product that names it, and by an edit', async () => {
  const upload = await uploaded();
  const one = await saved('One', { photos: [upload] });
  const [photo = ''] = one.photos;
  const other = await saved('Other', { photos: [photo] });
  expect((await remove(one.id)).status).toBe(200);
  expect(await isStored(photo)).toBe(true);
  expect((await update(other.id, scanned('Other'))).status).toBe(200);
  await until('the photo is removed', async () => !(await isStored(photo)));
  expect((await api.call('GET', photo)).status).toBe(404);
  const { rows } = await fixture.database.pool.query('select 1 from uploads where object_key = $1', [
    photoKey(photoIdAt(photo) ?? ''),
  ]);
  expect(rows).toEqual([]);
  const gone = await save(scanned('Late', { photos: [photo] }));
  expect(gone).toMatchObject({ status: 400, body: { field: 'photos.0' } });
});

test('a stale save is a conflict also when another tab has removed its photo', async () => {
  const product = await saved('Two tabs', { photos: [dataUrl(dirty(65))] });
  const [photo = ''] = product.photos;
  const stale = { ...scanned('By the second tab', { photos: [photo] }), version: 1 };
  const first = await update(product.id, { ...scanned('By the first tab'), version: 1 });
  await until('the photo is removed', async () => !(await isStored(photo)));
  const conflict = { status: 409, body: { code: 'conflict', current: first.body } };
  expect(await update(product.id, stale)).toMatchObject(conflict);
  expect(await save({ id: product.id, ...stale })).toMatchObject(conflict);
  const notSent = { ...stale, photos: [await uploadAddress()] };
  expect(await update(product.id, notSent)).toMatchObject(conflict);
  expect(await update(product.id, { ...stale, version: 2 })).toMatchObject({
    status: 400,
    body: { field: 'photos.0', message: 'This photo is gone. Choose it again.' },
  });
  expect((await read(product.id)).body).toEqual(first.body);
  await remove(product.id);
  expect((await update(product.id, stale)).status).toBe(404);
  expect((await save({ id: product.id, ...stale })).status).toBe(410);
});

test('a photo of an added row stays without its product, until the row has others', async () => {
  const { id, photos } = await saved('Added', { photos: [dataUrl(dirty(70))] });
  const record = await storedImport(fixture, { csv: productCsv(1) });
  await fixture.database.pool.query(
    `insert into added_rows (import_id, product_id, ordinal, own_id, values, version, photos)
     values ($1, $2, 1, 'x', '{}', 1, $3)`,
    [record.id, id, photos],
  );
  expect((await remove(id)).status).toBe(200);
  expect(await isStored(photos[0] ?? '')).toBe(true);
  await updateAddedValues(fixture.database.db, record.id, { id, version: 2, photos: [] }, {});
  await removeLeftovers(fixture.database, fixture.storage, { signal: new AbortController().signal });
  expect(await isStored(photos[0] ?? '')).toBe(false);
});

test('a save that names a photo which is being released waits, and is refused', async () => {
  const { id, photos } = await saved('Deleted', { photos: [dataUrl(dirty(80))] });
  const { pool } = fixture.database;
  const client = await pool.connect();
  await client.query('begin');
  await client.query('update scanned_products set deleted_at = now() where id = $1', [id]);
  await client.query(
    `insert into uploads (object_key, database_id, sweeps)
     select $1, system_identifier || '/x', 24 from pg_control_system()`,
    [photoKey(photoIdAt(photos[0] ?? '') ?? '')],
  );
  const late = save(scanned('Late', { photos }));
  await until('the save waits', async () => (await lockWaiters(fixture)) > 0);
  await client.query('commit');
  client.release();
  expect(await late).toMatchObject({ status: 400, body: { field: 'photos.0', message: /gone/ } });
});

test('an upload that was saved is recorded for the sweep, its photo is not', async () => {
  const upload = await uploaded();
  const { photos } = await saved('Recorded', { photos: [upload] });
  const { rows } = await fixture.database.pool.query<{ object_key: string }>(
    'select object_key from uploads',
  );
  const keys = rows.map((row) => row.object_key);
  const id = photoIdAt(photos[0] ?? '') ?? '';
  expect(keys).toContain(uploadKey(id));
  expect(keys).not.toContain(photoKey(id));
});

test('a photo that arrives slowly gives way to the photos of others', async () => {
  const patient = await startApi(fixture, { set: { bodyPace: { windowMs: 100, bytesMin: 300_000 } } });
  const [cookie = ''] = (await patient.login()).headers.getSetCookie();
  const headers = {
    cookie: cookie.split(';', 1)[0] ?? '',
    'content-type': 'application/json',
    'content-length': 1_000_000,
  };
  const product = (name: string) => ({ id: randomUUID(), ...scanned(name, { photos: [dataUrl(dirty())] }) });
  const path = `${patient.url}/api/scanner/products`;
  const begun = ['One', 'Other'].map((name) => {
    const request = http.request(path, { method: 'POST', headers }).on('error', () => {});
    const text = JSON.stringify(product(name));
    request.write(text.slice(0, text.indexOf('base64,') + 100));
    return request;
  });
  try {
    const [answer] = await Promise.race(begun.map((request) => once(request, 'response')));
    expect(answer.statusCode).toBe(400);
    const whole = await patient.call('POST', '/api/scanner/products', { body: product('Whole') });
    expect(whole.status).toBe(201);
  } finally {
    for (const request of begun) request.destroy();
    await patient.close();
  }
});
