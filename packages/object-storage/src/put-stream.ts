import type { Readable } from 'node:stream';
import { type ObjectStorage, uploadPartBytes } from './connect.ts';
import { callStorage } from './object-errors.ts';

/** S3's maximum number of parts. With parts of 5 MiB, it allows about 48 GiB. */
const partsMax = 10_000;

type PutOptions = { contentType?: string; signal?: AbortSignal };

/**
 * Stores a stream under an unused key, with two parts of 5 MiB in memory. Replaces the client's putObject, which never
 * ends if its source fails, and which resumes any unfinished upload. On failure, aborts the upload and throws the
 * error. If storage is unavailable then, removeUnfinishedUploads aborts the upload later.
 */
export async function putStream(
  storage: ObjectStorage,
  key: string,
  source: Readable,
  options: PutOptions = {},
): Promise<void> {
  const upload = new Upload(storage, key, options.contentType ?? 'application/octet-stream');
  const abort = () => source.destroy(asError(options.signal?.reason));
  options.signal?.addEventListener('abort', abort, { once: true });
  try {
    options.signal?.throwIfAborted();
    for await (const piece of source) await upload.add(piece);
    options.signal?.throwIfAborted();
    await upload.complete();
  } catch (error) {
    source.destroy();
    await upload.abandon();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
  }
}

/** Aborts the unfinished uploads under a prefix. Returns their number. */
export function removeUnfinishedUploads({ client, bucket }: ObjectStorage, prefix: string): Promise<number> {
  return callStorage(async () => {
    let removed = 0;
    for await (const upload of client.listIncompleteUploads(bucket, prefix, true)) {
      await client.abortMultipartUpload(bucket, upload.key, upload.uploadId);
      removed += 1;
    }
    return removed;
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('the upload was aborted', { cause: reason });
}

class Upload {
  readonly #storage: ObjectStorage;
  readonly #key: string;
  readonly #headers: Record<string, string>;
  readonly #parts: { part: number; etag: string }[] = [];
  #uploadId: string | undefined;
  /** Two buffers alternate for all parts, because a new buffer per part left 50 MB of garbage. */
  #part = partBuffer();
  #otherPart: Buffer | undefined;
  #partFilled = 0;
  #sent: Promise<void> = Promise.resolve();
  #completing = false;

  constructor(storage: ObjectStorage, key: string, contentType: string) {
    this.#storage = storage;
    this.#key = key;
    this.#headers = { 'content-type': contentType };
  }

  async add(piece: Buffer): Promise<void> {
    let taken = 0;
    while (taken < piece.length) {
      const copied = piece.copy(this.#part, this.#partFilled, taken);
      taken += copied;
      this.#partFilled += copied;
      if (this.#partFilled === uploadPartBytes) await this.#startPart();
    }
  }

  async complete(): Promise<void> {
    const { client, bucket } = this.#storage;
    await this.#sent;
    const uploadId = this.#uploadId;
    if (uploadId === undefined) {
      const whole = this.#part.subarray(0, this.#partFilled);
      this.#completing = true;
      await callStorage(() => client.putObject(bucket, this.#key, whole, whole.length, this.#headers));
    } else {
      if (this.#partFilled > 0) await this.#startPart();
      await this.#sent;
      this.#completing = true;
      await callStorage(() => client.completeMultipartUpload(bucket, this.#key, uploadId, this.#parts));
    }
  }

  async abandon(): Promise<void> {
    const { client, bucket } = this.#storage;
    // Ignores errors, because the caller gets the original error.
    const ignored = () => {};
    // A part that arrived after the abort would stay in storage, so the part is awaited first.
    await this.#sent.catch(ignored);
    if (this.#uploadId !== undefined) {
      await client.abortMultipartUpload(bucket, this.#key, this.#uploadId).catch(ignored);
    }
    // The last request may have succeeded although its response was lost.
    if (this.#completing) await client.removeObject(bucket, this.#key).catch(ignored);
  }

  async #startPart(): Promise<void> {
    await this.#sent;
    const bytes = this.#part.subarray(0, this.#partFilled);
    this.#sent = this.#sendPart(bytes);
    // The next `await this.#sent` throws the error.
    this.#sent.catch(() => {});
    [this.#part, this.#otherPart] = [this.#otherPart ?? partBuffer(), this.#part];
    this.#partFilled = 0;
  }

  async #sendPart(bytes: Buffer): Promise<void> {
    const { client, bucket } = this.#storage;
    const partNumber = this.#parts.length + 1;
    if (partNumber > partsMax)
      throw new RangeError(`an object may have at most ${partsMax} parts of ${uploadPartBytes} bytes`);
    const uploadId =
      this.#uploadId ??
      (await callStorage(() => client.initiateNewMultipartUpload(bucket, this.#key, this.#headers)));
    this.#uploadId = uploadId;
    const config = { bucketName: bucket, objectName: this.#key, uploadID: uploadId, partNumber, headers: {} };
    const { etag } = await callStorage(() => client.uploadPart(config, bytes));
    this.#parts.push({ part: partNumber, etag });
  }
}

const partBuffer = (): Buffer => Buffer.allocUnsafeSlow(uploadPartBytes);
