import type { ContainerErrorCode } from '@draftshelf/workbooks/container-error';
import type { ContainerLimits } from '@draftshelf/workbooks/limits';
import type {
  Container,
  FoundPictures,
  ReadOptions,
  TableNotices,
} from '@draftshelf/workbooks/open-container';

/** What the child is told. `id`: of the stream that either side has asked for. */
export type ToChild =
  | { is: 'open'; bytes: number; limits: ContainerLimits }
  /** A piece of a range of the file; null: its end. */
  | { is: 'range'; id: number; piece: Uint8Array | null }
  | { is: 'range-failed'; id: number }
  | { is: 'read'; id: number; n: number; options: ReadOptions | undefined }
  /** The next piece of a table may be sent; or none is wanted any more. */
  | { is: 'next' | 'stop'; id: number }
  | { is: 'pictures'; id: number };

/** What the child tells. */
export type ToParent =
  | { is: 'opened'; container: Pick<Container, 'kind' | 'tables'> }
  /** It needs a range of the file, its next piece, or no more of it. */
  | { is: 'range'; id: number; from: number; to: number }
  | { is: 'next-of-range' | 'end-of-range'; id: number }
  | { is: 'piece'; id: number; piece: Uint8Array }
  | { is: 'end'; id: number; notices: TableNotices }
  | { is: 'found'; id: number; found: FoundPictures }
  /** `id` null: the file could not be opened. */
  | { is: 'failed'; id: number | null; error: SentError };

/** `code`: of a ContainerError. */
export type SentError = { message: string; code?: ContainerErrorCode; stack?: string };
