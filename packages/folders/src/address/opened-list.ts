import { notPublicMessage } from '@draftshelf/domain/base/web-address';
import type { FetchFailure } from '@draftshelf/domain/suppliers/fetched-list';
import type { ListAddress, ListSignIn } from '@draftshelf/domain/suppliers/list-address';
import { NoAnswerError } from '@draftshelf/runtime/answer-within';
import {
  FetchFailed,
  FetchRefused,
  type GuardedConnect,
  type GuardedDownload,
} from '@draftshelf/runtime/guarded-fetch';
import { type PaceLimits, TooSlowError } from '../pieces-in-time.ts';
import { TroubleError } from '../trouble-error.ts';

/** Validators that a server sends with a version of a list. */
export type ListVersion = { etag: string | null; lastModified: string | null };

export type ListRequest = {
  address: ListAddress;
  signIn: ListSignIn;
  /** sftp: the key that the server must show before anything is sent. If null, any key is accepted and returned. */
  hostKey: string | null;
  /** Validators of the known version, which the server need not send again. */
  known: ListVersion;
  signal: AbortSignal;
};

export type OpenOptions = {
  download: GuardedDownload;
  connect: GuardedConnect;
  pace: Required<PaceLimits>;
  /** Origin used instead of that of Google Sheets, for tests. */
  sheetsAt?: string;
};

/** Limits of a transfer: at less than 4 kB/s, 50 MB take hours and occupy a slot that lists of other servers need. */
export const defaultPace = { pieceMsMax: 30_000, slow: { ms: 60_000, bytesMin: 240_000 } };

/** An open list whose content can be read, or `unchanged` if the server still has the known version. */
export type OpenedList =
  | { is: 'unchanged' }
  | {
      is: 'list';
      name: string;
      version: ListVersion;
      modifiedAt: Date | null;
      /** sftp: SHA-256 of the server's key. Null for other protocols. */
      hostKey: string | null;
      /** Content of the list. Throws ListUnreadable. When the iteration ends, the connection is closed. */
      pieces: AsyncIterable<Buffer>;
    };

/** Thrown if a list cannot be fetched. */
export class ListUnreadable extends TroubleError<FetchFailure> {
  override readonly name = 'ListUnreadable';
}

export const createNoFileError = (host: string, detail: string | null = null) =>
  new ListUnreadable('not found', `${host} has no file at this address.`, { detail });

/** Converts an error of a connection or a timeout to trouble. Returns other errors unchanged. */
export function toListUnreadable(error: unknown, host: string): unknown {
  if (error instanceof NoAnswerError) return new ListUnreadable('network', `${host} doesn’t answer.`);
  if (error instanceof TooSlowError) return new ListUnreadable('network', error.message);
  if (error instanceof FetchRefused) {
    const isPrivate = error.message === notPublicMessage;
    const sentence = isPrivate
      ? `${host} leads into a private network. FETCH_ALLOW can name it.`
      : error.message;
    return new ListUnreadable('address', sentence);
  }
  if (!(error instanceof FetchFailed)) return error;
  if (!(error.cause instanceof Error)) return new ListUnreadable('network', error.message);
  return new ListUnreadable('network', `${host} can’t be reached.`, { detail: error.cause.message });
}
