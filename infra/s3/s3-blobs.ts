import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { isMissing, syncDirectory } from '../durable-file.ts';
import { S3Error } from './s3-error.ts';

/** Immutable content in its own file: a whole object, or one part of it. */
export type Blob = { name: string; bytes: number };

/** What the client declared about the bytes it sends. */
export type Declared = { bytes: number; sha256: string | undefined; md5: string | undefined };

/**
 * Stores the incoming bytes under a new name, synced to disk.
 *
 * @throws S3Error if there are fewer bytes than declared or a checksum does not match; nothing is kept then
 */
export async function writeBlob(
  directory: string,
  content: Readable,
  declared: Declared,
): Promise<{ blob: Blob; md5: string }> {
  await mkdir(directory, { recursive: true });
  const name = randomUUID();
  const file = path.join(directory, name);
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let bytes = 0;
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      // An error here (a full disk) does not destroy the request, so that the sender can read the answer.
      for await (const piece of content.iterator({ destroyOnReturn: false })) {
        // Another thread writes while this one computes the hash.
        const written = handle.writeFile(piece);
        md5.update(piece);
        if (declared.sha256 !== undefined) sha256.update(piece);
        bytes += piece.length;
        await written;
      }
      if (bytes !== declared.bytes)
        throw new S3Error(400, 'IncompleteBody', 'Fewer bytes arrived than were declared.');
      await handle.sync();
    } finally {
      await handle.close();
    }
    const digest = md5.digest();
    if (declared.md5 !== undefined && declared.md5 !== digest.toString('base64')) {
      throw new S3Error(400, 'BadDigest', 'The content does not have the declared MD5.');
    }
    if (declared.sha256 !== undefined && declared.sha256 !== sha256.digest('hex')) {
      throw new S3Error(400, 'XAmzContentSHA256Mismatch', 'The content does not have the declared SHA-256.');
    }
    await syncDirectory(directory);
    return { blob: { name, bytes }, md5: digest.toString('hex') };
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
}

/** The bytes in [from, to) of consecutive blobs. */
export async function* readBlobs(
  directory: string,
  blobs: readonly Blob[],
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  let blobFrom = 0;
  for (const blob of blobs) {
    const blobTo = blobFrom + blob.bytes;
    if (blobTo > from && blobFrom < to) {
      const start = Math.max(from - blobFrom, 0);
      const end = Math.min(to, blobTo) - blobFrom - 1;
      yield* createReadStream(path.join(directory, blob.name), { start, end, highWaterMark: 256 * 1024 });
    }
    blobFrom = blobTo;
  }
}

/** Removes blobs; a missing one is no error. */
export async function removeBlobs(directory: string, blobs: readonly Blob[]): Promise<void> {
  for (const blob of blobs) await rm(path.join(directory, blob.name), { force: true });
}

/** Removes blobs that no record names and that are older than `olderThan`: left-overs of a killed server. */
export async function removeUnnamedBlobs(
  directory: string,
  named: ReadonlySet<string>,
  olderThan: Date,
): Promise<void> {
  for (const name of await readdir(directory).catch(() => [])) {
    if (named.has(name)) continue;
    const file = path.join(directory, name);
    try {
      if ((await stat(file)).mtime < olderThan) await rm(file, { force: true });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
}
