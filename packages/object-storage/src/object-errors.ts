/** Storage is unreachable, does not respond, or reports that it cannot work now. A retry may succeed. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}

/** True if a retry may succeed. */
export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof StorageUnavailableError;
}

export function isObjectMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NoSuchKey' || code === 'NotFound';
}

const networkCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'],
  ...['EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ERR_STREAM_PREMATURE_CLOSE'],
]);

/** S3 codes for 'try again later', also with status 200. The api creates the bucket as soon as storage answers it. */
const retryCodes = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'RequestTimeout',
  // One of the two clocks is wrong, until somebody sets it.
  'RequestTimeTooSkewed',
  'NoSuchBucket',
]);

/** Throws StorageUnavailableError for network errors. */
export async function ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw named(error);
  }
}

/** Converts the client's network errors to StorageUnavailableError; other errors are unchanged. */
export function named(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !(networkCodes.has(code) || retryCodes.has(code))) return error;
  return new StorageUnavailableError(`object storage cannot be reached (${code})`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
