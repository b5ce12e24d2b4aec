import { photoAddress } from '@draftshelf/domain/base/photo-address';
import { photoBytesMax, photoTooLargeSentence } from '@draftshelf/domain/scanner/pictures/photo-limits';
import type { ObjectStorage } from '@draftshelf/object-storage/connect';
import { createObjectSource } from '@draftshelf/object-storage/objects';
import { type ByteSource, toBytesSource } from '@draftshelf/workbooks/byte-source';
import { ContainerError } from '@draftshelf/workbooks/container-error';
import { readEntry } from '@draftshelf/workbooks/zip/entry';
import type { Kysely } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkRecord, PicturePosition, Schema } from '../../connection/schema.ts';
import { changeImport, findImport, lockImport } from '../../imports/imports.ts';
import { markPhotosUsed } from '../../scanner/photos.ts';
import { lockHeldChunk, markDone } from '../../work/claim-chunk.ts';
import { storeTaskProgress, type TaskProgress } from '../../work/tasks.ts';
import { listWaitingPictures, saveExtractedPictures, type TakenPicture } from '../file-pictures.ts';
import { enqueueMatching } from './enqueue-matching.ts';
import { storePhoto, toPhotoId } from './store-photo.ts';

const partPictures = 20;
const partMs = 2_000;
/** Pictures extracted in parallel, because each waits for storage and Postgres. Large ones are extracted alone. */
const atOnceMax = 4;
const bytesAtOnceMax = 2_097_152;

/** Extracts the next pictures. Safe to repeat: photo ids depend on content, and the sweep removes unused photos. */
export async function extractPictures(
  storage: ObjectStorage,
  db: Kysely<Schema>,
  chunk: ChunkRecord,
  signal: AbortSignal,
): Promise<TaskProgress> {
  const record = await findImport(db, chunk.import_id);
  if (!record) return 'done';
  const source = createObjectSource(storage, record.object_key, record.file_bytes, signal);
  const sources: Sources = { storage, db, source, unpacked: { offset: -1, workbook: null }, signal };
  const until = performance.now() + partMs;
  const taken: TakenPicture[] = [];
  let isRemoving = false;
  for (const group of groupPictures(await listWaitingPictures(db, record.id, partPictures))) {
    if (taken.length > 0 && (signal.aborted || performance.now() > until)) break;
    // Waits for the whole group before an error is thrown, because no work may go on after the claim has ended.
    const ended = await Promise.allSettled(group.map((picture) => takePicture(sources, picture)));
    for (const one of ended) {
      if (one.status === 'rejected') throw one.reason;
      if (one.value === 'removing') isRemoving = true;
      else taken.push(one.value);
    }
  }
  const progress = await db.transaction().execute((trx) => storeTaken(trx, chunk, taken));
  // The picture is extracted again later, because the removal of an equal photo is not finished.
  return taken.length === 0 && isRemoving
    ? { waitFor: 'The same photo of a deleted product is being removed.' }
    : progress;
}

type WaitingPicture = { n: number; place: PicturePosition };

/** Groups pictures for parallel extraction, in order. All pictures of a group come from the same packed workbook. */
export function groupPictures(pictures: readonly WaitingPicture[]): WaitingPicture[][] {
  const groups: WaitingPicture[][] = [];
  let bytes = 0;
  for (const picture of pictures) {
    const group = groups.at(-1);
    bytes += picture.place.bytes;
    const isBeside = group?.[0]?.place.within?.offset === picture.place.within?.offset;
    if (group && isBeside && group.length < atOnceMax && bytes <= bytesAtOnceMax) group.push(picture);
    else {
      groups.push([picture]);
      bytes = picture.place.bytes;
    }
  }
  return groups;
}

type Sources = {
  storage: ObjectStorage;
  db: Db;
  source: ByteSource;
  /** The last unpacked workbook. Only one workbook is kept, because it may have 44 MB. */
  unpacked: { offset: number; workbook: Promise<ByteSource> | null };
  signal: AbortSignal;
};

async function takePicture(
  sources: Sources,
  { n, place }: WaitingPicture,
): Promise<TakenPicture | 'removing'> {
  if (place.bytes > photoBytesMax) return { n, photoId: null, reason: photoTooLargeSentence };
  try {
    const source = await sourceOf(sources, place.within);
    const bytes = Buffer.from((await readEntry(source, place, photoBytesMax, sources.signal)).buffer);
    const photoId = toPhotoId(bytes);
    const stored = await storePhoto(sources, photoId, async () => bytes);
    if (stored.ok) return { n, photoId, reason: null };
    return stored.why === 'removing' ? 'removing' : { n, photoId: null, reason: stored.reason };
  } catch (error) {
    if (error instanceof ContainerError) return { n, photoId: null, reason: error.message };
    throw error;
  }
}

async function sourceOf(
  { source, unpacked, signal }: Sources,
  within: PicturePosition['within'],
): Promise<ByteSource> {
  if (!within) return source;
  if (unpacked.workbook === null || unpacked.offset !== within.offset) {
    unpacked.offset = within.offset;
    unpacked.workbook = readEntry(source, within, within.bytes, signal).then(toBytesSource);
  }
  return unpacked.workbook;
}

/** Stores results. Photos removed meanwhile are extracted again. Enqueues the matching after the last picture. */
async function storeTaken(db: Db, chunk: ChunkRecord, taken: readonly TakenPicture[]): Promise<TaskProgress> {
  const record = await lockImport(db, chunk.import_id);
  const { done } = await lockHeldChunk(db, chunk);
  const addresses = taken.flatMap(({ photoId }) => (photoId === null ? [] : photoAddress(photoId)));
  const gone = new Set(await markPhotosUsed(db, addresses));
  const stored = taken.filter(({ photoId }) => photoId === null || !gone.has(photoAddress(photoId)));
  await saveExtractedPictures(db, chunk.import_id, stored);
  await storeTaskProgress(db, chunk, done + stored.length);
  if ((await listWaitingPictures(db, chunk.import_id, 1)).length > 0) return 'more';
  await markDone(db, chunk);
  await changeImport(db, chunk.import_id, {});
  // If the rows are not current yet, the matching is enqueued when they become current.
  if (record && record.status !== 'processing' && record.rows_run > 0) await enqueueMatching(db, record);
  return 'done';
}
