import { notPublic } from '@draftshelf/domain/base/web-address';
import type { ListTrouble } from '@draftshelf/domain/suppliers/fetched-list';
import { FetchFailed, FetchRefused } from '@draftshelf/runtime/guarded-fetch';

/** What a server says about the version that it sends. */
export type ListVersion = { etag: string | null; lastModified: string | null };

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

/** A list that cannot be fetched. The message is a sentence; neither it nor `detail` has anything secret. */
export class ListUnreadable extends Error {
  override readonly name = 'ListUnreadable';
  readonly kind: ListTrouble;
  readonly detail: string | null;
  /** How long the server asks to wait. */
  readonly waitMs: number | null;

  constructor(
    kind: ListTrouble,
    sentence: string,
    { detail = null, waitMs = null }: { detail?: string | null; waitMs?: number | null } = {},
  ) {
    super(sentence);
    this.kind = kind;
    this.detail = detail;
    this.waitMs = waitMs;
  }
}

export const notFetchedHere = () =>
  new ListUnreadable('address', 'Addresses on the internet aren’t fetched here (FETCH_PUBLIC).');

export const tooLarge = (host: string, detail: string | null = null) =>
  new ListUnreadable('not a list', `The file at ${host} is larger than this server reads.`, { detail });

export const noFile = (host: string, detail: string | null = null) =>
  new ListUnreadable('not found', `${host} has no file at this address.`, { detail });

/** What the guard of connections has thrown, as a trouble; other errors as they are. */
export function asUnreachable(error: unknown, host: string): unknown {
  if (error instanceof FetchRefused) {
    const isPrivate = error.message === notPublic;
    return new ListUnreadable(
      'address',
      isPrivate ? `${host} leads into a private network. FETCH_ALLOW can name it.` : error.message,
    );
  }
  if (error instanceof FetchFailed) {
    const detail = error.cause instanceof Error ? error.cause.message : error.message;
    return new ListUnreadable('network', `${host} can’t be reached.`, { detail });
  }
  return error;
}

export type Pace = {
  /** Longest wait for the first answer, and between two pieces. */
  pieceMsMax: number;
  /** Fewer bytes than this in so much time end the transfer. */
  paceMs: number;
  paceBytesMin: number;
};

/** 4 kB/s: at less, 50 MB take hours, and the server's place is another one's. */
export const usualPace: Pace = { pieceMsMax: 30_000, paceMs: 60_000, paceBytesMin: 240_000 };

/** Passes pieces on while they come at a sufficient pace. Throws ListUnreadable, or the signal's reason. */
export async function* atPace(
  pieces: AsyncIterable<Buffer>,
  { host, pace, signal }: { host: string; pace: Pace; signal: AbortSignal },
): AsyncGenerator<Buffer> {
  const iterator = pieces[Symbol.asyncIterator]();
  let waitedMs = 0;
  let bytes = 0;
  try {
    while (true) {
      const began = performance.now();
      const next = await withinMs(pace.pieceMsMax, host, iterator.next(), signal);
      // Only the server's time counts, not the reader's.
      waitedMs += performance.now() - began;
      if (next.done) return;
      bytes += next.value.length;
      if (waitedMs >= pace.paceMs) {
        if (bytes < pace.paceBytesMin) throw tooSlow(host, bytes / waitedMs);
        waitedMs = 0;
        bytes = 0;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a read that hangs would block here.
    iterator.return?.().catch(() => {});
  }
}

const tooSlow = (host: string, kilobytesPerSecond: number) =>
  new ListUnreadable('network', `${host} sends too slowly (${kilobytesPerSecond.toFixed(1)} kB/s).`);

/** Waits for an answer of a server. Throws ListUnreadable if it takes too long, or the signal's reason. */
export async function withinMs<T>(
  ms: number,
  host: string,
  answer: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new ListUnreadable('network', `${host} doesn’t answer.`)), ms);
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, ended]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
