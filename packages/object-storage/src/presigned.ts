import { timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ObjectStorage } from './connect.ts';
import { named } from './object-errors.ts';

/** The path and query of an address to PUT an object to. It is signed for the storage's own host. */
export async function presignPut(storage: ObjectStorage, key: string, seconds: number): Promise<string> {
  return pathOf(await storage.client.presignedPutObject(storage.bucket, key, seconds));
}

/** Longest time for which `signedPut` takes an address. */
const secondsMax = 3_600;

/**
 * The path and query that `presignPut` made for a key, if `search` is its query and it is still valid; else null. The
 * api checks it before it passes a body on, so that only clients with an address keep a connection to the storage.
 */
export async function signedPut(
  storage: ObjectStorage,
  key: string,
  search: URLSearchParams,
): Promise<string | null> {
  const signedAt = dateOf(search.get('X-Amz-Date') ?? '');
  const seconds = Number(search.get('X-Amz-Expires'));
  const isLimited = Number.isInteger(seconds) && seconds >= 1 && seconds <= secondsMax;
  if (signedAt === null || !isLimited) return null;
  if (new Date() > new Date(signedAt.getTime() + seconds * 1000)) return null;
  const { client, bucket } = storage;
  const expected = pathOf(await client.presignedUrl('PUT', bucket, key, seconds, undefined, signedAt));
  const parameters = [...new URL(expected, 'http://storage').searchParams];
  const isSame =
    parameters.length === search.size &&
    parameters.every(([name, value]) => isEqual(search.get(name) ?? '', value));
  return isSame ? expected : null;
}

/** Compares in constant time. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

/** The time of a date in the form 20261121T210000Z; null for any other text. */
function dateOf(text: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

type Sent = { status: number; etag: string | undefined };

/**
 * Passes a body on to an address that `presignPut` made. If the body ends early, the storage keeps nothing of it. The
 * body is read to its end if the storage refuses it, so that its sender sees the reply.
 *
 * @returns the status of the storage's response
 * @throws an error for which isStorageUnavailable holds
 */
export async function putPresigned(
  storage: ObjectStorage,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: Readable },
): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const sent = storage.request({ method: 'PUT', path, headers }, (response) => {
    response.resume();
    resolve({ status: response.statusCode ?? 500, etag: response.headers.etag });
  });
  sent.on('error', (error) => reject(named(error)));
  // A body that was read to its end closes too.
  const abandon = () => {
    if (!body.readableEnded) sent.destroy();
  };
  body.once('close', abandon);
  body.pipe(sent);
  try {
    return await promise;
  } finally {
    body.off('close', abandon);
    body.unpipe(sent);
    if (!sent.writableFinished) sent.destroy();
    body.resume();
  }
}
