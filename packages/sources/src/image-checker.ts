import type { SourceAnswer } from '@draftshelf/domain/enrich/sources';
import { isAllowedHost } from '@draftshelf/domain/products/images';
import { picturePixelsMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import type { EnvOf } from '@draftshelf/runtime/env-catalog';
import { createGuardedFetch, FetchRefused, type GuardedFetch } from '@draftshelf/runtime/guarded-fetch';
import { imageSize } from 'image-size';
import pLimit, { type LimitFunction } from 'p-limit';
import { createOriginRules } from './sources-env.ts';

export type CheckedPicture = ImageCheck & { url: string };

export type ImageChecker = {
  /** Checks the picture at an address. Null if the address must not be fetched. Ignore the result after an abort. */
  check(url: string, signal?: AbortSignal): Promise<CheckedPicture | null>;
};

type CheckerEnv = EnvOf<'FETCH_ALLOW' | 'FETCH_PUBLIC' | 'DEMO_SOURCES_URL' | 'IMAGE_HOSTS'>;

const checksAtOnce = 8;
/** Each supplier's server gets few checks at once, because its owner did not ask for them. */
const checksAtOncePerHost = 2;

/** Checks pictures through the guarded fetch, only at addresses that the environment allows. */
export function createImageChecker(env: CheckerEnv, areSimulated: () => Promise<boolean>): ImageChecker {
  const hosts = env.IMAGE_HOSTS;
  const origins = createOriginRules(env);
  const fetch = createGuardedFetch({ allowedOrigins: origins.known, hosts });
  const limit = createHostLimiter(checksAtOncePerHost);
  // A check waits for its host's limit first, so that checks of a slow host do not use up the total limit.
  const all = pLimit(checksAtOnce);
  return {
    async check(url, signal) {
      const isFetched =
        isAllowedHost({ kind: 'web', src: url }, hosts) && origins.isFetched(url, await areSimulated());
      if (!isFetched) return null;
      return limit(url, () => all(async () => ({ url, ...(await checkImage(fetch, url, signal)) })));
    },
  };
}

/** Returns a function that runs work for an address, at most `atOnce` times per host at the same time. */
export function createHostLimiter(atOnce: number): <T>(url: string, work: () => Promise<T>) => Promise<T> {
  const limits = new Map<string, LimitFunction>();
  return async (url, work) => {
    const { host } = new URL(url);
    const limit = limits.get(host) ?? pLimit(atOnce);
    limits.set(host, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(host);
    }
  };
}

/** `ok`: the store accepts the picture. `bad`: the store would refuse it. */
type ImageCheck = {
  state: 'ok' | 'bad' | 'unreachable';
  /** A sentence, or null for a good picture. */
  reason: string | null;
  width: number | null;
  height: number | null;
  bytes: number | null;
};

/** Shopify's limit for product pictures (help.shopify.com, product media types): 20 MB. */
const imageBytesMax = 20 * 1024 * 1024;
/** Formats that Shopify accepts for product pictures. */
const formats = ['jpg', 'png', 'gif', 'webp', 'heic', 'heif', 'avif'];

const checkMsMax = 5_000;
/** Bytes read of a picture. These bytes contain its dimensions, except after a long embedded preview. */
const headBytes = 256 * 1024;

/** Checks that an address has a picture within the store's limits. Reads only the beginning of the picture. */
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
  // The beginning of a large picture may lack the dimensions, but contains the format.
  if (!size) return judgeByStart(head, isWhole);
  const { width, height, type = '' } = size;
  if (!formats.includes(type)) return bad(`Shopify doesn’t accept pictures of the format ${type}.`);
  if (width * height > picturePixelsMax)
    return bad(`The picture has more than 25 megapixels (${width}×${height}).`);
  return { state: 'ok', reason: null, width, height, bytes };
}

/** Bytes searched for dimensions, except in a JPEG. image-size took two seconds for 250 kB of a HEIF. */
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

/** HEIF and AVIF begin with a box of type 'ftyp' that contains one of these brands. */
const boxedBrands = ['heic', 'heix', 'hevc', 'hevx', 'mif1', 'msf1', 'avif'];
const isBoxed = (head: Buffer): boolean =>
  head.toString('latin1', 4, 8) === 'ftyp' && boxedBrands.includes(head.toString('latin1', 8, 12));

function judgeByStart(head: Buffer, isWhole: boolean): ImageCheck {
  const isCut = (isJpeg(head) && !isWhole) || (isBoxed(head) && head.length > sizeBytes);
  return isCut ? { state: 'ok', reason: null, ...none } : bad('What is at this address isn’t a picture.');
}

const picturesChecked = 3;

/** Removes bad pictures before the first good one, because sources keep dead addresses. Checks at most three. */
export async function keepGoodPictures(
  answer: SourceAnswer,
  images: ImageChecker,
  signal?: AbortSignal,
): Promise<{ answer: SourceAnswer; checked: CheckedPicture[] }> {
  const checked: CheckedPicture[] = [];
  for (const url of answer.images.slice(0, picturesChecked)) {
    const image = await images.check(url, signal);
    if (signal?.aborted) break;
    if (image) checked.push(image);
    if (image?.state === 'ok' || !image) break;
  }
  const dead = new Set(checked.filter(({ state }) => state !== 'ok').map(({ url }) => url));
  return { answer: { ...answer, images: answer.images.filter((url) => !dead.has(url)) }, checked };
}
