import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { isMissing, readIfThere, syncDirectory, writeDurably } from '../durable-file.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { type Blob, removeBlobs, removeUnnamedBlobs } from './s3-blobs.ts';
import { noSuchBucket, noSuchKey, S3Error } from './s3-error.ts';
import { keysUnder, recordFile } from './s3-keys.ts';

const BlobRecord = z.object({ name: z.uuid(), bytes: z.number() });

/** The metadata of an object. Replacing this record makes a change take effect. */
const ObjectRecord = z.object({
  key: z.string(),
  etag: z.string(),
  bytes: z.number(),
  modifiedAt: z.string(),
  headers: z.record(z.string(), z.string()),
  blobs: z.array(BlobRecord),
});
export type ObjectRecord = z.infer<typeof ObjectRecord>;

/** A directory of buckets: `<root>/<bucket>/{keys,blobs,uploads}`. Changes of one key run one after the other. */
export type S3Store = { readonly root: string; readonly withKey: KeyedMutex };

/** The directories of an existing bucket, and the mutex of its keys. */
export type Bucket = { name: string; keys: string; blobs: string; uploads: string; withKey: KeyedMutex };

function bucketAt(store: S3Store, name: string): Bucket {
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html, without the special prefixes.
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..')) {
    throw new S3Error(
      400,
      'InvalidBucketName',
      'A bucket name has 3 to 63 lower-case letters, digits, dots, hyphens.',
    );
  }
  const directory = path.join(store.root, name);
  return {
    name,
    keys: path.join(directory, 'keys'),
    blobs: path.join(directory, 'blobs'),
    uploads: path.join(directory, 'uploads'),
    withKey: (key, work) => store.withKey(`${name}/${key}`, work),
  };
}

/** A bucket by its name. @throws S3Error InvalidBucketName or NoSuchBucket */
export async function openBucket(store: S3Store, name: string): Promise<Bucket> {
  const bucket = bucketAt(store, name);
  if (!(await isThere(bucket.keys))) throw noSuchBucket();
  return bucket;
}

/** Creates an empty bucket. @throws S3Error InvalidBucketName or BucketAlreadyOwnedByYou */
export async function makeBucket(store: S3Store, name: string): Promise<void> {
  const bucket = bucketAt(store, name);
  if (await isThere(bucket.keys))
    throw new S3Error(409, 'BucketAlreadyOwnedByYou', 'The bucket already exists.');
  for (const directory of [bucket.blobs, bucket.uploads, bucket.keys])
    await mkdir(directory, { recursive: true });
}

/** The record of a key's object. @throws S3Error NoSuchKey */
export async function readRecord(bucket: Bucket, key: string): Promise<ObjectRecord> {
  const text = await readIfThere(recordFile(bucket.keys, key));
  if (text === undefined) throw noSuchKey();
  return ObjectRecord.parse(JSON.parse(text));
}

/** An object's content and the headers returned with it. */
export type Content = { etag: string; headers: Record<string, string>; blobs: Blob[] };

/** Makes blobs the content of a key, and removes the previous content. */
export function putRecord(bucket: Bucket, key: string, content: Content): Promise<ObjectRecord> {
  return bucket.withKey(key, () => replaceRecord(bucket, key, content));
}

/** Like putRecord, for callers that hold the key's mutex. */
export async function replaceRecord(bucket: Bucket, key: string, content: Content): Promise<ObjectRecord> {
  const before = await readRecord(bucket, key).catch(ignoreMissing);
  const bytes = content.blobs.reduce((sum, blob) => sum + blob.bytes, 0);
  // HTTP dates have whole seconds; a listing and a HEAD of the same object should agree.
  const modifiedAt = new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
  const record = { key, bytes, modifiedAt, ...content };
  await writeDurably(recordFile(bucket.keys, key), JSON.stringify(record));
  if (before) await removeUnlessNamed(bucket, key, before.blobs);
  return record;
}

/** Removes an object; a missing one is no error, as on S3. */
export function removeRecord(bucket: Bucket, key: string): Promise<void> {
  return bucket.withKey(key, async () => {
    const record = await readRecord(bucket, key).catch(ignoreMissing);
    if (!record) return;
    const file = recordFile(bucket.keys, key);
    await rm(file, { force: true });
    // Without the sync, a record could return after a power failure and name bytes that are gone.
    await syncDirectory(path.dirname(file));
    await removeBlobs(bucket.blobs, record.blobs);
  });
}

/**
 * Removes blobs, for callers that hold the key's mutex, but none that the key's record names: an upload that was
 * interrupted after its record was written shares its blobs with the object.
 */
export async function removeUnlessNamed(bucket: Bucket, key: string, blobs: readonly Blob[]): Promise<void> {
  const record = await readRecord(bucket, key).catch(ignoreMissing);
  const named = new Set(record?.blobs.map((blob) => blob.name));
  await removeBlobs(
    bucket.blobs,
    blobs.filter((blob) => !named.has(blob.name)),
  );
}

/** A page of keys; `next` is the cursor of the next page, if there is one. */
export type Listing = { objects: ObjectRecord[]; next: string | undefined };

/** One page of keys after `after`. */
export async function listObjects(
  bucket: Bucket,
  page: { prefix: string; after: string; entriesMax: number },
): Promise<Listing> {
  const objects: ObjectRecord[] = [];
  let last = '';
  for (const key of await keysUnder(bucket.keys, page.prefix)) {
    if (key <= page.after) continue;
    if (objects.length === page.entriesMax) return { objects, next: last };
    last = key;
    // It may have been removed since its name was read.
    const record = await readRecord(bucket, key).catch(ignoreMissing);
    if (record) objects.push(record);
  }
  return { objects, next: undefined };
}

/** Removes bytes that a killed server left without a record, if they are older than this call. */
export async function removeLeftovers(
  store: S3Store,
  uploadBlobs: (bucket: Bucket) => Promise<Blob[]>,
): Promise<void> {
  const startedAt = new Date();
  for (const name of await readdir(store.root)) {
    const bucket = bucketAt(store, name);
    const named = new Set((await uploadBlobs(bucket)).map((blob) => blob.name));
    for (const key of await keysUnder(bucket.keys, '')) {
      const record = await readRecord(bucket, key).catch(ignoreMissing);
      for (const blob of record?.blobs ?? []) named.add(blob.name);
    }
    await removeUnnamedBlobs(bucket.blobs, named, startedAt);
  }
}

/** For files that may be removed concurrently. */
export function ignoreMissing(error: unknown): undefined {
  if (isMissing(error) || (error instanceof S3Error && error.status === 404)) return undefined;
  throw error;
}

async function isThere(directory: string): Promise<boolean> {
  try {
    await readdir(directory);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
