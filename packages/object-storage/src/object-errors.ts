/** Object storage is unreachable, does not respond, or reports that it cannot work now. A retry may succeed. */
export class StorageUnavailableError extends Error {
  override readonly name = 'StorageUnavailableError';
}

/** True if a retry may succeed: object storage was unreachable, did not respond, was out of space or overloaded. */
export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof StorageUnavailableError;
}

/** True if object storage reported that the object does not exist. */
export function isObjectMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NoSuchKey' || code === 'NotFound';
}

/** Node's error codes for a peer that is unreachable or closed the connection. */
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

/**
 * S3 error codes that mean 'try again later'. They also occur in responses with status 200. The api creates the bucket
 * as soon as storage answers it.
 */
const retryCodes = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'RequestTimeout',
  // One of the two clocks is wrong, until somebody sets it.
  'RequestTimeTooSkewed',
  'NoSuchBucket',
]);

/**
 * Calls the storage client and converts its network errors.
 *
 * @throws StorageUnavailableError if a retry may succeed, else what the client throws
 */
export async function ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw named(error);
  }
}

/** StorageUnavailableError for the client's network errors; other errors unchanged. */
export function named(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !(networkCodes.has(code) || retryCodes.has(code))) return error;
  return new StorageUnavailableError(`object storage cannot be reached (${code})`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
