import type { IncomingMessage } from 'node:http';
import { addAbortSignal, Readable } from 'node:stream';
import type { ByteSource } from '@draftshelf/workbooks/byte-source';
import type { ObjectStorage } from './connect.ts';
import { callStorage, isMissingObjectError, toStorageError } from './object-errors.ts';

export type StoredObject = { key: string; bytes: number; modifiedAt: Date };

/** Creates the bucket unless it exists. Several processes may do this at once. */
export async function ensureBucket(storage: ObjectStorage): Promise<void> {
  await callStorage(async () => {
    if (await storage.client.bucketExists(storage.bucket)) return;
    try {
      await storage.client.makeBucket(storage.bucket);
    } catch (error) {
      // Another process may have created the bucket meanwhile.
      if (!(await storage.client.bucketExists(storage.bucket))) throw error;
    }
  });
}

/** Returns whether the bucket exists. Throws StorageUnavailableError if storage is unavailable. */
export function bucketExists(storage: ObjectStorage): Promise<boolean> {
  return callStorage(() => storage.client.bucketExists(storage.bucket));
}

/** Fills `into` from offset `from`. Returns the filled part. Throws if the object is missing or storage unavailable. */
export async function getRange(storage: ObjectStorage, key: string, from: number, into: Buffer) {
  // For a length of 0, the client would read to the end of the object.
  if (into.length === 0) return into;
  return callStorage(async () => {
    let filled = 0;
    for await (const piece of await storage.client.getPartialObject(storage.bucket, key, from, into.length)) {
      filled += (piece as Buffer).copy(into, filled);
    }
    return into.subarray(0, filled);
  });
}

/** Returns a stream that opens the object at the first read. Fails if the object is missing or storage unavailable. */
export function getStream(storage: ObjectStorage, key: string): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      yield* await storage.client.getObject(storage.bucket, key);
    } catch (error) {
      throw toStorageError(error);
    }
  }
  return Readable.from(pieces(), { objectMode: false });
}

/** An open object. The caller must read `stream` to its end or destroy it. */
export type OpenObject = { stream: Readable; bytes: number; contentType: string };

/** Opens an object. Returns null if it is missing. Throws StorageUnavailableError if storage is unavailable. */
export async function openObject(storage: ObjectStorage, key: string): Promise<OpenObject | null> {
  const stream = await askFor(() => storage.client.getObject(storage.bucket, key));
  if (stream === null) return null;
  // The stream is the HTTP response itself.
  const { headers } = stream as IncomingMessage;
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  return { stream, bytes: Number(headers['content-length']), contentType };
}

/** Calls the client. Returns null if the object is missing. */
const askFor = <Found>(call: () => Promise<Found>): Promise<Found | null> =>
  callStorage(call).catch((error) => {
    if (isMissingObjectError(error)) return null;
    throw error;
  });

/** A found object. Each call of `read` returns a new stream from the first byte. */
export type FoundObject = { bytes: number; contentType: string; read(): Readable };

/** Finds an object. Returns null if it is missing. Throws StorageUnavailableError if storage is unavailable. */
export async function findObject(storage: ObjectStorage, key: string): Promise<FoundObject | null> {
  const found = await askFor(() => storage.client.statObject(storage.bucket, key));
  if (found === null) return null;
  const contentType = String(found.metaData['content-type'] ?? 'application/octet-stream');
  return { bytes: found.size, contentType, read: () => getStream(storage, key) };
}

export async function objectExists(storage: ObjectStorage, key: string): Promise<boolean> {
  return (await findObject(storage, key)) !== null;
}

/** Removes an object, if it exists. */
export function remove(storage: ObjectStorage, key: string): Promise<void> {
  return callStorage(() => storage.client.removeObject(storage.bucket, key));
}

/** Lists the objects under a prefix, ordered by key. */
export async function* list(storage: ObjectStorage, prefix: string): AsyncGenerator<StoredObject> {
  try {
    for await (const item of storage.client.listObjectsV2(storage.bucket, prefix, true)) {
      if (item.name === undefined) continue;
      yield { key: item.name, bytes: item.size, modifiedAt: item.lastModified };
    }
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Returns a source of an object's ranges. Reopens connections closed by slow reading. Throws like `getRange`. */
export function createObjectSource(
  storage: ObjectStorage,
  key: string,
  bytes: number,
  signal?: AbortSignal,
): ByteSource {
  return {
    bytes,
    async *stream(from, to) {
      // For a length of 0, the client would read to the end of the object.
      if (to <= from) return;
      let at = from;
      while (at < to) {
        const begun = at;
        try {
          const stream = await storage.client.getPartialObject(storage.bucket, key, at, to - at);
          for await (const piece of signal ? addAbortSignal(signal, stream) : stream) {
            at += (piece as Uint8Array).length;
            yield piece;
          }
          return;
        } catch (error) {
          if (signal?.aborted || at === begun) throw toStorageError(error);
        }
      }
    },
  };
}
