import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { readIfThere, syncDirectory, writeDurably } from '../durable-file.ts';
import { type Blob, removeBlobs } from './s3-blobs.ts';
import { invalidArgument, noSuchUpload, S3Error } from './s3-error.ts';
import {
  type Bucket,
  ignoreMissing,
  type ObjectRecord,
  removeUnlessNamed,
  replaceRecord,
} from './s3-store.ts';

// A multipart upload is a directory `<uploads>/<id>` with upload.json and one <number>.part.json per part.

const UploadRecord = z.object({
  uploadId: z.string(),
  key: z.string(),
  initiatedAt: z.string(),
  headers: z.record(z.string(), z.string()),
});
export type UploadRecord = z.infer<typeof UploadRecord>;

const PartRecord = z.object({
  part: z.number(),
  etag: z.string(),
  writtenAt: z.string(),
  blob: z.object({ name: z.uuid(), bytes: z.number() }),
});
export type PartRecord = z.infer<typeof PartRecord>;

const partNumberMax = 10_000;
/** Minimum size of all parts but the last, as on S3. */
const partBytesMin = 5 * 1024 * 1024;

/** Starts a multipart upload of a key and returns its id. */
export async function beginUpload(
  bucket: Bucket,
  key: string,
  headers: Record<string, string>,
): Promise<string> {
  const uploadId = randomUUID();
  const record: UploadRecord = { uploadId, key, headers, initiatedAt: new Date().toISOString() };
  await writeDurably(path.join(bucket.uploads, uploadId, 'upload.json'), JSON.stringify(record));
  return uploadId;
}

/** An unfinished upload. @throws S3Error NoSuchUpload, also if the id belongs to another key */
export async function readUpload(bucket: Bucket, key: string, uploadId: string): Promise<UploadRecord> {
  const known = z.uuid().safeParse(uploadId).success;
  const text = known ? await readIfThere(path.join(bucket.uploads, uploadId, 'upload.json')) : undefined;
  if (text === undefined) throw noSuchUpload();
  const record = UploadRecord.parse(JSON.parse(text));
  if (record.key !== key) throw noSuchUpload();
  return record;
}

/** The number of a part. @throws S3Error if it is not a number from 1 to 10,000 */
export function parsePartNumber(text: string | undefined): number {
  const part = Number(text);
  if (!Number.isInteger(part) || part < 1 || part > partNumberMax) {
    throw invalidArgument(`A part number is from 1 to ${partNumberMax}.`);
  }
  return part;
}

/**
 * Adds a blob as a part of an upload, replacing a part with the same number.
 *
 * @throws S3Error NoSuchUpload if the upload ended while the part arrived; its bytes are removed
 */
export function putPart(
  bucket: Bucket,
  { key, uploadId }: UploadRecord,
  { part, etag, blob }: { part: number; etag: string; blob: Blob },
): Promise<void> {
  return bucket.withKey(key, async () => {
    try {
      await readUpload(bucket, key, uploadId);
    } catch (error) {
      await removeBlobs(bucket.blobs, [blob]);
      throw error;
    }
    const file = path.join(bucket.uploads, uploadId, `${part}.part.json`);
    const before = await readIfThere(file);
    const record: PartRecord = { part, etag, blob, writtenAt: new Date().toISOString() };
    await writeDurably(file, JSON.stringify(record));
    if (before === undefined) return;
    await removeUnlessNamed(bucket, key, [PartRecord.parse(JSON.parse(before)).blob]);
  });
}

/** The stored parts, in order. */
export async function listParts(bucket: Bucket, uploadId: string): Promise<PartRecord[]> {
  const directory = path.join(bucket.uploads, uploadId);
  const parts: PartRecord[] = [];
  for (const name of (await readdir(directory).catch(ignoreMissing)) ?? []) {
    if (!name.endsWith('.part.json')) continue;
    const text = await readIfThere(path.join(directory, name));
    if (text !== undefined) parts.push(PartRecord.parse(JSON.parse(text)));
  }
  return parts.sort((a, b) => a.part - b.part);
}

/**
 * Makes the listed parts the content of the key; other parts are dropped.
 *
 * @throws S3Error NoSuchUpload if it has ended, or an error about the list
 */
export function completeUpload(
  bucket: Bucket,
  { key, uploadId }: UploadRecord,
  named: readonly { part: number; etag: string }[],
): Promise<ObjectRecord> {
  return bucket.withKey(key, async () => {
    const { headers } = await readUpload(bucket, key, uploadId);
    const arrived = await listParts(bucket, uploadId);
    const parts = chosenParts(arrived, named);
    const md5 = createHash('md5');
    for (const part of parts) md5.update(part.etag, 'hex');
    const etag = `${md5.digest('hex')}-${parts.length}`;
    const blobs = parts.map((part) => part.blob);
    const record = await replaceRecord(bucket, key, { etag, headers, blobs });
    await endUpload(bucket, key, uploadId, arrived);
    return record;
  });
}

function chosenParts(
  arrived: readonly PartRecord[],
  named: readonly { part: number; etag: string }[],
): PartRecord[] {
  const parts = named.map(({ part, etag }) => {
    const found = arrived.find((candidate) => candidate.part === part);
    if (found?.etag !== etag) throw new S3Error(400, 'InvalidPart', `Part ${part} is missing or differs.`);
    return found;
  });
  if (parts.length === 0) throw new S3Error(400, 'MalformedXML', 'The list of parts is empty.');
  if (parts.some((part, index) => index > 0 && part.part <= (parts[index - 1]?.part ?? 0))) {
    throw new S3Error(400, 'InvalidPartOrder', 'The parts are not in ascending order.');
  }
  if (parts.slice(0, -1).some((part) => part.blob.bytes < partBytesMin)) {
    throw new S3Error(400, 'EntityTooSmall', `Every part but the last has at least ${partBytesMin} bytes.`);
  }
  return parts;
}

/** Aborts an upload and removes its parts. @throws S3Error NoSuchUpload if it has ended */
export function abortUpload(bucket: Bucket, { key, uploadId }: UploadRecord): Promise<void> {
  return bucket.withKey(key, async () => {
    await readUpload(bucket, key, uploadId);
    await endUpload(bucket, key, uploadId, await listParts(bucket, uploadId));
  });
}

/** Removes an upload, but not the bytes of parts that became the object. */
async function endUpload(
  bucket: Bucket,
  key: string,
  uploadId: string,
  parts: readonly PartRecord[],
): Promise<void> {
  await rm(path.join(bucket.uploads, uploadId), { recursive: true, force: true });
  // Without the sync, an upload could return after a power failure and name bytes that are gone.
  await syncDirectory(bucket.uploads);
  await removeUnlessNamed(
    bucket,
    key,
    parts.map((part) => part.blob),
  );
}

/** Unfinished uploads of keys with the prefix, sorted by key, then age. */
export async function listUploads(bucket: Bucket, prefix: string): Promise<UploadRecord[]> {
  const uploads: UploadRecord[] = [];
  for (const uploadId of (await readdir(bucket.uploads).catch(ignoreMissing)) ?? []) {
    const text = await readIfThere(path.join(bucket.uploads, uploadId, 'upload.json'));
    if (text !== undefined) uploads.push(UploadRecord.parse(JSON.parse(text)));
  }
  const order = (upload: UploadRecord) => `${upload.key}\0${upload.initiatedAt}`;
  return uploads
    .filter((upload) => upload.key.startsWith(prefix))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The blobs of unfinished uploads. */
export async function blobsOfUploads(bucket: Bucket): Promise<Blob[]> {
  const blobs: Blob[] = [];
  for (const upload of await listUploads(bucket, '')) {
    for (const part of await listParts(bucket, upload.uploadId)) blobs.push(part.blob);
  }
  return blobs;
}
