import type { Readable } from 'node:stream';
import type { ObjectStorage } from './connect.ts';
import { ask, isObjectMissing } from './object-errors.ts';
import { getStream } from './objects.ts';

/** A stored photo: its media type and size in bytes. `read` starts a new download of its bytes. */
export type StoredPhoto = { type: string; bytes: number; read(): Readable };

/** The key of a photo that the server has checked. Only the server writes below this prefix. */
export const photoKey = (id: string): string => `photos/${id}`;

/** Opens a photo; null if there is none with this id. Throws StorageUnavailableError if storage is unavailable. */
export async function openPhoto(storage: ObjectStorage, id: string): Promise<StoredPhoto | null> {
  const key = photoKey(id);
  try {
    const { size, metaData } = await ask(() => storage.client.statObject(storage.bucket, key));
    const type = String(metaData['content-type'] ?? 'application/octet-stream');
    return { type, bytes: size, read: () => getStream(storage, key) };
  } catch (error) {
    if (isObjectMissing(error)) return null;
    throw error;
  }
}
