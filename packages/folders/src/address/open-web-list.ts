import { notSharedSentence } from '@draftshelf/domain/suppliers/list-address';
import { callWithTimeout, rejectOnAbort } from '@draftshelf/runtime/answer-within';
import type { Download } from '@draftshelf/runtime/guarded-fetch';
import { readRetryAfterMs } from '@draftshelf/runtime/retry-after';
import * as contentDisposition from 'content-disposition';
import { limitPace } from '../pieces-in-time.ts';
import {
  createNoFileError,
  type ListRequest,
  ListUnreadable,
  type OpenedList,
  type OpenOptions,
  toListUnreadable,
} from './opened-list.ts';

/**
 * Opens a list by https. Only redirects to the same origin get the sign-in. Throws ListUnreadable, or the signal's
 * reason.
 */
export async function openWebList(request: ListRequest, options: OpenOptions): Promise<OpenedList> {
  const { address, signIn, known, signal } = request;
  const { etag, lastModified } = known;
  const headers = {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(lastModified !== null && { 'if-modified-since': lastModified }),
    ...(signIn.kind === 'header' && { [signIn.name.toLowerCase()]: signIn.value }),
    ...(signIn.kind === 'password' && { authorization: basic(signIn) }),
  };
  try {
    const ask = (late: AbortSignal) =>
      options.download(address.url, AbortSignal.any([signal, late]), headers);
    const asking = callWithTimeout(options.pace.pieceMsMax, address.host, ask);
    return readReply(await rejectOnAbort(asking, signal), request, options);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toListUnreadable(error, address.host);
  }
}

const basic = ({ user, password }: { user: string; password: string }): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

function readReply(reply: Download, request: ListRequest, options: OpenOptions): OpenedList {
  const { known } = request;
  const { headers, status, body } = reply;
  const version = { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
  const isAsked = known.etag !== null || known.lastModified !== null;
  // Only a strong ETag identifies a version, because several versions may have the same time.
  const isSame = version.etag !== null && !version.etag.startsWith('W/') && version.etag === known.etag;
  if (status !== 200 || isSame) body.destroy();
  if ((status === 304 && isAsked) || (status === 200 && isSame)) return { is: 'unchanged' };
  if (status !== 200) throw refusalOf(reply, request);
  const changed = Date.parse(version.lastModified ?? '');
  return {
    is: 'list',
    name: nameOf(reply),
    version,
    modifiedAt: Number.isNaN(changed) ? null : new Date(changed),
    hostKey: null,
    pieces: wholeList(reply, request, options),
  };
}

function refusalOf({ url, status, headers }: Download, { address, signIn }: ListRequest): ListUnreadable {
  const { host, origin } = new URL(url);
  const detail = `Status ${status}`;
  if (address.kind === 'sheet' && [401, 403, 404, 410].includes(status))
    return new ListUnreadable('sign in', notSharedSentence, { detail });
  if (status === 401 || status === 403) {
    const isElsewhere = origin !== new URL(address.url).origin;
    const asks = `${host} asks for a sign-in`;
    const sentence = isElsewhere
      ? `${asks}, which isn’t sent on to it. Enter that address.`
      : signIn.kind === 'none'
        ? `${asks}.`
        : `${host} refuses the sign-in.`;
    return new ListUnreadable('sign in', sentence, { detail });
  }
  if (status === 404 || status === 410) return createNoFileError(host, detail);
  if (status === 429 || status === 503) {
    const waitMs = readRetryAfterMs(headers['retry-after'] ?? null, Date.parse(headers.date ?? ''));
    const limited = waitMs === null ? null : Math.min(Math.max(waitMs, 1_000), 3_600_000);
    return new ListUnreadable('throttled', `${host} asks to wait.`, { detail, waitMs: limited });
  }
  return new ListUnreadable('network', `${host} answered with an error (status ${status}).`, { detail });
}

/** Yields the pieces. At the end, throws if their total length is not the length that the server announced. */
async function* wholeList(
  { url, headers, body }: Download,
  { signal }: ListRequest,
  { pace }: OpenOptions,
): AsyncGenerator<Buffer> {
  const { host } = new URL(url);
  const announced = headers['content-length'];
  let bytes = 0;
  const cutOff = (why = '') => {
    const of = announced === undefined ? '' : ` of ${announced}`;
    const detail = `${bytes}${of} bytes came.${why}`;
    return new ListUnreadable('cut off', `The list from ${host} was cut off.`, { detail });
  };
  try {
    for await (const piece of limitPace(body, host, pace, signal)) {
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const known = toListUnreadable(error, host);
    throw known === error && error instanceof Error ? cutOff(` ${error.message}`) : known;
  } finally {
    body.destroy();
  }
  if (announced !== undefined && bytes !== Number(announced)) throw cutOff();
}

/** Returns the filename in the server's header, else the last segment of the address. */
function nameOf({ url, headers }: Download): string {
  const { parameters } = contentDisposition.parse(headers['content-disposition'] ?? '');
  const last = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  return parameters.filename ?? contentDisposition.decodeExtended(`UTF-8''${last}`) ?? last;
}
