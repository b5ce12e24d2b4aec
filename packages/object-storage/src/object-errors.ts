/** The error for storage that is unreachable, does not respond or is overloaded. A retry may succeed. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}

/** Returns whether an error means that storage was unavailable. A retry may succeed. */
export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof StorageUnavailableError;
}

export function isMissingObjectError(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NoSuchKey' || code === 'NotFound';
}

const networkCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'],
  ...['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_STREAM_PREMATURE_CLOSE'],
]);

/** S3 codes after which a retry may succeed, even if the status is 200. NoSuchBucket: the api creates the bucket. */
const retryCodes = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'RequestTimeout',
  // The clock of this host or of storage is wrong. A retry succeeds once the clock is corrected.
  'RequestTimeTooSkewed',
  'NoSuchBucket',
]);

/** Calls the client. Throws network errors as StorageUnavailableError. */
export async function callStorage<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw toStorageError(error);
  }
}

/** Converts the client's network errors to StorageUnavailableError. Returns other errors unchanged. */
export function toStorageError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !(networkCodes.has(code) || retryCodes.has(code))) return error;
  return new StorageUnavailableError(`object storage cannot be reached (${code})`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
