import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { photoKey } from '@draftshelf/domain/base/photo-address';
import { cleanPicture } from '@draftshelf/domain/scanner/pictures/clean-picture';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { objectExists } from '@draftshelf/object-storage/objects';
import { putStream } from '@draftshelf/object-storage/put-stream';
import type { Db } from '../../connection/database.ts';
import { recordPhoto } from '../../scanner/photos.ts';

/** `removing`: the photo with this id is being removed right now. */
export type StorePhotoResult =
  | { ok: true }
  | { ok: false; why: 'removing' }
  | { ok: false; why: 'refused'; reason: string };

/** Checks a picture and stores it without metadata. The id is recorded first, so that the sweep finds unused photos. */
export async function storePhoto(
  { db, storage }: { db: Db; storage: ObjectStorage },
  id: string,
  read: () => Promise<Buffer>,
): Promise<StorePhotoResult> {
  if (!(await recordPhoto(db, id))) return { ok: false, why: 'removing' };
  const key = photoKey(id);
  if (await objectExists(storage, key)) return { ok: true };
  const checked = cleanPicture(await read());
  if (!checked.ok) return { ok: false, why: 'refused', reason: checked.reason };
  const { format, pieces } = checked.picture;
  const buffers = pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  await putStream(storage, key, Readable.from(buffers), { contentType: `image/${format}` });
  return { ok: true };
}

/** Returns a UUID that depends only on the content, so that equal pictures become one photo. */
export function toPhotoId(bytes: Uint8Array): string {
  const hex = createHash('sha256').update(bytes).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
