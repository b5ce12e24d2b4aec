import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tls from 'node:tls';
import { hostOf, isPublicAddress, notPublic, refusalOfUrl } from '@draftshelf/domain/base/web-address';
import { isAllowedHost } from '@draftshelf/domain/products/images';
import { untilAborted } from './answer-within.ts';

export type Fetched = {
  url: string;
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  /** False when only its beginning was asked for. */
  isWhole: boolean;
};

export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
}
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

export type FetchLimits = {
  /** Limit for all redirects and the body together. */
  msMax: number;
  bytesMax: number;
  /** Longer replies are cut off after bytesMax, or are an error. */
  longer: 'cut' | 'refuse';
  signal?: AbortSignal | undefined;
};

export type GuardOptions = {
  /** The operator's origins that are fetched although they are not public ('http://127.0.0.1:4010'). */
  allowedOrigins: readonly string[];
  /** Allowed hosts, also of redirects; none: any. */
  hosts: readonly string[];
  /** 2,048 by default. */
  urlCharsMax?: number;
  resolve?: (host: string) => Promise<string[]>;
  connect?: (address: string, port: number) => net.Socket;
};

export type GuardedFetch = (url: string, limits: FetchLimits) => Promise<Fetched>;

const redirectsMax = 3;
const redirectStatuses = [301, 302, 303, 307, 308];
/** Sites refuse requests without one. */
const userAgent = 'Draftshelf/1.0 (+product import)';

/**
 * The one way to fetch an address from a file, a source or a browser. A name is resolved once per request, all its
 * addresses are checked, and the connection goes to one of them, also after redirects. No proxy is used, because it
 * would resolve again. Throws FetchRefused or FetchFailed.
 */
export function createGuardedFetch(options: GuardOptions): GuardedFetch {
  return async (url, limits) => {
    const signals = [AbortSignal.timeout(limits.msMax), ...(limits.signal ? [limits.signal] : [])];
    const signal = AbortSignal.any(signals);
    let next = url;
    for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
      const reply = await exchange(options, { url: next, signal }, (one, url) => readReply(one, url, limits));
      const { location } = reply.headers;
      if (!redirectStatuses.includes(reply.status) || location === undefined) return reply;
      next = resolvedLocation(location, reply.url);
    }
    throw new FetchFailed(`The address redirects more than ${redirectsMax} times.`);
  };
}

/** An allowed origin is connected to by its name instead of an address. */
type Target = { url: URL; address: string };

async function checkedTarget(text: string, options: GuardOptions, signal: AbortSignal): Promise<Target> {
  if (!URL.canParse(text)) throw new FetchRefused('The address is not a valid URL.');
  const url = new URL(text);
  const host = hostOf(url);
  if (!isAllowedHost({ kind: 'web', src: url.href }, options.hosts))
    throw new FetchRefused(`Pictures on ${host} aren’t allowed.`);
  if (options.allowedOrigins.includes(url.origin) && url.username === '') return { url, address: host };
  const refusal = refusalOfUrl(url, options.urlCharsMax);
  if (refusal !== null) throw new FetchRefused(refusal);
  return { url, address: await publicAddressOf(host, options, signal) };
}

/** The public address of a name, or of an address itself. Throws FetchRefused or FetchFailed. */
async function publicAddressOf(
  host: string,
  options: Pick<GuardOptions, 'resolve'>,
  signal: AbortSignal,
): Promise<string> {
  if (net.isIP(host) > 0) {
    if (isPublicAddress(host)) return host;
    throw new FetchRefused(notPublic);
  }
  // Resolving cannot be aborted, only abandoned.
  const resolving = (options.resolve ?? systemAddresses)(host);
  const addresses = await untilAborted(resolving, signal).catch((cause) => {
    if (signal.aborted) throw timedOut(cause);
    throw new FetchFailed(`The host ${host} was not found.`, { cause });
  });
  // Many networks have no way out by IPv6.
  const address = addresses.find((one) => net.isIP(one) === 4) ?? addresses[0];
  if (address === undefined) throw new FetchFailed(`The host ${host} was not found.`);
  // One private address among public ones is enough: the choice between them would be chance.
  if (!addresses.every(isPublicAddress)) throw new FetchRefused(notPublic);
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
  body?: SentBody | SentStream;
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

export type GuardedStream = (
  url: string,
  signal: AbortSignal,
  headers?: SentHeaders,
) => Promise<http.IncomingMessage>;

/** Does not follow redirects. The caller limits bytes and time of the body. Throws FetchRefused or FetchFailed. */
export function createGuardedStream(options: GuardOptions): GuardedStream {
  return (url, signal, headers) => exchange(options, { url, signal, headers }, (reply) => reply);
}

type SentHeaders = Readonly<Record<string, string>>;
type SentBody = { headers: SentHeaders; body: string };
type SentStream = { headers: SentHeaders; body: Readable };

type PostLimits = { bytesMax: number; signal: AbortSignal };

/** Does not follow redirects. Throws FetchRefused or FetchFailed, also over `bytesMax`. */
export function createGuardedPost(options: GuardOptions) {
  return (url: string, body: SentBody, { bytesMax, signal }: PostLimits): Promise<Fetched> =>
    exchange(options, { url, signal, body }, (reply, at) =>
      readReply(reply, at, { bytesMax, longer: 'refuse' }),
    );
}

/** Returns the status; the reply is not read. Throws FetchRefused or FetchFailed. */
export function createGuardedPut(options: GuardOptions) {
  return (url: string, body: SentStream, signal: AbortSignal): Promise<number> =>
    exchange(options, { url, signal, body }, (reply) => {
      reply.destroy();
      return reply.statusCode ?? 0;
    });
}

/** Connections to servers of other protocols, to checked addresses only. */
export type GuardedConnect = {
  isAllowed(origins: readonly string[]): boolean;
  /** Throws FetchRefused or FetchFailed. */
  open(
    to: { host: string; port: number; origins: readonly string[] },
    signal: AbortSignal,
  ): Promise<net.Socket>;
};

const connectMsMax = 20_000;

/** The one way to connect to a server that an operator names, but by http. */
export function createGuardedConnect(
  options: Pick<GuardOptions, 'allowedOrigins' | 'resolve' | 'connect'>,
): GuardedConnect {
  const isAllowed: GuardedConnect['isAllowed'] = (origins) =>
    origins.some((origin) => options.allowedOrigins.includes(origin));
  return {
    isAllowed,
    async open({ host, port, origins }, signal) {
      const bare = host.replace(/^\[|\]$/g, '');
      const limited = AbortSignal.any([signal, AbortSignal.timeout(connectMsMax)]);
      const address = isAllowed(origins) ? bare : await publicAddressOf(bare, options, limited);
      const open = options.connect ?? ((to: string, at: number) => net.connect({ host: to, port: at }));
      const socket = open(address, port);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      socket.once('connect', resolve);
      socket.once('error', reject);
      try {
        await untilAborted(promise, limited);
        return socket;
      } catch (error) {
        socket.destroy();
        throw failureOf(error, limited);
      }
    },
  };
}

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
  body?: SentBody | SentStream,
): Promise<http.IncomingMessage> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const open = options.connect ?? ((host: string, at: number) => net.connect({ host, port: at }));
  const createConnection = () => {
    const socket = open(address, port);
    const servername = net.isIP(hostOf(url)) > 0 ? undefined : hostOf(url);
    return url.protocol === 'https:' ? tls.connect({ socket, servername }) : socket;
  };
  const usual = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': 'identity' };
  const text = typeof body?.body === 'string' ? body.body : undefined;
  const stream = typeof body?.body === 'string' ? undefined : body?.body;
  const length = text !== undefined && { 'content-length': String(Buffer.byteLength(text)) };
  const sent = (url.protocol === 'https:' ? https : http).request(url, {
    method: stream ? 'PUT' : body ? 'POST' : 'GET',
    createConnection,
    signal,
    headers: { ...usual, ...headers, ...body?.headers, ...length },
  });
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  sent.once('response', resolve);
  sent.on('error', reject);
  if (stream) pipeline(stream, sent).catch(reject);
  else sent.end(text);
  return promise;
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? 'connection error';

async function readReply(
  reply: http.IncomingMessage,
  url: URL,
  limits: Pick<FetchLimits, 'bytesMax' | 'longer'>,
): Promise<Fetched> {
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
