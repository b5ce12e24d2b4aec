import type { DialectChoice } from '@draftshelf/contract/dialect';
import { tooFewRecordsMessage } from '@draftshelf/contract/upload';
import type { Dialect } from '@draftshelf/csv/dialect';
import { dialectKeys, type ReadDialect } from '../../components/dialect/dialect-words.ts';
import type { Preview, PreviewRow } from './preview.ts';

/** What the worker tells while it reads a file. */
export type PreviewAnswer =
  | { kind: 'progress'; readBytes: number; preview: Preview | null }
  | { kind: 'done'; preview: Preview }
  | { kind: 'page'; page: number; rows: PreviewRow[] }
  | { kind: 'tooFewRecords'; dialect: Dialect | null }
  | { kind: 'failed'; failure: ReadingFailure; dialect: Dialect | null };

/** Why a file cannot be read. */
export type ReadingFailure = {
  message: string;
  /** It is a file of another format, or no longer there: in no dialect would it be read. */
  isBeyondDialects: boolean;
};

export type PreviewState = {
  readBytes: number;
  /** While the file is read anew: that of the reading before, until the first rows are there. */
  preview: Preview | null;
  complete: boolean;
  /** Why the file cannot be read; while it is read anew, why it could not. */
  failure: ReadingFailure | null;
  /** The page of rows that was asked for last. */
  page: { number: number; rows: PreviewRow[] } | null;
  /** How the file would be read if nobody had said otherwise, as far as it is known. */
  judged: Partial<ReadDialect>;
};

export const nothingRead: PreviewState = {
  readBytes: 0,
  preview: null,
  complete: false,
  failure: null,
  page: null,
  judged: {},
};

const tooFewRecords: ReadingFailure = { message: tooFewRecordsMessage, isBeyondDialects: false };

/** The same file is read anew: what is known of it stays on the screen until the first news, not counted as read. */
export function readAnew(state: PreviewState): PreviewState {
  return { ...state, readBytes: 0, complete: false, page: null };
}

/** The state after an answer of the worker that reads with `choice`. */
export function nextState(state: PreviewState, answer: PreviewAnswer, choice: DialectChoice): PreviewState {
  switch (answer.kind) {
    case 'progress': {
      const { preview, readBytes } = answer;
      if (preview === null) return { ...state, readBytes };
      return {
        ...state,
        readBytes,
        preview,
        failure: null,
        judged: judgedIn(state, preview.dialect, choice),
      };
    }
    case 'done': {
      const { preview } = answer;
      const judged = judgedIn(state, preview.dialect, choice);
      return { ...state, preview, complete: true, failure: null, judged };
    }
    case 'page':
      return { ...state, page: { number: answer.page, rows: answer.rows } };
    case 'tooFewRecords':
      return { ...state, failure: tooFewRecords, judged: judgedIn(state, answer.dialect, choice) };
    case 'failed':
      return { ...state, failure: answer.failure, judged: judgedIn(state, answer.dialect, choice) };
  }
}

/** What was said is not judged: of that, what was judged before it was said still holds. */
function judgedIn(
  { judged }: PreviewState,
  dialect: Dialect | null,
  choice: DialectChoice,
): Partial<ReadDialect> {
  if (dialect === null) return judged;
  const news = dialectKeys.filter((key) => choice[key] === undefined).map((key) => [key, dialect[key]]);
  return { ...judged, ...Object.fromEntries(news) };
}
