import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkImage, createHostLimiter, createImageChecker, keepGoodPictures } from './image-checker.ts';

test('of one host two are checked at once, whatever the others do', async () => {
  const limit = createHostLimiter(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const check = (url: string) =>
    limit(url, () => {
      begun.push(url);
      return new Promise<void>((resolve) => void ends.push(resolve));
    });
  const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3', 'https://b.example/1'];
  const all = urls.map(check);
  await expect.poll(() => begun).toEqual([urls[0], urls[1], urls[3]]);
  ends[0]?.();
  await expect.poll(() => begun.at(-1)).toBe(urls[2]);
  for (const end of ends) end();
  await Promise.all(all);
});

/** A server of pictures; one that is slow never answers. */
async function pictureServer(isSlow: boolean): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (!isSlow) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const checkerOf = (...origins: string[]) =>
  createImageChecker(
    { FETCH_ALLOW: origins, FETCH_PUBLIC: false, DEMO_SOURCES_URL: undefined, IMAGE_HOSTS: [] },
    async () => false,
  );

test('checks that wait for a slow host take no place of others, and end with their signal', async () => {
  const [slow, fast] = [await pictureServer(true), await pictureServer(false)];
  const images = checkerOf(slow.origin, fast.origin);
  const stop = new AbortController();
  const waiting = Array.from({ length: 10 }, (_, at) => images.check(`${slow.origin}/${at}`, stop.signal));
  await expect.poll(() => slow.asked).toHaveLength(2);
  expect(await images.check(`${fast.origin}/1`)).toMatchObject({ state: 'bad' });
  stop.abort();
  expect((await Promise.all(waiting)).map((one) => one?.state)).toEqual(waiting.map(() => 'unreachable'));
  // Those that had waited for the host did not ask it.
  expect(slow.asked).toHaveLength(2);
});

test('an answer keeps the pictures whose check was stopped', async () => {
  const [slow, fast] = [await pictureServer(true), await pictureServer(false)];
  const stop = new AbortController();
  const images = [`${fast.origin}/gone`, `${slow.origin}/1`, `${slow.origin}/2`];
  const none = { title: 'Vase', brand: null, description: null, category: null };
  const answer = { ...none, images, attribution: null, picturesNeedCredit: false };
  const checking = keepGoodPictures(answer, checkerOf(slow.origin, fast.origin), stop.signal);
  await expect.poll(() => slow.asked).toHaveLength(1);
  stop.abort();
  const kept = await checking;
  expect(kept.answer.images).toEqual(images.slice(1));
  expect(kept.checked.map(({ url }) => url)).toEqual(images.slice(0, 1));
});

const boxOf = (type: string, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + body.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
};
const flags = Buffer.alloc(4);

/** A HEIF with this many sizes, all 40 × 30. */
function heif(sizes: number, brand = 'heic'): Buffer {
  const size = Buffer.alloc(12);
  size.writeUInt32BE(40, 4);
  size.writeUInt32BE(30, 8);
  const all = Array.from({ length: sizes }, () => boxOf('ispe', size));
  const ftyp = boxOf('ftyp', Buffer.from(`${brand}\0\0\0\0mif1`, 'latin1'));
  return Buffer.concat([ftyp, boxOf('meta', flags, boxOf('iprp', boxOf('ipco', ...all)))]);
}

const check = (body: Buffer | string, isWhole = true) =>
  checkImage(
    async (url) => ({ url, status: 200, headers: {}, body: Buffer.from(body), isWhole }),
    'https://cdn.example/a',
  );
const isNone = { state: 'bad', reason: 'What is at this address isn’t a picture.' };

test('the size of an ordinary HEIF is found', async () => {
  expect(await check(heif(3))).toMatchObject({ state: 'ok', width: 40, height: 30 });
  expect(await check(heif(1, 'avif'))).toMatchObject({ state: 'ok', width: 40 });
});

test('of a HEIF with 12,500 sizes only the beginning is read', async () => {
  expect(await check(heif(12_500))).toMatchObject({ state: 'ok', width: null });
  expect(await check(heif(12_500, 'none'))).toMatchObject(isNone);
});

test('a picture of a format that Shopify does not take is named', async () => {
  expect(await check('<svg width="4" height="3"></svg>')).toMatchObject({
    reason: 'Shopify doesn’t accept pictures of the format svg.',
  });
});

test('a long JPEG whose size comes later is a picture, a short one without a size is none', async () => {
  const start = Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0, 0]);
  expect(await check(Buffer.concat([start, Buffer.alloc(100)]), false)).toMatchObject({
    state: 'ok',
    width: null,
  });
  expect(await check(Buffer.concat([start, Buffer.alloc(100)]), true)).toMatchObject(isNone);
});
