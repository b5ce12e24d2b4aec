import { Readable } from 'node:stream';
import type { ObjectStorage } from './connect.ts';
import { ask, named } from './errors.ts';

/** What is known of a stored object without reading it. */
export type StoredObject = { key: string; bytes: number; modifiedAt: Date };

/** Makes the bucket if it is not there. Safe when several processes do it at once. */
export async function ensureBucket(storage: ObjectStorage): Promise<void> {
  await ask(async () => {
    if (await storage.client.bucketExists(storage.bucket)) return;
    try {
      await storage.client.makeBucket(storage.bucket);
    } catch (error) {
      // Another process may have been quicker; only the bucket counts.
      if (!(await storage.client.bucketExists(storage.bucket))) throw error;
    }
  });
}

/** True if the bucket answers; for readiness. Throws StorageUnavailableError where it cannot be asked. */
export function bucketExists(storage: ObjectStorage): Promise<boolean> {
  return ask(() => storage.client.bucketExists(storage.bucket));
}

/**
 * Puts the bytes from `from` on into `into`, at most as many as fit, and answers that part of it: shorter than `into`
 * where the object ends before. For pieces that fit into memory; larger reads are streamed.
 *
 * @throws an error for which isObjectMissing or isStorageUnavailable holds
 */
export async function getRange(
  storage: ObjectStorage,
  key: string,
  from: number,
  into: Buffer,
): Promise<Buffer> {
  // A length of nought means 'to the end' to the client.
  if (into.length === 0) return into;
  return ask(async () => {
    let filled = 0;
    for await (const piece of await storage.client.getPartialObject(storage.bucket, key, from, into.length)) {
      filled += (piece as Buffer).copy(into, filled);
    }
    return into.subarray(0, filled);
  });
}

/**
 * The whole object as a stream; it asks on its first read. Destroying it ends the request.
 * It fails with an error for which isObjectMissing or isStorageUnavailable holds.
 */
export function getStream(storage: ObjectStorage, key: string): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      yield* await storage.client.getObject(storage.bucket, key);
    } catch (error) {
      throw named(error);
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}

/** Removes an object; one that is not there is no error. */
export function remove(storage: ObjectStorage, key: string): Promise<void> {
  return ask(() => storage.client.removeObject(storage.bucket, key));
}

/** The objects under a prefix that were last written before `olderThan`, in the order of their keys. */
export async function* list(
  storage: ObjectStorage,
  prefix: string,
  olderThan: Date,
): AsyncGenerator<StoredObject> {
  try {
    for await (const item of storage.client.listObjectsV2(storage.bucket, prefix, true)) {
      if (item.name === undefined || item.lastModified >= olderThan) continue;
      yield { key: item.name, bytes: item.size, modifiedAt: item.lastModified };
    }
  } catch (error) {
    throw named(error);
  }
}
