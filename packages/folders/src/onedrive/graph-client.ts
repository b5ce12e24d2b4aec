import { parseJson } from '@draftshelf/domain/base/parse-json';
import { plainFetch } from '@draftshelf/runtime/plain-fetch';
import { readBody } from '@draftshelf/runtime/read-body';
import { readRetryAfterMs } from '@draftshelf/runtime/retry-after';
import { FolderUnreadable } from '../file-source.ts';

/** Returns an access token. `renew` is true if the last token was refused before it expired. */
export type ReadToken = (options: { renew: boolean; signal: AbortSignal }) => Promise<string>;

export type GraphAnswer = { status: number; code: string | null; headers: Headers; body: unknown };

type Call = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: object;
  signal: AbortSignal;
};

export type GraphClient = {
  origin: string;
  /** Calls a path below /v1.0, or a link. Throws FolderUnreadable for errors, except statuses in `understood`. */
  call(pathOrLink: string, call: Call): Promise<GraphAnswer>;
};

const answerMsMax = 30_000;
const bytesMax = 16 * 1024 * 1024;
const userAgent = 'NONISV|Draftshelf|Draftshelf/1.0';
/** SharePoint replies 509 if its bandwidth limit is exceeded. */
const busyStatuses = [429, 503, 509];
const understood = [400, 403, 404, 409, 410, 412, 423, 501];

const wait = 'Microsoft asks to wait. Nothing is lost.';
const away = 'OneDrive can’t be reached. It is tried again.';
export const signInEndedSentence =
  'The sign-in has ended. Sign in again; files that arrived meanwhile are imported then.';

/** Returns a client. If an access token is refused, the client renews it once. */
export function createGraphClient(origin: string, readToken: ReadToken): GraphClient {
  const send = async (url: string, call: Call, renew: boolean): Promise<GraphAnswer> => {
    const token = await readToken({ renew, signal: call.signal });
    const answer = await exchange(url, token, call);
    if (answer.status !== 401) return answer;
    if (!renew) return send(url, call, true);
    throw new FolderUnreadable('sign in', signInEndedSentence, { detail: answerDetail(answer) });
  };
  return {
    origin,
    async call(pathOrLink, call) {
      const answer = await send(addressOf(pathOrLink, origin), call, false);
      if (answer.status < 400 || understood.includes(answer.status)) return answer;
      if (busyStatuses.includes(answer.status)) {
        const options = { detail: answerDetail(answer), waitMs: readPauseMs(answer.headers) };
        throw new FolderUnreadable('throttled', wait, options);
      }
      throw new FolderUnreadable('network', away, { detail: answerDetail(answer) });
    },
  };
}

/** Returns the URL to call. Throws for a link to another origin, because the call sends the token. */
function addressOf(pathOrLink: string, origin: string): string {
  if (pathOrLink.startsWith('/')) return `${origin}/v1.0${pathOrLink}`;
  if (URL.canParse(pathOrLink) && new URL(pathOrLink).origin === origin) return pathOrLink;
  throw new FolderUnreadable('start over', 'OneDrive answered with a link to another server.');
}

const [pauseMsMin, pauseMsMax] = [1_000, 3_600_000];

/** Returns the requested pause in ms. Dates are compared with the reply's date, because our clock may be wrong. */
export function readPauseMs(headers: Headers): number | null {
  const ms = readRetryAfterMs(headers.get('retry-after'), Date.parse(headers.get('date') ?? ''));
  return ms === null ? null : Math.min(pauseMsMax, Math.max(pauseMsMin, ms));
}

/** Returns status and code, without addresses and without Microsoft's texts, which may quote addresses. */
export const answerDetail = ({ status, code }: Pick<GraphAnswer, 'status' | 'code'>): string =>
  `Microsoft Graph answered ${status}${code === null ? '' : ` (${code})`}.`;

async function exchange(url: string, token: string, call: Call): Promise<GraphAnswer> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(answerMsMax)]);
  try {
    const response = await plainFetch(url, {
      method: call.method ?? 'GET',
      headers: {
        ...call.headers,
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': userAgent,
        ...(call.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      redirect: 'manual',
      signal,
    });
    const body = parseJson(await readBody(response.body, bytesMax));
    return { status: response.status, code: codeOf(body), headers: response.headers, body };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    throw new FolderUnreadable('network', away, { detail: causeOf(error) });
  }
}

function codeOf(body: unknown): string | null {
  const code = (body as { error?: { code?: unknown } } | null | undefined)?.error?.code;
  return typeof code === 'string' && /^[\w.-]{1,80}$/.test(code) ? code : null;
}

/** Returns the cause of an error without addresses, whose queries may contain secrets. */
function causeOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `No answer within ${answerMsMax / 1000} s.`;
  const cause = (error as { cause?: { code?: unknown } }).cause;
  return typeof cause?.code === 'string'
    ? `The connection failed (${cause.code}).`
    : 'The connection failed.';
}
