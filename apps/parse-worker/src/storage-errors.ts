import { isObjectMissing, isStorageUnavailable } from '@draftshelf/object-storage/errors';
import { CannotSucceed, WaitForIt } from '@draftshelf/queues/chunk-errors';

/** What object storage throws, as what it means for a chunk; other errors as they are. */
export function asChunkError(cause: unknown): unknown {
  if (isStorageUnavailable(cause)) return new WaitForIt('Object storage cannot be reached.', { cause });
  if (isObjectMissing(cause)) {
    return new CannotSucceed('The uploaded file is no longer in object storage. Upload it again.', { cause });
  }
  return cause;
}
