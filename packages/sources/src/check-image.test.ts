import { expect, test } from 'vitest';
import { checkImage } from './check-image.ts';

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
