import { timingSafeEqual } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ObjectStorage } from './connect.ts';
import { toStorageError } from './object-errors.ts';

/** Returns path and query for a PUT of an object, signed for the storage's own host and valid for `seconds`. */
export async function presignPut(storage: ObjectStorage, key: string, seconds: number): Promise<string> {
  return pathOf(await storage.client.presignedPutObject(storage.bucket, key, seconds));
}

const secondsMax = 3_600;

/** Returns the path and query to proxy a PUT. Null if `search` is not a valid query made by `presignPut`. */
export async function verifySignedPut(storage: ObjectStorage, key: string, search: URLSearchParams) {
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

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

function dateOf(text: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second] = parts;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

type Sent = { status: number; etag: string | undefined };

/**
 * Sends a presigned PUT. Returns its status and ETag. Storage keeps nothing of a body that ends early. A refused body
 * is read to its end, so that its sender sees the reply. Throws StorageUnavailableError if storage is unavailable.
 */
export async function sendPresignedPut(
  storage: ObjectStorage,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: Readable },
): Promise<Sent> {
  const { promise, resolve, reject } = Promise.withResolvers<Sent>();
  const sent = storage.request({ method: 'PUT', path, headers }, (response) => {
    response.resume();
    resolve({ status: response.statusCode ?? 500, etag: response.headers.etag });
  });
  sent.on('error', (error) => reject(toStorageError(error)));
  // This listener also runs after a body was read to its end, because such a body emits 'close', too.
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
