import { cleanPicture } from '@draftshelf/domain/scanner/pictures/clean-picture';
import {
  gifMetadata,
  jpegMetadata,
  jpegOf,
  jpegParts,
  pngMetadata,
  secret,
  webpHeader,
  webpMetadata,
  webpOf,
  withSegments,
} from '@draftshelf/domain/testing/sample-pictures';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testInChromium } from '../chromium-test.ts';

const [width, height] = [60, 40];
/** One black pixel. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
const gifHeadBytes = 19;
const pngHeadBytes = 33;
const riffBytes = 12;

/** A picture from the page's canvas, with another color in each corner. */
async function drawn(page: Page, type: string): Promise<Buffer> {
  const url = await page.evaluate(
    ([kind, w, h]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
      const context = canvas.getContext('2d', { alpha: false });
      for (const [n, color] of ['red', 'lime', 'blue', 'white'].entries()) {
        if (context) context.fillStyle = color;
        context?.fillRect((n % 2) * (w / 2), n > 1 ? h / 2 : 0, w / 2, h / 2);
      }
      return canvas.toDataURL(kind, 0.8);
    },
    [type, width, height] as const,
  );
  expect(url.startsWith(`data:${type};`)).toBe(true);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/** What Chromium shows of a picture: its size and all of its pixels. */
const decoded = (page: Page, picture: Uint8Array) =>
  page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const pixels = context?.getImageData(0, 0, width, height).data ?? [];
    return { width, height, pixels: Array.from(pixels).join() };
  }, Buffer.from(picture).toString('base64'));

testInChromium('Chromium shows the same picture with and without its metadata', async ({ chromium }) => {
  const page = await chromium.newPage();
  const [jpeg, png, webp] = await Promise.all(
    ['image/jpeg', 'image/png', 'image/webp'].map((type) => drawn(page, type)),
  );
  if (!jpeg || !png || !webp) throw new Error('The canvas has drawn nothing');
  // Chromium's has a color profile, and so an extended header.
  expect(webp.toString('latin1', riffBytes, riffBytes + 4)).toBe('VP8X');
  const webpFlags = webp[riffBytes + 8] ?? 0;
  const webpChunks = webp.subarray(riffBytes + webpHeader().length);
  const other = jpegOf([jpegMetadata.exif, ...jpegParts()]);
  const dirty = {
    jpeg: withSegments(jpeg, Object.values(jpegMetadata), other),
    png: Buffer.concat([png.subarray(0, pngHeadBytes), ...pngMetadata, png.subarray(pngHeadBytes), other]),
    webp: webpOf([webpHeader(width, height, webpFlags | 0x0c), webpChunks, ...webpMetadata], other),
    gif: Buffer.concat([gif.subarray(0, gifHeadBytes), ...gifMetadata, gif.subarray(gifHeadBytes), other]),
  };
  for (const [format, bytes] of Object.entries(dirty)) {
    const checked = cleanPicture(bytes);
    if (!checked.ok) throw new Error(`${format}: ${checked.reason}`);
    const clean = Buffer.concat(checked.picture.pieces);
    expect(checked.picture.format).toBe(format);
    expect(Buffer.from(bytes).toString('latin1')).toContain(secret);
    expect(clean.toString('latin1')).not.toContain(secret);
    const shown = await decoded(page, clean);
    expect(shown, format).toEqual(await decoded(page, bytes));
    // The orientation that stays turns it.
    if (format === 'jpeg') expect(shown).toMatchObject({ width: height, height: width });
  }
  await page.close();
});
