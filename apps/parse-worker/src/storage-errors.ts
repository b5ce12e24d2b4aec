import { isMissingObjectError, isStorageUnavailable } from '@draftshelf/object-storage/object-errors';
import { CannotSucceed, RetryLater } from '@draftshelf/queues/chunk-errors';

export function throwChunkError(cause: unknown): never {
  if (isStorageUnavailable(cause)) {
    throw new RetryLater('Object storage is unavailable.', { cause, tally: 'storage-errors' });
  }
  if (isMissingObjectError(cause)) {
    throw new CannotSucceed('The uploaded file is gone from storage. Upload it again.', { cause });
  }
  throw cause;
}
