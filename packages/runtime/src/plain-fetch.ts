import http from 'node:http';
import https from 'node:https';

type Options = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  redirect: 'error' | 'manual';
  signal?: AbortSignal;
};

export type PlainFetch = (address: string, options: Options) => Promise<Response>;

const withoutBody = [204, 205, 304];
const redirects = [301, 302, 303, 307, 308];

/**
 * Like `fetch`, but refuses compressed replies, because Node's `fetch` would decompress any amount that a server
 * sends. Does not follow redirects. Throws TypeError, or the reason of an aborted signal, also while the body is read.
 */
export const plainFetch: PlainFetch = async (
  address,
  { method = 'GET', body, redirect, signal, ...given },
) => {
  const failure = (cause: unknown) => (signal?.aborted ? signal.reason : failed(cause));
  const url = new URL(address);
  const headers = new Headers({ accept: '*/*', 'user-agent': 'Draftshelf/1.0', ...given.headers });
  headers.set('accept-encoding', 'identity');
  if (body !== undefined) headers.set('content-length', String(Buffer.byteLength(body)));
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  try {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      headers: Object.fromEntries(headers),
      ...(signal && { signal }),
    });
    request.on('response', resolve).on('error', reject).end(body);
    const message = await promise;
    const refusal = refusalOf(message, redirect);
    if (refusal === null) return responseOf(message, failure);
    message.destroy();
    throw refusal;
  } catch (cause) {
    throw failure(cause);
  }
};

const failed = (cause: unknown) =>
  cause instanceof Refused ? cause : new TypeError('The request failed', { cause });

class Refused extends TypeError {}

function refusalOf({ statusCode = 0, headers }: http.IncomingMessage, redirect: Options['redirect']) {
  const coding = headers['content-encoding'] ?? 'identity';
  if (redirect === 'error' && redirects.includes(statusCode)) {
    return new Refused('The reply is a redirect', { cause: { code: 'REDIRECT' } });
  }
  if (coding.toLowerCase() === 'identity' || withoutBody.includes(statusCode)) return null;
  return new Refused('The reply is packed, although it was asked not to be', { cause: { code: 'PACKED' } });
}

function responseOf(message: http.IncomingMessage, failure: (cause: unknown) => unknown): Response {
  const { statusCode: status = 0, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  if (withoutBody.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const pieces = message.iterator();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          controller.error(failure(cause));
        }
      },
      cancel: () => void message.destroy(),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers });
}
