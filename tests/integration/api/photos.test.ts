import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';
import { photoKey, uploadKey } from '@draftshelf/domain/base/photo-address';
import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { jpegMetadata, jpegOf, jpegParts } from '@draftshelf/domain/testing/sample-pictures';
import { createObjectStorage } from '@draftshelf/object-storage/connect';
import { getStream } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import { expect } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { type Fixture, storedUnder } from '../../support/fixture.ts';
import { putPhoto } from '../../support/put-photo.ts';
import { test } from '../../support/test.ts';

const photo = jpegOf([jpegMetadata.exif, ...jpegParts()]);

/** An address to PUT a photo to. `origin`: of the page that asks. */
async function uploadAddress(api: TestApi, origin?: string): Promise<string> {
  const headers: Record<string, string> = origin === undefined ? {} : { origin };
  const { status, body } = await api.call('POST', '/api/objects/upload', { headers });
  expect(status).toBe(200);
  return (body as { uploadURL: string }).uploadURL;
}

const idIn = (address: string) => new URL(address).pathname.split('/').at(-1) ?? '';
const stored = async ({ storage }: Fixture, key: string) =>
  Buffer.concat(await getStream(storage, key).toArray());

test('a photo goes to object storage by a plain PUT, under any name of the server', async ({
  api,
  fixture,
}) => {
  const address = await uploadAddress(api);
  expect(address.startsWith(`${api.url}/${fixture.storage.bucket}/uploads/`)).toBe(true);
  const reply = await putPhoto(address, photo, {
    headers: { host: 'shelf.example.com', 'content-type': 'image/jpeg' },
  });
  expect(reply).toMatchObject({
    status: 200,
    body: { success: true },
    headers: { etag: /^"[0-9a-f]{32}"$/ },
  });
  expect(await stored(fixture, uploadKey(idIn(address)))).toEqual(Buffer.from(photo));
  // The browser that asked knows the server by this name.
  expect(await uploadAddress(api, 'http://localhost:3000')).toMatch(/^http:\/\/localhost:3000\//);
});

test('an address is refused once it is changed, expired or foreign', async ({ api, fixture }) => {
  const { storage } = fixture;
  const address = await uploadAddress(api);
  const old = await storage.client.presignedUrl(
    'PUT',
    storage.bucket,
    uploadKey(idIn(address)),
    60,
    undefined,
    new Date(Date.now() - 3_600_000),
  );
  const changed = {
    'another id': address.replace(idIn(address), randomUUID()),
    'no id': address.replace(idIn(address), 'x'),
    'another key': address.replace('/uploads/', '/photos/'),
    'another time': address.replace('X-Amz-Expires=900', 'X-Amz-Expires=3000'),
    'another signature': address.replace(/[0-9a-f]$/, (digit) => (digit === '0' ? '1' : '0')),
    'one parameter more': `${address}&x-id=PutObject`,
    'no signature': address.split('?', 1)[0] ?? '',
    'an old date': api.url + new URL(old).pathname + new URL(old).search,
  };
  const statuses = await Promise.all(
    Object.entries(changed).map(async ([name, url]) => [name, (await putPhoto(url, photo)).status]),
  );
  expect(Object.fromEntries(statuses)).toEqual({
    'another id': 403,
    'no id': 404,
    'another key': 415,
    'another time': 403,
    'another signature': 403,
    'one parameter more': 403,
    'no signature': 403,
    'an old date': 403,
  });
  const expired = await putPhoto(changed['an old date'], photo);
  expect(expired.body).toEqual({
    code: 'upload_expired',
    message: 'This upload link has expired. Choose the photo again.',
  });
  expect((await putPhoto(address, photo, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  expect((await putPhoto(address, photo, { headers: { authorization: 'AWS4 x' } })).status).toBe(403);
  expect(await storedUnder(storage, uploadKey(idIn(address)))).toEqual([]);
});

test('a photo of unknown size or over 10 MB is refused, one of 10 MB is stored', async ({ api, fixture }) => {
  const address = await uploadAddress(api);
  expect(await putPhoto(address, photo, { bytes: null })).toMatchObject({
    status: 411,
    body: { message: 'The size of the photo is missing.' },
  });
  const over = await putPhoto(address, new Uint8Array(photoBytesMax + 1));
  expect(over).toMatchObject({ status: 413, body: { message: 'The photo is larger than 10 MB.' } });
  expect(await storedUnder(fixture.storage, uploadKey(idIn(address)))).toEqual([]);
  expect((await putPhoto(address, new Uint8Array(photoBytesMax))).status).toBe(200);
  expect(await storedUnder(fixture.storage, uploadKey(idIn(address)))).toMatchObject([
    { bytes: photoBytesMax },
  ]);
});

test('a sender that disconnects leaves nothing', async ({ api, fixture }) => {
  const address = new URL(await uploadAddress(api));
  const socket = net.connect(Number(address.port), address.hostname);
  const head = `PUT ${address.pathname}${address.search} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n`;
  socket.write(`${head}only a beginning`, () => socket.destroy());
  await once(socket, 'close');
  const next = await uploadAddress(api);
  expect((await putPhoto(next, photo)).status).toBe(200);
  expect(await storedUnder(fixture.storage, uploadKey(idIn(address.href)))).toEqual([]);
});

test('without object storage the photo is refused with a sentence', async ({ fixture }) => {
  const storage = createObjectStorage({ ...fixture.storageEnv, S3_ENDPOINT: 'http://127.0.0.1:9' });
  const api = await startApi(fixture, { set: { storage } });
  const reply = await putPhoto(await uploadAddress(api), photo);
  expect(reply).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  const id = randomUUID();
  expect((await api.call('GET', `/api/photos/${id}`)).status).toBe(503);
  await api.close();
});

test('photos are served to a session, and kept by its browser for good', async ({ api, fixture }) => {
  const { storage } = fixture;
  const id = randomUUID();
  await putStream(storage, photoKey(id), Readable.from([Buffer.from(photo)]), { contentType: 'image/jpeg' });
  const own = await api.call('GET', `/api/photos/${id}`);
  expect(own.status).toBe(200);
  expect(Object.fromEntries(own.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(photo.length),
    'content-disposition': 'inline',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    etag: `"${id}"`,
  });
  const again = await api.call('GET', `/api/photos/${id}`, { headers: { 'if-none-match': `"${id}"` } });
  expect(again).toMatchObject({ status: 304, body: '' });
  const addresses = ['/api/photos', `/${storage.bucket}/photos`, `/${storage.bucket}/uploads`];
  for (const address of addresses) {
    expect((await api.call('GET', `${address}/${id}`)).headers.get('content-type')).toBe('image/jpeg');
    const missing = await api.call('GET', `${address}/${randomUUID()}`);
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
    expect((await api.call('GET', `${address}/..%2f${id}`)).status).toBe(404);
    const stranger = await fetch(`${api.url}${address}/${id}`);
    expect([stranger.status, stranger.headers.get('cache-control')]).toEqual([401, 'no-store']);
  }
});

test('an upload that is not saved is shown if it begins like a picture, and is not cached', async ({
  api,
}) => {
  const address = await uploadAddress(api);
  const path = new URL(address).pathname;
  await putPhoto(address, new TextEncoder().encode('<script>alert(1)</script>'), {
    headers: { 'content-type': 'text/html' },
  });
  expect((await api.call('GET', path)).status).toBe(404);
  await putPhoto(address, photo, { headers: { 'content-type': 'text/html' } });
  const shown = await api.call('GET', path);
  expect([shown.status, shown.headers.get('content-type'), shown.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'no-store',
  ]);
  expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
});
