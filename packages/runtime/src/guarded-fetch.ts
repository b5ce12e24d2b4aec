import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tls from 'node:tls';
import { checkUrl, hostOf, isPublicAddress, notPublicMessage } from '@draftshelf/domain/base/web-address';
import { isAllowedHost } from '@draftshelf/domain/products/images';
import { rejectOnAbort } from './answer-within.ts';

export type FetchResult = {
  url: string;
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** False if the body was cut off after `bytesMax`. */
  isWhole: boolean;
};

export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

export type FetchLimits = {
  /** Time limit in ms for all redirects and the body together. */
  msMax: number;
  bytesMax: number;
  /** Whether a body of more than `bytesMax` bytes is cut off or fails the fetch. */
  longer: 'cut' | 'refuse';
  signal?: AbortSignal | undefined;
};

export type GuardOptions = {
  /** Origins that the operator allows although they are not public ('http://127.0.0.1:4010'). */
  allowedOrigins: readonly string[];
  /** Allowed hosts, even after redirects. If empty, all hosts are allowed. */
  hosts: readonly string[];
  /** If false, only `allowedOrigins` are fetched. */
  isPublicFetched?: boolean;
  /** Whether public addresses are fetched only by https. */
  isHttpsOnly?: boolean;
  /** Maximum length of an address, 2,048 characters by default. */
  urlCharsMax?: number;
  resolve?: (host: string) => Promise<string[]>;
  connect?: (address: string, port: number) => net.Socket;
};

export type GuardedFetch = (url: string, limits: FetchLimits) => Promise<FetchResult>;

const redirectsMax = 3;
const redirectStatuses = [301, 302, 303, 307, 308];
/** Some sites refuse requests without a user agent. */
const userAgent = 'Draftshelf/1.0 (+product import)';

/**
 * Returns the only function that may fetch addresses from files, sources or browsers. For each request, including
 * redirects, it resolves the name once, checks all IP addresses of the name, and connects to one of them. No proxy is
 * used, because a proxy would resolve the name again. Throws FetchRefused or FetchFailed.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  return async (url, limits) => {
    const signals = [AbortSignal.timeout(limits.msMax), ...(limits.signal ? [limits.signal] : [])];
    const signal = AbortSignal.any(signals);
    return followed(options, { url, signal }, (reply, at) => readReply(reply, at, limits));
  };
}

type Replied = Pick<FetchResult, 'url' | 'status' | 'headers'>;

const isRedirect = ({ status, headers }: Replied): boolean =>
  redirectStatuses.includes(status) && headers.location !== undefined;

/** Follows redirects. `headers` are sent only to the origin of the first address. */
async function followed<Reply extends Replied>(
  options: GuardOptions,
  { url, signal, headers }: Sent,
  read: (reply: http.IncomingMessage, url: URL) => Reply | Promise<Reply>,
): Promise<Reply> {
  const originOf = (text: string) => URL.parse(text)?.origin;
  let next = url;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const own = originOf(next) === originOf(url) ? headers : undefined;
    const reply = await exchange(options, { url: next, signal, headers: own }, read);
    if (!isRedirect(reply)) return reply;
    next = resolvedLocation(reply.headers.location ?? '', reply.url);
  }
  throw new FetchFailed(`The address redirects more than ${redirectsMax} times.`);
}

/** A checked URL, with the IP address to connect to, or with the name of the host if its origin is allowed. */
type Target = { url: URL; address: string };

async function checkedTarget(text: string, options: GuardOptions, signal: AbortSignal): Promise<Target> {
  if (!URL.canParse(text)) throw new FetchRefused('The address is not a valid URL.');
  const url = new URL(text);
  const host = hostOf(url);
  if (!isAllowedHost({ kind: 'web', src: url.href }, options.hosts))
    throw new FetchRefused(`Pictures on ${host} aren’t allowed.`);
  if (options.allowedOrigins.includes(url.origin) && url.username === '') return { url, address: host };
  if (options.isHttpsOnly && url.protocol !== 'https:')
    throw new FetchRefused('Only https addresses are fetched.');
  const refusal = checkUrl(url, options.urlCharsMax);
  if (refusal !== null) throw new FetchRefused(refusal);
  return { url, address: await publicAddressOf(host, options, signal) };
}

/** Returns a public IP address of a host. Throws FetchRefused or FetchFailed if there is none. */
async function publicAddressOf(
  host: string,
  options: Pick<GuardOptions, 'isPublicFetched' | 'resolve'>,
  signal: AbortSignal,
): Promise<string> {
  if (options.isPublicFetched === false)
    throw new FetchRefused('Addresses on the internet aren’t fetched here (FETCH_PUBLIC).');
  if (net.isIP(host) > 0) {
    if (isPublicAddress(host)) return host;
    throw new FetchRefused(notPublicMessage);
  }
  // A name lookup cannot be aborted. After an abort, its result is ignored.
  const resolving = (options.resolve ?? systemAddresses)(host);
  const addresses = await rejectOnAbort(resolving, signal).catch((cause) => {
    if (signal.aborted) throw timedOut(cause);
    throw new FetchFailed(`The host ${host} was not found.`, { cause });
  });
  // IPv4 is preferred, because many networks have no IPv6 route.
  const address = addresses.find((one) => net.isIP(one) === 4) ?? addresses[0];
  if (address === undefined) throw new FetchFailed(`The host ${host} was not found.`);
  // A host with even one private address is refused, because any of its addresses may be chosen.
  if (!addresses.every(isPublicAddress)) throw new FetchRefused(notPublicMessage);
  return address;
}

async function systemAddresses(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function resolvedLocation(location: string, from: string): string {
  if (!URL.canParse(location, from))
    throw new FetchFailed('The address redirects to something that is not a URL.');
  return new URL(location, from).href;
}

const timedOut = (cause: unknown) => new FetchFailed('The address didn’t answer in time.', { cause });

type Sent = {
  url: string;
  signal: AbortSignal;
  headers?: SentHeaders | undefined;
  body?: SentBody;
};

async function exchange<Result>(
  options: GuardOptions,
  { url, signal, headers, body }: Sent,
  read: (reply: http.IncomingMessage, url: URL) => Result | Promise<Result>,
): Promise<Result> {
  const target = await checkedTarget(url, options, signal);
  try {
    return await read(await send(target, options, signal, headers, body), target.url);
  } catch (error) {
    throw failureOf(error, signal);
  }
}

export type GuardedStreamFetch = (url: string, signal: AbortSignal) => Promise<http.IncomingMessage>;

/** Returns a function that streams, without redirects or limits. Throws FetchRefused or FetchFailed. */
export function createGuardedStream(options: GuardOptions): GuardedStreamFetch {
  return (url, signal) => exchange(options, { url, signal }, (reply) => reply);
}

/** A reply with an unread body. `url` is the address after all redirects. */
export type Download = Replied & { body: http.IncomingMessage };
export type GuardedDownload = (url: string, signal: AbortSignal, headers: SentHeaders) => Promise<Download>;

/** Returns a function that downloads, with redirects but without limits. Throws FetchRefused or FetchFailed. */
export function createGuardedDownload(options: GuardOptions): GuardedDownload {
  return (url, signal, headers) =>
    followed(options, { url, signal, headers }, (body, at) => {
      const reply = { url: at.href, status: body.statusCode ?? 0, headers: body.headers, body };
      if (isRedirect(reply)) body.destroy();
      return reply;
    });
}

type SentHeaders = Readonly<Record<string, string>>;
/** A request's body: a text is sent by POST, a stream by PUT. */
type SentBody<Content = string | Readable> = { headers: SentHeaders; body: Content };

type PostLimits = { bytesMax: number; signal: AbortSignal };

/** Returns a function that posts, without redirects. Throws FetchRefused or FetchFailed. Long replies fail, too. */
export function createGuardedPost(options: GuardOptions) {
  return (url: string, body: SentBody<string>, { bytesMax, signal }: PostLimits): Promise<FetchResult> =>
    exchange(options, { url, signal, body }, (reply, at) =>
      readReply(reply, at, { bytesMax, longer: 'refuse' }),
    );
}

/** Returns a function that sends a stream by PUT and resolves to the status. Throws FetchRefused or FetchFailed. */
export function createGuardedPut(options: GuardOptions) {
  return (url: string, body: SentBody<Readable>, signal: AbortSignal): Promise<number> =>
    exchange(options, { url, signal, body }, (reply) => {
      reply.destroy();
      return reply.statusCode ?? 0;
    });
}

/** Connects to a server. `usualPort` is the protocol's default port. Throws FetchRefused or FetchFailed. */
export type GuardedConnect = (url: URL, usualPort: number, signal: AbortSignal) => Promise<net.Socket>;

const connectMsMax = 20_000;

/** Returns the only function that may connect to operators' servers by protocols other than http. */
export function createGuardedConnect(
  options: Pick<GuardOptions, 'allowedOrigins' | 'isPublicFetched' | 'resolve' | 'connect'>,
): GuardedConnect {
  return async (url, usualPort, signal) => {
    const host = hostOf(url);
    const port = Number(url.port) || usualPort;
    const origin = `${url.protocol}//${url.hostname}`;
    const isAllowed = [`${origin}:${port}`, ...(port === usualPort ? [origin] : [])].some((one) =>
      options.allowedOrigins.includes(one),
    );
    const limited = AbortSignal.any([signal, AbortSignal.timeout(connectMsMax)]);
    const address = isAllowed ? host : await publicAddressOf(host, options, limited);
    const socket = (options.connect ?? connectTo)(address, port);
    try {
      await rejectOnAbort(once(socket, 'connect'), limited);
      return socket;
    } catch (error) {
      socket.destroy();
      throw failureOf(error, limited);
    }
  };
}

const connectTo = (host: string, port: number) => net.connect({ host, port });

function failureOf(error: unknown, signal: AbortSignal): FetchFailed {
  if (error instanceof FetchFailed) return error;
  if (signal.aborted) return timedOut(error);
  return new FetchFailed(`The address can’t be reached (${codeOf(error)}).`, { cause: error });
}

function send(
  { url, address }: Target,
  options: GuardOptions,
  signal: AbortSignal,
  headers?: SentHeaders,
  body?: SentBody,
): Promise<http.IncomingMessage> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const createConnection = () => {
    const socket = (options.connect ?? connectTo)(address, port);
    const servername = net.isIP(hostOf(url)) > 0 ? undefined : hostOf(url);
    return url.protocol === 'https:' ? tls.connect({ socket, servername }) : socket;
  };
  const usual = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' };
  const content = body?.body;
  const length = typeof content === 'string' && { 'content-length': String(Buffer.byteLength(content)) };
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method: content === undefined ? 'GET' : typeof content === 'string' ? 'POST' : 'PUT',
    createConnection,
    signal,
    headers: { ...usual, ...headers, ...body?.headers, ...length },
  });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  sent.once('response', resolve);
  sent.on('error', reject);
  if (content === undefined || typeof content === 'string') sent.end(content);
  else pipeline(content, sent).catch(reject);
  return promise;
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'connection error';

async function readReply(
  reply: http.IncomingMessage,
  url: URL,
  limits: Pick<FetchLimits, 'bytesMax' | 'longer'>,
): Promise<FetchResult> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let isWhole = true;
  for await (const piece of reply as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes <= limits.bytesMax) continue;
    if (limits.longer === 'refuse')
      throw new FetchFailed(`The reply has more than ${limits.bytesMax} bytes.`);
    isWhole = false;
    break;
  }
  const body = Buffer.concat(pieces).subarray(0, limits.bytesMax);
  return { url: url.href, status: reply.statusCode ?? 0, headers: reply.headers, body, isWhole };
}
