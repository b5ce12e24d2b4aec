import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { tooFewRecordsMessage } from '@draftshelf/contract/wire';
import type { Dialect } from '@draftshelf/csv/dialect';
import { isContainerName } from '@draftshelf/domain/reading/list-files';
import { dialectKeys, type ReadDialect } from '../../import/index.ts';
import type { Preview } from './preview.ts';
import type { PreviewRow } from './preview-rows.ts';

export type PreviewReply =
  | { kind: 'progress'; readBytes: number; preview: Preview | null }
  | { kind: 'done'; preview: Preview; sha256: string }
  | { kind: 'page'; page: number; rows: PreviewRow[] }
  | { kind: 'tooFewRecords'; dialect: Dialect | null }
  | { kind: 'failed'; failure: ReadingFailure; dialect: Dialect | null };

export type ReadingFailure = {
  message: string;
  /** Whether the file has another format or was removed, so that no dialect can help. */
  isBeyondDialects: boolean;
  /** The kind of file and what to do, if the message has several causes. */
  detail?: string;
  /** Whether only this browser cannot read the file, so that it is uploaded without a preview. */
  isOfBrowser?: true;
};

export type PreviewState = {
  readBytes: number;
  /** The preview of the previous reading stays until the first rows of the new reading arrive. */
  preview: Preview | null;
  complete: boolean;
  /** Hash of the file; null until the file is read to its end. */
  sha256: string | null;
  /** The failure of the last reading; null if there is none. It stays while the file is read again. */
  failure: ReadingFailure | null;
  /** The page of rows that was requested last. */
  page: { number: number; rows: PreviewRow[] } | null;
  /** The dialect as detected, without overrides. */
  detected: Partial<ReadDialect>;
};

export const initialPreviewState: PreviewState = {
  readBytes: 0,
  preview: null,
  complete: false,
  sha256: null,
  failure: null,
  page: null,
  detected: {},
};

export const tooFewRecords: ReadingFailure = { message: tooFewRecordsMessage, isBeyondDialects: false };

export function buildEmptyFileFailure(name: string): ReadingFailure {
  const detail = 'The file is empty (0 bytes). Export the list again.';
  return isContainerName(name)
    ? { message: detail, isBeyondDialects: true }
    : { ...tooFewRecords, detail, isBeyondDialects: true };
}

/** Returns the state of a new reading. The old preview stays until the first message. */
export const beginReread = (state: PreviewState): PreviewState => ({
  ...state,
  readBytes: 0,
  complete: false,
  page: null,
});

/** Returns the state after a reply. `choice`: the overrides with which the worker reads. */
export function reducePreview(state: PreviewState, reply: PreviewReply, choice: DialectChoice): PreviewState {
  switch (reply.kind) {
    case 'progress': {
      const { preview, readBytes } = reply;
      if (preview === null) return { ...state, readBytes };
      return {
        ...state,
        readBytes,
        preview,
        failure: null,
        detected: mergeDetected(state, preview.dialect, choice),
      };
    }
    case 'done': {
      const { preview, sha256 } = reply;
      const detected = mergeDetected(state, preview.dialect, choice);
      return { ...state, preview, sha256, complete: true, failure: null, detected };
    }
    case 'page':
      return { ...state, page: { number: reply.page, rows: reply.rows } };
    case 'tooFewRecords':
      // A copy, so that a second failure of the same kind also counts as a change.
      return {
        ...state,
        failure: { ...tooFewRecords },
        detected: mergeDetected(state, reply.dialect, choice),
      };
    case 'failed':
      return { ...state, failure: reply.failure, detected: mergeDetected(state, reply.dialect, choice) };
  }
}

/** Merges a newly detected dialect. Parts with an override keep the value that was detected before the override. */
function mergeDetected(
  { detected }: PreviewState,
  dialect: Dialect | null,
  choice: DialectChoice,
): Partial<ReadDialect> {
  if (dialect === null) return detected;
  const parts = dialectKeys.filter((key) => choice[key] === undefined).map((key) => [key, dialect[key]]);
  return { ...detected, ...Object.fromEntries(parts) };
}
