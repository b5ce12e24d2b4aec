import { expect, test } from 'vitest';
import { cleanPicture } from './scanner/pictures/clean-picture.ts';
import { photoBytesMax, picturePartsMax } from './scanner/pictures/photo-limits.ts';
import { asciiBytes, joinBytes } from './scanner/pictures/picture-reader.ts';
import {
  gifOf,
  gifParts,
  jpegOf,
  jpegParts,
  jpegSegment,
  pngChunk,
  pngOf,
  pngParts,
  webpChunk,
  webpHeader,
  webpImage,
  webpOf,
} from './testing/sample-pictures.ts';

const none = new Uint8Array();
/** Many copies of a part, in about this many bytes. */
const filled = (part: Uint8Array, bytes: number) =>
  Uint8Array.from(Buffer.alloc(bytes - (bytes % part.length)).fill(part));

const [gifHead = none, ...gifRest] = gifParts();
const [header = none, ...pngRest] = pngParts();
/** Each part of a picture and what the whole is with many of them. */
const pictures: Record<string, { part: Uint8Array; of: (parts: Uint8Array) => Uint8Array }> = {
  'JPEG of empty tables': {
    part: jpegSegment(0xdb, none),
    of: (parts) => jpegOf([parts, ...jpegParts()]),
  },
  'PNG of empty chunks': {
    part: pngChunk('IDAT', none),
    of: (parts) => pngOf([header, parts, ...pngRest]),
  },
  'WebP of empty chunks': {
    part: webpChunk('ALPH', none),
    of: (parts) => webpOf([webpHeader(), parts, webpImage()]),
  },
  'WebP of empty chunks in a frame': {
    part: webpChunk('ALPH', none),
    of: (parts) =>
      webpOf([webpHeader(), webpChunk('ANMF', joinBytes([new Uint8Array(16), parts, webpImage()]))]),
  },
  'GIF of controls': {
    part: Uint8Array.of(0x21, 0xf9, 4, 0, 10, 0, 0, 0),
    of: (parts) => gifOf([gifHead, parts, ...gifRest]),
  },
};

/** Cleans a picture and counts the views that are made of its bytes. */
function counted(bytes: Uint8Array) {
  // A spy of vitest would keep every call.
  const { subarray } = Uint8Array.prototype;
  let views = 0;
  Uint8Array.prototype.subarray = function counting(from, to) {
    views += 1;
    return subarray.call(this, from, to);
  };
  try {
    return { checked: cleanPicture(bytes), views };
  } finally {
    Uint8Array.prototype.subarray = subarray;
  }
}

const spare = 1_000;

test.each(Object.entries(pictures))('a 10 MB %s is refused after 50,000 of them', (_name, { part, of }) => {
  const { checked, views } = counted(of(filled(part, photoBytesMax - spare)));
  expect(checked).toEqual({ ok: false, reason: expect.stringContaining('more than 50,000 parts') });
  expect(views).toBeLessThan(6 * picturePartsMax);
});

test.each(Object.entries(pictures).filter(([name]) => !name.startsWith('GIF')))(
  'a %s within the limit is kept in a few pieces',
  (_name, { part, of }) => {
    const bytes = of(filled(part, part.length * (picturePartsMax - spare)));
    const { checked, views } = counted(bytes);
    expect(checked.ok && checked.picture.pieces.length).toBeLessThan(20);
    expect(checked.ok && joinBytes(checked.picture.pieces).length).toBeGreaterThan(bytes.length - spare);
    expect(views).toBeLessThan(6 * picturePartsMax);
  },
);

test('a 10 MB GIF of blocks of one byte is walked over without a view of each', () => {
  const [loop = none, control = none, image = none] = gifRest;
  // The image ends with its one block of two bytes, and the empty block.
  const blocks = filled(Uint8Array.of(1, 0x4c), photoBytesMax - spare);
  const bytes = gifOf([gifHead, loop, control, image.subarray(0, -1), blocks, Uint8Array.of(0)]);
  const { checked, views } = counted(bytes);
  expect(checked.ok && Buffer.from(joinBytes(checked.picture.pieces)).equals(bytes)).toBe(true);
  expect(views).toBeLessThan(100);
});

test('a comment of millions of blocks in a GIF is dropped without a view of each', () => {
  const comment = [Uint8Array.of(0x21, 0xfe), filled(Uint8Array.of(1, 0x4c), photoBytesMax - spare)];
  const { checked, views } = counted(gifOf([...gifParts(), ...comment, Uint8Array.of(0)]));
  expect(checked.ok && joinBytes(checked.picture.pieces)).toEqual(gifOf(gifParts()));
  expect(views).toBeLessThan(100);
});

test('a picture that repeats its format only is no picture', () => {
  expect(cleanPicture(filled(asciiBytes('GIF89a'), photoBytesMax - spare))).toMatchObject({ ok: false });
});
