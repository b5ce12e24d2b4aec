import { notPublic } from '@draftshelf/domain/base/web-address';
import type { ListTrouble } from '@draftshelf/domain/suppliers/fetched-list';
import type { ListAddress, ListSignIn } from '@draftshelf/domain/suppliers/list-address';
import { NoAnswerError } from '@draftshelf/runtime/answer-within';
import {
  FetchFailed,
  FetchRefused,
  type GuardedConnect,
  type GuardedDownload,
} from '@draftshelf/runtime/guarded-fetch';
import { type Pace, TooSlowError } from '../pieces-in-time.ts';
import { TroubleError } from '../trouble-error.ts';

/** A server's marks of the version that it sends. */
export type ListVersion = { etag: string | null; lastModified: string | null };

export type ListRequest = {
  address: ListAddress;
  signIn: ListSignIn;
  /** sftp: the key that the server must show before anything is sent; null: any key, which is returned. */
  hostKey: string | null;
  /** The known version, which need not be sent again. */
  known: ListVersion;
  signal: AbortSignal;
};

export type OpenOptions = {
  download: GuardedDownload;
  connect: GuardedConnect;
  pace: Required<Pace>;
  /** The origin of Google Sheets; absent: Google's. */
  sheetsAt?: string;
};

/** 4 kB/s: at less, 50 MB take hours and keep a place from other servers. */
export const usualPace = { pieceMsMax: 30_000, slow: { ms: 60_000, bytesMin: 240_000 } };

/** A list that a server begins to send; unchanged: it is the version that was read before. */
export type OpenedList =
  | { is: 'unchanged' }
  | {
      is: 'list';
      name: string;
      version: ListVersion;
      modifiedAt: Date | null;
      /** sftp: the SHA-256 of the server's key. */
      hostKey: string | null;
      /** Throws ListUnreadable. Ends the connection at its end. */
      pieces: AsyncIterable<Buffer>;
    };

/** A list that cannot be fetched. */
export class ListUnreadable extends TroubleError<ListTrouble> {
  override readonly name = 'ListUnreadable';
}

export const noFile = (host: string, detail: string | null = null) =>
  new ListUnreadable('not found', `${host} has no file at this address.`, { detail });

/** Converts an error of connecting to a host, or of waiting for it, to trouble; other errors are unchanged. */
export function asUnreachable(error: unknown, host: string): unknown {
  if (error instanceof NoAnswerError) return new ListUnreadable('network', `${host} doesn’t answer.`);
  if (error instanceof TooSlowError) return new ListUnreadable('network', error.message);
  if (error instanceof FetchRefused) {
    const isPrivate = error.message === notPublic;
    const sentence = isPrivate
      ? `${host} leads into a private network. FETCH_ALLOW can name it.`
      : error.message;
    return new ListUnreadable('address', sentence);
  }
  if (!(error instanceof FetchFailed)) return error;
  if (!(error.cause instanceof Error)) return new ListUnreadable('network', error.message);
  return new ListUnreadable('network', `${host} can’t be reached.`, { detail: error.cause.message });
}
