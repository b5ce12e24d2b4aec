import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/random.ts';
import {
  gifMetadata,
  gifOf,
  gifParts,
  jpegMetadata,
  jpegOf,
  jpegParts,
  jpegScan,
  jpegSegment,
  pngChunk,
  pngMetadata,
  pngOf,
  pngParts,
  sampleExif,
  secret,
  webpChunk,
  webpHeader,
  webpImage,
  webpMetadata,
  webpOf,
} from '../../testing/sample-pictures.ts';
import { type CleanedPicture, cleanPicture, detectPictureFormat } from './clean-picture.ts';
import { photoBytesMax } from './photo-limits.ts';
import { asciiBytes, joinBytes, readOrientation } from './picture-reader.ts';

const cleaned = (bytes: Uint8Array): CleanedPicture => {
  const checked = cleanPicture(bytes);
  if (!checked.ok) throw new Error(checked.reason);
  return checked.picture;
};
const bytesOf = (bytes: Uint8Array) => joinBytes(cleaned(bytes).pieces);
const reasonOf = (bytes: Uint8Array) => {
  const checked = cleanPicture(bytes);
  return checked.ok ? 'accepted' : checked.reason;
};
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const behind = asciiBytes(secret);
const [webpFrame, gifHead] = [webpImage(), gifParts()[0] ?? new Uint8Array()];

/** The orientation in the EXIF data that a cleaned picture has; null if it has none. */
function orientationOf(bytes: Uint8Array): number | null {
  const at = textOf(bytes).indexOf('MM\0*');
  return at < 0 ? null : readOrientation(bytes.subarray(at));
}

const allOfJpeg = Object.values(jpegMetadata);
const { exif, xmpExtension, iptc } = jpegMetadata;
const dirty: Record<string, { bytes: Uint8Array; clean: Uint8Array; turned?: boolean }> = {
  'a JPEG with EXIF': { bytes: jpegOf([exif, ...jpegParts()]), clean: jpegOf(jpegParts()), turned: true },
  'a JPEG with a second picture and its EXIF behind the end': {
    bytes: jpegOf(jpegParts(), joinBytes([jpegOf([exif, ...jpegParts()]), behind])),
    clean: jpegOf(jpegParts()),
  },
  'a JPEG with IPTC': { bytes: jpegOf([iptc, ...jpegParts()]), clean: jpegOf(jpegParts()) },
  'a JPEG with an XMP extension before EXIF': {
    bytes: jpegOf([xmpExtension, exif, ...jpegParts()]),
    clean: jpegOf(jpegParts()),
    turned: true,
  },
  'a JPEG with metadata before and behind each segment': {
    bytes: jpegOf(
      jpegParts().flatMap((part) => [...allOfJpeg, part, ...allOfJpeg]),
      behind,
    ),
    clean: jpegOf(jpegParts()),
    turned: true,
  },
  'a PNG with EXIF': {
    bytes: pngOf(
      pngParts().flatMap((chunk, n) => (n === 1 ? [...pngMetadata, chunk] : [chunk])),
      behind,
    ),
    clean: pngOf(pngParts()),
    turned: true,
  },
  'a WebP with EXIF': {
    bytes: webpOf([webpHeader(), webpFrame, ...webpMetadata], behind),
    clean: webpOf([webpHeader(40, 30, 0), webpFrame]),
    turned: true,
  },
  'a simple WebP with more chunks': {
    bytes: webpOf([webpFrame, ...webpMetadata], behind),
    clean: webpOf([webpFrame]),
  },
  'an animated WebP': {
    bytes: webpOf([
      webpHeader(40, 30, 0x0e),
      webpChunk('ANIM', new Uint8Array(6)),
      webpChunk('ANMF', joinBytes([new Uint8Array(16), webpFrame, ...webpMetadata.slice(1)])),
      ...webpMetadata.slice(1),
    ]),
    clean: webpOf([
      webpHeader(40, 30, 0x02),
      webpChunk('ANIM', new Uint8Array(6)),
      webpChunk('ANMF', joinBytes([new Uint8Array(16), webpFrame])),
    ]),
  },
  'a GIF with comments': {
    bytes: gifOf(
      gifParts().flatMap((part) => [part, ...gifMetadata]),
      behind,
    ),
    clean: gifOf(gifParts()),
  },
};

test.each(Object.keys(dirty))('%s loses its metadata, and nothing else', (name) => {
  const { bytes, clean, turned = false } = dirty[name] ?? { bytes: behind, clean: behind };
  expect(textOf(bytes)).toContain(secret);
  const out = bytesOf(bytes);
  expect(textOf(out)).not.toContain(secret);
  expect(orientationOf(out)).toBe(turned ? 6 : null);
  if (!turned) expect(out).toEqual(clean);
  // Cleaned once more, it stays the same.
  expect(bytesOf(out)).toEqual(out);
  expect(cleaned(bytes)).toMatchObject({ width: 40, height: 30 });
});

test('a turned JPEG gets 36 bytes with its orientation, before all coded data', () => {
  const out = bytesOf(jpegOf([exif, ...jpegParts()]));
  const without = jpegOf(jpegParts());
  expect(out.length).toBe(without.length + 36);
  // Behind the two bytes of the start and the 18 of JFIF.
  expect(joinBytes([out.subarray(0, 20), out.subarray(56)])).toEqual(without);
  expect(textOf(out.subarray(20, 30))).toBe('\xff\xe1\0\x22Exif\0\0');
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('orientation %d', (orientation) => {
  const isKept = orientation > 1 && orientation < 9;
  const segment = jpegSegment(0xe1, joinBytes([asciiBytes('Exif\0\0'), sampleExif(orientation)]));
  expect(orientationOf(bytesOf(jpegOf([segment, ...jpegParts()])))).toBe(isKept ? orientation : null);
});

test('EXIF in little-endian order has an orientation too', () => {
  const tiff = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0];
  expect(readOrientation(Uint8Array.from(tiff))).toBe(8);
  for (let length = 0; length < tiff.length - 6; length += 1) {
    expect(readOrientation(Uint8Array.from(tiff.slice(0, length)))).toBe(1);
  }
});

test('color profiles stay, previews in JFIF do not', () => {
  const profile = jpegSegment(0xe2, asciiBytes('ICC_PROFILE\0\x01\x01colors'));
  const adobe = jpegSegment(0xee, Uint8Array.from([...asciiBytes('Adobe'), 0, 100, 0, 0, 0, 0, 1]));
  const withPreview = jpegSegment(
    0xe0,
    Uint8Array.from([...asciiBytes('JFIF\0'), 1, 1, 0, 0, 72, 0, 72, 1, 1, 7, 7, 7]),
  );
  const [jfif, ...others] = jpegParts();
  expect(bytesOf(jpegOf([withPreview, profile, adobe, ...others]))).toEqual(
    jpegOf([jfif ?? behind, profile, adobe, ...others]),
  );
});

const html = asciiBytes('<!doctype html><title>photo.jpg</title><script>alert(1)</script>');
const refused: [string, Uint8Array, string][] = [
  ['HTML', html, 'This file isn’t a picture.'],
  [
    'HTML behind a JPEG’s first bytes',
    joinBytes([Uint8Array.of(0xff, 0xd8, 0xff), html]),
    'The picture is incomplete',
  ],
  ['nothing', new Uint8Array(), 'This file isn’t a picture.'],
  ['HEIC', asciiBytes('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), 'Use a JPEG, PNG, WebP or GIF picture.'],
  ['AVIF', asciiBytes('\0\0\0\x18ftypavif\0\0\0\0mif1avif'), 'Use a JPEG, PNG, WebP or GIF picture.'],
  ['a film', asciiBytes('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), 'This file isn’t a picture.'],
  ['TIFF', asciiBytes('II*\0\x08\0\0\0'), 'Use a JPEG, PNG, WebP or GIF picture.'],
  ['SVG', asciiBytes('<?xml version="1.0"?>\n<svg xmlns="…">'), 'Use a JPEG, PNG, WebP or GIF picture.'],
  [
    'a lossless JPEG',
    jpegOf([jpegSegment(0xc3, new Uint8Array(9))]),
    'Use a JPEG, PNG, WebP or GIF picture.',
  ],
  ['a JPEG without a scan', jpegOf(jpegParts().slice(0, -1)), 'This file isn’t a picture.'],
  ['a JPEG without a size', jpegOf(jpegParts().filter((_, n) => n !== 2)), 'This file isn’t a picture.'],
  ['a JPEG with two sizes', jpegOf([...jpegParts(), ...jpegParts()]), 'This file isn’t a picture.'],
  ['a PNG with a wrong checksum', flipped(pngOf(pngParts()), 20), 'This file isn’t a picture.'],
  ['a PNG without data', pngOf(pngParts().filter((_, n) => n % 3 === 0)), 'This file isn’t a picture.'],
  [
    'a PNG with an unknown critical chunk',
    pngOf([...pngParts().slice(0, 1), pngChunk('CgBI', new Uint8Array(4)), ...pngParts().slice(1)]),
    'This file isn’t a picture.',
  ],
  [
    'a WebP whose image is larger than its canvas',
    webpOf([webpHeader(10, 10), webpFrame]),
    'isn’t a picture',
  ],
  ['a WebP without an image', webpOf([webpHeader(), ...webpMetadata]), 'The picture is incomplete'],
  ['a GIF without an image', gifOf([gifHead]), 'This file isn’t a picture.'],
  ['20,000 × 20,000 pixels', jpegOf(jpegParts(20_000, 20_000)), 'more than 25 megapixels (20000×20000)'],
  ['20,000 × 20,000 pixels in a PNG', pngOf(pngParts(20_000, 20_000)), 'more than 25 megapixels'],
  [
    '16,384 × 16,384 pixels in a WebP',
    webpOf([webpHeader(16_384, 16_384), webpFrame]),
    'more than 25 megapixels',
  ],
  ['60,000 × 60,000 pixels in a GIF', gifOf(gifParts(60_000, 60_000)), 'more than 25 megapixels'],
  ['one long line of pixels', jpegOf(jpegParts(16_385, 1)), 'longer than 16,384 pixels (16385×1)'],
  ['no pixels', jpegOf(jpegParts(0, 30)), 'This file isn’t a picture.'],
  [
    '11 MB',
    joinBytes([jpegOf(jpegParts()), new Uint8Array(photoBytesMax)]),
    'The photo is larger than 10 MB.',
  ],
];
test.each(refused)('%s is refused', (_name, bytes, words) => {
  expect(reasonOf(bytes)).toContain(words);
});

/** A copy with one byte changed. */
function flipped(bytes: Uint8Array, at: number): Uint8Array<ArrayBuffer> {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

const samples = {
  jpeg: { parts: [...allOfJpeg, ...jpegParts()], join: jpegOf },
  png: { parts: [...pngParts().slice(0, -1), ...pngMetadata, ...pngParts().slice(-1)], join: pngOf },
  webp: { parts: [webpHeader(), webpFrame, ...webpMetadata], join: webpOf },
  gif: { parts: [...gifParts(), ...gifMetadata], join: gifOf },
};

test.each(Object.entries(samples))(
  'a %s that ends anywhere before its end is refused',
  (format, { parts, join }) => {
    const whole = join(parts);
    expect(cleaned(whole).format).toBe(format);
    for (let length = 0; length < whole.length; length += 1) {
      const cut = whole.subarray(0, length);
      // A simple container that says that it is shorter is whole.
      expect(reasonOf(cut), `cut at ${length}`).not.toBe('accepted');
      expect(() => detectPictureFormat(cut)).not.toThrow();
    }
  },
);

test.each(Object.entries(samples))(
  'a %s with shuffled parts is refused or cleaned',
  (_format, { parts, join }) => {
    const random = seededRandom(14);
    const counts = { accepted: 0, refused: 0 };
    for (let round = 0; round < 2_000; round += 1) {
      const shuffled = parts.map((part) => ({ part, at: random(1_000_000) })).sort((a, b) => a.at - b.at);
      const checked = cleanPicture(join(shuffled.map(({ part }) => part)));
      counts[checked.ok ? 'accepted' : 'refused'] += 1;
      if (checked.ok) expect(textOf(joinBytes(checked.picture.pieces))).not.toContain(secret);
    }
    expect(counts.refused).toBeGreaterThan(0);
    expect(counts.accepted).toBeGreaterThan(0);
  },
);

test.each(Object.entries(samples))(
  'a %s with damaged bytes is refused or cleaned',
  (_format, { parts, join }) => {
    const whole = join(parts);
    const random = seededRandom(7);
    for (let round = 0; round < 2_000; round += 1) {
      const damaged = flipped(whole, random(whole.length));
      const checked = cleanPicture(damaged);
      if (!checked.ok) continue;
      const again = joinBytes(checked.picture.pieces);
      expect(bytesOf(again)).toEqual(again);
    }
  },
);

test('coded data stays byte for byte, with its stuffed bytes and restarts', () => {
  const out = textOf(bytesOf(jpegOf([...allOfJpeg, ...jpegParts()], behind)));
  expect(out).toContain(textOf(jpegScan));
  expect(out.endsWith(`${textOf(jpegScan)}\xff\xd9`)).toBe(true);
});
