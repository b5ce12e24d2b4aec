import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { ListAddress, ListSignIn } from '@draftshelf/domain/suppliers/list-address';
import type { GuardedStream } from '@draftshelf/runtime/guarded-fetch';
import { retryAfterMs } from '@draftshelf/runtime/retry-after';
import {
  asUnreachable,
  atPace,
  ListUnreadable,
  type ListVersion,
  noFile,
  notFetchedHere,
  type OpenedList,
  type Pace,
  tooLarge,
  withinMs,
} from './opened-list.ts';

export type WebOptions = {
  stream: GuardedStream;
  /** Origins that need be neither https nor public. */
  allowedOrigins: readonly string[];
  /** false: only allowed origins are fetched. */
  isPublicFetched: boolean;
  bytesMax: number;
  pace: Pace;
};

type Asked = {
  address: Pick<ListAddress, 'kind' | 'url' | 'host'>;
  signIn: ListSignIn;
  /** The version that need not be sent again. */
  known: ListVersion;
  signal: AbortSignal;
};

const redirectsMax = 3;
const redirectStatuses = [301, 302, 303, 307, 308];

/**
 * Asks a server for a list. Each redirect is checked like the address, and gets the sign-in only if it has the same
 * origin. Throws ListUnreadable, or the signal's reason.
 */
export async function openWebList(asked: Asked, options: WebOptions): Promise<OpenedList> {
  const { origin } = new URL(asked.address.url);
  const entered = { ...validators(asked.known), ...signInHeaders(asked.signIn) };
  let url = asked.address.url;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const at = new URL(url);
    refuseUnsafe(at, options);
    const reply = await ask(url, at.origin === origin ? entered : {}, asked, options);
    const { location } = reply.headers;
    const status = reply.statusCode ?? 0;
    if (!redirectStatuses.includes(status) || location === undefined)
      return readReply(reply, { ...asked, at, isElsewhere: at.origin !== origin }, options);
    reply.destroy();
    if (!URL.canParse(location, url))
      throw new ListUnreadable('address', `${at.host} redirects to something that is no address.`);
    url = new URL(location, url).href;
  }
  throw new ListUnreadable('address', `${asked.address.host} redirects more than ${redirectsMax} times.`);
}

function refuseUnsafe({ protocol, origin, host }: URL, options: WebOptions): void {
  if (options.allowedOrigins.includes(origin)) return;
  if (protocol !== 'https:')
    throw new ListUnreadable('address', `${host} isn’t asked: only https addresses are fetched.`);
  if (!options.isPublicFetched) throw notFetchedHere();
}

const validators = ({ etag, lastModified }: ListVersion): Record<string, string> => ({
  ...(etag !== null && { 'if-none-match': etag }),
  ...(lastModified !== null && { 'if-modified-since': lastModified }),
});

function signInHeaders(signIn: ListSignIn): Record<string, string> {
  if (signIn.kind === 'header') return { [signIn.name.toLowerCase()]: signIn.value };
  if (signIn.kind !== 'password') return {};
  return { authorization: `Basic ${Buffer.from(`${signIn.user}:${signIn.password}`).toString('base64')}` };
}

async function ask(
  url: string,
  headers: Record<string, string>,
  { signal }: Asked,
  { stream, pace }: WebOptions,
): Promise<IncomingMessage> {
  const { host } = new URL(url);
  const stop = new AbortController();
  const asking = stream(url, AbortSignal.any([signal, stop.signal]), headers);
  try {
    return await withinMs(pace.pieceMsMax, host, asking, signal);
  } catch (error) {
    stop.abort();
    asking.then((reply) => reply.destroy()).catch(() => {});
    if (signal.aborted) throw signal.reason;
    throw asUnreachable(error, host);
  }
}

type Replied = Asked & { at: URL; isElsewhere: boolean };

function readReply(reply: IncomingMessage, asked: Replied, options: WebOptions): OpenedList {
  const { known, at } = asked;
  const { headers, statusCode: status = 0 } = reply;
  const version = { etag: headers.etag ?? null, lastModified: headers['last-modified'] ?? null };
  const isAsked = known.etag !== null || known.lastModified !== null;
  if ((status === 304 && isAsked) || (status === 200 && isSame(known, version))) {
    reply.destroy();
    return { is: 'unchanged' };
  }
  if (status !== 200) {
    reply.destroy();
    throw refusalOf(status, headers, asked);
  }
  const bytes = headers['content-length'] === undefined ? null : Number(headers['content-length']);
  if (bytes !== null && bytes > options.bytesMax) {
    reply.destroy();
    throw tooLarge(at.host, `Content-Length: ${bytes}`);
  }
  const changed = Date.parse(version.lastModified ?? '');
  return {
    is: 'list',
    name: nameOf(headers, at),
    version,
    modifiedAt: Number.isNaN(changed) ? null : new Date(changed),
    hostKey: null,
    pieces: wholeList(reply, bytes, asked, options),
  };
}

/** A tag names one version; a time alone may be that of several. */
const isSame = (known: ListVersion, { etag }: ListVersion): boolean =>
  etag !== null && !etag.startsWith('W/') && known.etag === etag;

function refusalOf(
  status: number,
  headers: IncomingHttpHeaders,
  { address, at, ...asked }: Replied,
): ListUnreadable {
  const detail = `Status ${status}`;
  if (address.kind === 'sheet' && [401, 403, 404, 410].includes(status))
    return new ListUnreadable('sign in', sharedSentence, { detail });
  if (status === 401 || status === 403) {
    const sentence = asked.isElsewhere
      ? `${at.host} asks for a sign-in, which isn’t sent on to it. Enter that address.`
      : asked.signIn.kind === 'none'
        ? `${at.host} asks for a sign-in.`
        : `${at.host} refuses the sign-in.`;
    return new ListUnreadable('sign in', sentence, { detail });
  }
  if (status === 404 || status === 410) return noFile(at.host, detail);
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMs(headers['retry-after'] ?? null, Date.parse(headers.date ?? ''));
    const limited = waitMs === null ? null : Math.min(Math.max(waitMs, 1_000), 3_600_000);
    return new ListUnreadable('throttled', `${at.host} asks to wait.`, { detail, waitMs: limited });
  }
  return new ListUnreadable('network', `${at.host} answered with an error (status ${status}).`, { detail });
}

const sharedSentence = 'The sheet isn’t shared. Share it with “Anyone with the link”, as a viewer.';

const headBytes = 1_024;
const webPage = /^\uFEFF?\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body|script|meta|title)\b/i;

/** Passes the pieces on once the first ones are no web page. At the end their length is the announced one. */
async function* wholeList(
  reply: IncomingMessage,
  announced: number | null,
  { address, at, signal }: Replied,
  { bytesMax, pace }: WebOptions,
): AsyncGenerator<Buffer> {
  const { host } = at;
  let bytes = 0;
  let head = Buffer.alloc(0);
  let isJudged = false;
  const judge = () => {
    isJudged = true;
    if (!webPage.test(head.toString('latin1').replace(/^\u00ef\u00bb\u00bf/, ''))) return;
    const sentence =
      address.kind === 'sheet' ? sharedSentence : `${host} sent a web page, not a list. Is a sign-in needed?`;
    throw new ListUnreadable('web page', sentence);
  };
  try {
    for await (const piece of atPace(reply, { host, pace, signal })) {
      bytes += piece.length;
      if (bytes > bytesMax) throw tooLarge(host);
      if (isJudged) {
        yield piece;
        continue;
      }
      head = Buffer.concat([head, piece]);
      if (head.length < headBytes) continue;
      judge();
      yield head;
    }
    if (!isJudged) {
      judge();
      if (head.length > 0) yield head;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ListUnreadable) throw error;
    throw cutOff(host, bytes, announced, error);
  } finally {
    reply.destroy();
  }
  if (announced !== null && bytes !== announced) throw cutOff(host, bytes, announced);
}

function cutOff(host: string, bytes: number, announced: number | null, error?: unknown): ListUnreadable {
  const of = announced === null ? '' : ` of ${announced}`;
  const why = error instanceof Error ? ` ${error.message}` : '';
  return new ListUnreadable('cut off', `The list from ${host} was cut off.`, {
    detail: `${bytes}${of} bytes came.${why}`,
  });
}

/** The name that the server gives the file, else the end of its address. */
function nameOf(headers: IncomingHttpHeaders, { pathname }: URL): string {
  const disposition = headers['content-disposition'] ?? '';
  const encoded = /filename\*\s*=\s*(?:UTF-8|utf-8)''([^;\s]+)/.exec(disposition)?.[1];
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/.exec(disposition);
  const name = decoded(encoded) ?? plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2];
  return name ?? decoded(pathname.split('/').at(-1)) ?? '';
}

function decoded(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
