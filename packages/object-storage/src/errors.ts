/** Object storage cannot be reached, is silent, or answers that it cannot work now. Asking again later may help. */
export class StorageUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageUnavailableError';
  }
}

/** True if asking object storage again later may help: it was unreachable, silent, out of space or overloaded. */
export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof StorageUnavailableError;
}

/** True if object storage answered that there is no such object. */
export function isObjectMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'NoSuchKey' || code === 'NotFound';
}

/** Codes of Node's network layers for a peer that is not there, or went away in the middle. */
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

/** Codes of S3 that mean 'later', also inside an answer with status 200. */
const laterCodes = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable', 'RequestTimeout']);

/**
 * Asks the storage client, and names its network errors by what they mean here.
 *
 * @throws StorageUnavailableError where asking again may help, else what the client throws
 */
export async function ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    throw named(error);
  }
}

/** The error as the callers of this package know it. */
export function named(error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !(networkCodes.has(code) || laterCodes.has(code))) return error;
  return new StorageUnavailableError(`object storage cannot be reached (${code})`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
