import { CallError, call, callErrorOf, NoReplyError } from '../../api/call.ts';

export class UploadAddressError extends Error {
  override readonly name = 'UploadAddressError';

  constructor(cause: unknown) {
    super('Failed to get upload URL', { cause });
  }
}

/**
 * Sends a photo to its own address and reports sent bytes. Returns the address without its signature. Rejects with
 * UploadAddressError without an address, CallError if refused, NoReplyError if the server cannot be reached, and the
 * signal's reason if aborted.
 */
export async function sendPhoto(
  photo: Blob,
  { onSent, signal }: { onSent?: (bytes: number) => void; signal?: AbortSignal } = {},
): Promise<string> {
  const { uploadURL } = await call('createUpload', {
    emptyJson: true,
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause) => {
    throw signal?.aborted ? signal.reason : new UploadAddressError(cause);
  });
  await put(uploadURL, photo, onSent, signal);
  const { origin, pathname } = new URL(uploadURL, location.origin);
  return origin + pathname;
}

/** Fetch reports no upload progress. The address carries the right to write, so no cookie is needed. */
const put = (
  url: string,
  photo: Blob,
  onSent: ((bytes: number) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.upload.addEventListener('progress', ({ loaded }) => onSent?.(Math.min(loaded, photo.size)));
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status <= 299) resolve();
      else reject(callErrorOf(request.status, request.statusText, request.responseText));
    });
    request.addEventListener('error', () => reject(new NoReplyError(null)));
    request.addEventListener('abort', () => reject(signal?.reason));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    if (signal?.aborted) return reject(signal.reason);
    request.send(photo);
  });

export function sendFailure(error: unknown): string {
  if (!navigator.onLine) return 'No internet connection. Try again when you’re online.';
  if (error instanceof UploadAddressError) return 'The server gave no address for the upload. Try again.';
  if (error instanceof NoReplyError) return 'The server can’t be reached. Try again.';
  if (error instanceof CallError)
    return error.serverMessage ?? `The upload failed (${error.message}). Try again.`;
  return 'The upload failed. Try again.';
}
