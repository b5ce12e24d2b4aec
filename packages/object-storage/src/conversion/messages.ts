import type { ContainerErrorCode } from '@draftshelf/workbooks/container-error';
import type { ContainerLimits } from '@draftshelf/workbooks/limits';
import type { Container, FoundPictures, TableNotices } from '@draftshelf/workbooks/open-container';

/** A message to the child. `id` identifies the parent's request, or the range that the child requested. */
export type MessageToChild =
  | { is: 'open'; id: number; bytes: number; limits: ContainerLimits }
  | { is: 'range'; id: number; bytes: Uint8Array }
  | { is: 'read'; id: number; n: number; headBytes: number | undefined }
  | { is: 'next'; id: number }
  | { is: 'stop'; id: number }
  | { is: 'pictures'; id: number };

export type MessageToParent =
  | { is: 'opened'; id: number; container: Pick<Container, 'kind' | 'tables'> }
  | { is: 'range'; id: number; from: number; to: number }
  | { is: 'piece'; id: number; piece: Uint8Array }
  | { is: 'end'; id: number; notices: TableNotices }
  | { is: 'found'; id: number; found: FoundPictures }
  | { is: 'failed'; id: number; error: SerializedError };

export type SerializedError = { message: string; code?: ContainerErrorCode; stack?: string };
