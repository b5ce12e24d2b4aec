import { Readable } from 'node:stream';
import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { expect, test } from 'vitest';
import { Refusal } from '../http/refusal.ts';
import { createPhotoSlot } from './photo-slot.ts';
import { readProductBody } from './product-body.ts';

const picture = Buffer.from(Array.from({ length: 1_000 }, (_, n) => (n * 7) % 256));
const dataUrl = (bytes: Buffer, type = 'image/jpeg') => `data:${type};base64,${bytes.toString('base64')}`;

/** Reads a body that arrives in pieces of a size. Stored photos get the addresses /0, /1 … */
async function readBody(text: string, { pieceChars = 65_536, slot = createPhotoSlot() } = {}) {
  const stored: Buffer[] = [];
  const pieces = Array.from({ length: Math.ceil(text.length / pieceChars) }, (_, n) =>
    Buffer.from(text.slice(n * pieceChars, (n + 1) * pieceChars)),
  );
  const body = await readProductBody(Readable.from(pieces, { objectMode: false }), {
    slot,
    signal: new AbortController().signal,
    store: async (bytes) => `/${stored.push(Buffer.from(bytes)) - 1}`,
  });
  return { body, stored };
}

async function refusalOf(text: string): Promise<Refusal['body'] & { status: number }> {
  const refused = await readBody(text).catch((error: unknown) => error);
  if (!(refused instanceof Refusal)) throw new Error('The body was accepted', { cause: refused });
  return { status: refused.status, ...refused.body };
}

const product = {
  name: 'Vase “Ø”\n',
  description: `not a photo: ${dataUrl(picture)}`,
  price: 24.5,
  sku: null,
  more: [true, false, -1.5e3, {}, []],
  photos: ['https://a.example/1.jpg', dataUrl(picture), '/b/uploads/1', dataUrl(picture.subarray(0, 998))],
  dimensions: { length: '', photos: [dataUrl(picture)] },
};

test.each([1, 2, 3, 7, 100, 65_536])('a body in pieces of %d characters', async (pieceChars) => {
  const { body, stored } = await readBody(JSON.stringify(product), { pieceChars });
  const [web, , upload] = product.photos;
  expect(body).toEqual({ ...product, photos: [web, '/0', upload, '/1'] });
  expect(stored).toEqual([picture, picture.subarray(0, 998)]);
});

test('an empty body is undefined; the type in a data URL does not matter', async () => {
  expect((await readBody('')).body).toBeUndefined();
  const photos = [
    dataUrl(picture, ''),
    dataUrl(picture, 'text/html;charset=utf-8'),
    dataUrl(picture).replace('data', 'DATA'),
  ];
  expect((await readBody(JSON.stringify({ photos }))).body).toEqual({ photos: ['/0', '/1', '/2'] });
});

const unreadable = 'The photo’s data can’t be read. Choose it again.';
test.each<[string, string, object]>([
  ['no JSON', '{"name": ', { status: 400, code: 'malformed' }],
  ['a prototype', '{"__proto__": {"name": 1}}', { status: 400, code: 'malformed' }],
  ['five levels', '[[[[[]]]]]', { status: 400, message: 'The body is nested too deeply.' }],
  ['a long text', JSON.stringify({ name: 'x'.repeat(300_000) }), { status: 413 }],
  [
    'a data URL that is not base64',
    '{"photos": ["a", "data:image/png,abc"]}',
    { status: 400, field: 'photos.1', message: unreadable },
  ],
  [
    'a data URL without an end of its head',
    JSON.stringify({ photos: [`data:${'x'.repeat(1_000)}`] }),
    { field: 'photos.0', message: unreadable },
  ],
  ['other characters', '{"photos": ["data:;base64,AB CD"]}', { field: 'photos.0', message: unreadable }],
  ['padding in the middle', '{"photos": ["data:;base64,AA==AAAA"]}', { message: unreadable }],
  [
    '21 photos',
    JSON.stringify({ photos: Array.from({ length: 21 }, () => dataUrl(picture)) }),
    { field: 'photos', message: 'A product can have 20 photos.' },
  ],
  [
    'a photo of more than 10 MB',
    JSON.stringify({ photos: [dataUrl(Buffer.alloc(photoBytesMax + 1))] }),
    { status: 400, field: 'photos.0', message: 'The photo is larger than 10 MB.' },
  ],
])('%s is refused', async (_name, text, refusal) => {
  expect(await refusalOf(text)).toMatchObject(refusal);
});

test('a photo of 10 MB is read', async () => {
  const { stored } = await readBody(JSON.stringify({ photos: [dataUrl(Buffer.alloc(photoBytesMax, 1))] }));
  expect(stored[0]?.length).toBe(photoBytesMax);
});

test('one body at a time has photos in memory, others do not wait for it', async () => {
  const slot = createPhotoSlot();
  const held = await slot.hold();
  const text = JSON.stringify({ photos: [dataUrl(picture)] });
  let isRead = false;
  const waiting = readBody(text, { slot }).then((read) => {
    isRead = true;
    return read;
  });
  await readBody(JSON.stringify({ name: 'without photos' }), { slot });
  expect(isRead).toBe(false);
  held.release();
  expect((await waiting).stored).toEqual([picture]);
  // A refused body gives the slot back too.
  await expect(readBody(`${text.slice(0, -2)}, "data:;base64,!"]}`, { slot })).rejects.toThrow(unreadable);
  (await slot.hold()).release();
});
