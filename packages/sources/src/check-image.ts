import { picturePixelsMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { FetchRefused, type GuardedFetch } from '@draftshelf/runtime/guarded-fetch';
import { imageSize } from 'image-size';

/** What is known of a picture's address: the store accepts it, would refuse it, or it did not answer. */
export type ImageCheck = {
  state: 'ok' | 'bad' | 'unreachable';
  /** A sentence; null for a good one. */
  reason: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
};

/** Shopify's limit of product pictures (help.shopify.com, product media types): 20 MB. */
const imageBytesMax = 20 * 1024 * 1024;
/** Formats that Shopify takes for products. */
const formats = ['jpg', 'png', 'gif', 'webp', 'heic', 'heif', 'avif'];

const checkMsMax = 5_000;
/** Dimensions are in the first bytes, except after a long embedded preview. */
const headBytes = 256 * 1024;

/** Checks a picture's address: reachable, a picture, within the store's limits. Reads only its beginning. */
export async function checkImage(
  fetch: GuardedFetch,
  url: string,
  signal?: AbortSignal,
): Promise<ImageCheck> {
  try {
    const reply = await fetch(url, { msMax: checkMsMax, bytesMax: headBytes, longer: 'cut', signal });
    if (reply.status >= 500 || reply.status === 429)
      return unreachable(`The server answered ${reply.status}.`);
    if (reply.status !== 200) return bad(`There is no picture at this address (status ${reply.status}).`);
    const declared = Number(reply.headers['content-length']);
    const bytes = reply.isWhole ? reply.body.length : Number.isFinite(declared) ? declared : null;
    return { ...judge(reply.body, { bytes, isWhole: reply.isWhole }), bytes };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return error instanceof FetchRefused ? bad(reason) : unreachable(reason);
  }
}

const none = { width: null, height: null, bytes: null };
const bad = (reason: string): ImageCheck => ({ state: 'bad', reason, ...none });
const unreachable = (reason: string): ImageCheck => ({ state: 'unreachable', reason, ...none });

function judge(head: Buffer, { bytes, isWhole }: { bytes: number | null; isWhole: boolean }): ImageCheck {
  if (bytes !== null && bytes > imageBytesMax)
    return bad('The picture is larger than Shopify’s 20 MB limit.');
  const size = sizeOf(head);
  // The beginning of a long picture may not say its size, but what it is.
  if (!size) return judgeByStart(head, isWhole);
  const { width, height, type = '' } = size;
  if (!formats.includes(type)) return bad(`Shopify doesn’t accept pictures of the format ${type}.`);
  if (width * height > picturePixelsMax)
    return bad(`The picture has more than 25 megapixels (${width}×${height}).`);
  return { state: 'ok', reason: null, width, height, bytes };
}

/**
 * Only a JPEG may have its size behind a long preview. Others are not read further than this, because image-size looks
 * through the rest of a HEIF for each of its boxes: 250 kB of them took two seconds.
 */
const sizeBytes = 8 * 1024;

function sizeOf(head: Buffer): { width: number; height: number; type?: string } | null {
  try {
    return imageSize(isJpeg(head) ? head : head.subarray(0, sizeBytes));
  } catch {
    return null;
  }
}

const jpegStart = Buffer.from([0xff, 0xd8, 0xff]);

const isJpeg = (head: Buffer): boolean => head.subarray(0, 3).equals(jpegStart);

/** HEIF and AVIF begin with a box of type 'ftyp' that names one of these. */
const boxedBrands = ['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1', 'avif'];
const isBoxed = (head: Buffer): boolean =>
  head.toString('latin1', 4, 8) === 'ftyp' && boxedBrands.includes(head.toString('latin1', 8, 12));

function judgeByStart(head: Buffer, isWhole: boolean): ImageCheck {
  const isCut = (isJpeg(head) && !isWhole) || (isBoxed(head) && head.length > sizeBytes);
  return isCut ? { state: 'ok', reason: null, ...none } : bad('What is at this address isn’t a picture.');
}
