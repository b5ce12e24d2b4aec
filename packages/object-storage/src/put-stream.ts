import type { Readable } from 'node:stream';
import { type ObjectStorage, partBytes } from './connect.ts';
import { ask, named } from './errors.ts';

/** How many parts S3 takes for one object; with parts of 5 MiB some 48 GiB. */
const partsMax = 10_000;

/** So many buffers are kept for the uploads to come. */
const freePartsMax = 4;

type PutOptions = { contentType?: string; signal?: AbortSignal };

/**
 * Stores a stream of unknown length under a key that is not in use. Memory holds two parts of 5 MiB, whatever the
 * length: one on its way, one that is being filled; a stream shorter than a part is one request. The minio client's own putObject is not used for streams: it
 * never ends when its source fails, and it resumes whatever unfinished upload it finds under the key.
 *
 * If the source fails, `signal` aborts or storage fails, nothing is left behind: the unfinished upload is ended
 * before this throws (where storage cannot be asked any more, removeUnfinishedUploads does it later). The source is
 * destroyed in that case.
 *
 * @returns the number of bytes stored
 * @throws the source's error, the signal's reason, or an error for which isStorageUnavailable holds
 */
export async function putStream(
  storage: ObjectStorage,
  key: string,
  source: Readable,
  options: PutOptions = {},
): Promise<{ bytes: number }> {
  const upload = new Upload(storage, key, options.contentType ?? 'application/octet-stream');
  const abort = () => source.destroy(asError(options.signal?.reason));
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    options.signal?.throwIfAborted();
    for await (const piece of source) await upload.add(piece);
    options.signal?.throwIfAborted();
    return await upload.complete();
  } catch (error) {
    source.destroy();
    await upload.abandon();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Ends uploads that a stopped process left unfinished before `olderThan`. Returns how many there were. */
export async function removeUnfinishedUploads(storage: ObjectStorage, olderThan: Date): Promise<number> {
  let removed = 0;
  try {
    for await (const upload of storage.client.listIncompleteUploads(storage.bucket, '', true)) {
      // `initiated` is in the answer of every S3 server, though not in the client's type.
      const initiated =
        'initiated' in upload && upload.initiated instanceof Date ? upload.initiated : undefined;
      if (!initiated || initiated >= olderThan) continue;
      await storage.client.abortMultipartUpload(storage.bucket, upload.key, upload.uploadId);
      removed += 1;
    }
  } catch (error) {
    throw named(error);
  }
  return removed;
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the upload was aborted', { cause: reason });
}

/** Collects pieces to parts of 5 MiB; becomes a multipart upload with the first full part. */
class Upload {
  readonly #storage: ObjectStorage;
  readonly #key: string;
  readonly #headers: Record<string, string>;
  readonly #parts: { part: number; etag: string }[] = [];
  #uploadId: string | undefined;
  /** Two buffers for all parts, in turns, and of all uploads: new ones left 50 MB for the garbage collector. */
  #part: Buffer;
  #otherPart: Buffer | undefined;
  #partFilled = 0;
  /** The part on its way. */
  #sent: Promise<void> = Promise.resolve();
  #bytes = 0;
  #completing = false;

  constructor(storage: ObjectStorage, key: string, contentType: string) {
    this.#storage = storage;
    this.#key = key;
    this.#headers = { 'content-type': contentType };
    this.#part = partBuffer(storage);
  }

  async add(piece: Buffer): Promise<void> {
    this.#bytes += piece.length;
    let taken = 0;
    while (taken < piece.length) {
      const copied = piece.copy(this.#part, this.#partFilled, taken);
      taken += copied;
      this.#partFilled += copied;
      if (this.#partFilled === partBytes) await this.#passPart();
    }
  }

  async complete(): Promise<{ bytes: number }> {
    const { client, bucket } = this.#storage;
    await this.#sent;
    const uploadId = this.#uploadId;
    if (uploadId === undefined) {
      const whole = this.#part.subarray(0, this.#partFilled);
      this.#completing = true;
      await ask(() => client.putObject(bucket, this.#key, whole, whole.length, this.#headers));
    } else {
      if (this.#partFilled > 0) await this.#passPart();
      await this.#sent;
      this.#completing = true;
      await ask(() => client.completeMultipartUpload(bucket, this.#key, uploadId, this.#parts));
    }
    this.#keepBuffers();
    return { bytes: this.#bytes };
  }

  async abandon(): Promise<void> {
    const { client, bucket } = this.#storage;
    // The cause is on its way to the caller; a storage that is gone cannot be tidied now.
    const untidied = () => {};
    // A part that arrives after the end of its upload would stay.
    await this.#sent.catch(untidied);
    if (this.#uploadId !== undefined) {
      await client.abortMultipartUpload(bucket, this.#key, this.#uploadId).catch(untidied);
    }
    // The last request may have taken effect although its answer was lost.
    if (this.#completing) await client.removeObject(bucket, this.#key).catch(untidied);
  }

  /** Begins to send the part that is full once the one before it has arrived; throws what that one met. */
  async #passPart(): Promise<void> {
    await this.#sent;
    const bytes = this.#part.subarray(0, this.#partFilled);
    this.#sent = this.#sendPart(bytes);
    // Whoever waits for it next is told.
    this.#sent.catch(() => {});
    [this.#part, this.#otherPart] = [this.#otherPart ?? partBuffer(this.#storage), this.#part];
    this.#partFilled = 0;
  }

  /** Only after success: a request that was broken off may still have its bytes on the way. */
  #keepBuffers(): void {
    const { freeParts } = this.#storage;
    for (const part of [this.#part, this.#otherPart]) {
      if (part && freeParts.length < freePartsMax) freeParts.push(part);
    }
  }

  async #sendPart(bytes: Buffer): Promise<void> {
    const { client, bucket } = this.#storage;
    const partNumber = this.#parts.length + 1;
    if (partNumber > partsMax)
      throw new RangeError(`an object may have at most ${partsMax} parts of ${partBytes} bytes`);
    const uploadId =
      this.#uploadId ??
      (await ask(() => client.initiateNewMultipartUpload(bucket, this.#key, this.#headers)));
    this.#uploadId = uploadId;
    const config = { bucketName: bucket, objectName: this.#key, uploadID: uploadId, partNumber, headers: {} };
    const { etag } = await ask(() => client.uploadPart(config, bytes));
    this.#parts.push({ part: partNumber, etag });
  }
}

function partBuffer(storage: ObjectStorage): Buffer {
  return storage.freeParts.pop() ?? Buffer.allocUnsafeSlow(partBytes);
}
