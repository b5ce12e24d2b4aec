import type { INetworkModule, NetworkRequestOptions } from '@azure/msal-node';
import { plainFetch } from '@draftshelf/runtime/plain-fetch';
import type { GraphPlace } from './clouds.ts';
import { readJson } from './read-json.ts';
import { retryAfterMs } from './retry-after.ts';

/** The last answer of the login server that was no success; null: it has answered well, or not at all. */
export type LoginRefusal = {
  status: number;
  /** OAuth's word for the error. */
  error: string;
  /** The first sentence of Microsoft's description. */
  sentence: string | null;
  waitMs: number | null;
};

export type LoginNetwork = INetworkModule & {
  refusal(): LoginRefusal | null;
  /** Requests end when it aborts. */
  end(signal: AbortSignal): void;
};

type Exchanged<Body> = { headers: Record<string, string>; body: Body; status: number };

const answerMsMax = 30_000;
const bytesMax = 1024 * 1024;
/** Descriptions end with ids of the request behind their first sentence. */
const sentenceCharsMax = 300;

/**
 * The requests of the library for signing in: limited in time and bytes, without redirects, and to the login server of
 * one cloud, or in its place to the simulator.
 */
export function createLoginNetwork(place: Pick<GraphPlace, 'login' | 'loginAt'>): LoginNetwork {
  let refusal: LoginRefusal | null = null;
  let ending: AbortSignal | undefined;
  const exchange = async <Body>(
    method: 'GET' | 'POST',
    address: string,
    options: NetworkRequestOptions = {},
  ): Promise<Exchanged<Body>> => {
    refusal = null;
    const url = new URL(address);
    if (url.origin !== place.login) throw new Error('The address is not that of the login server');
    const signals = [AbortSignal.timeout(answerMsMax), ...(ending ? [ending] : [])];
    const response = await plainFetch(`${place.loginAt}${url.pathname}${url.search}`, {
      method,
      headers: options.headers ?? {},
      ...(options.body === undefined ? {} : { body: options.body }),
      redirect: 'error',
      signal: AbortSignal.any(signals),
    });
    const body = ((await readJson(response, bytesMax)) ?? {}) as Body;
    if (response.status >= 400) refusal = refusalOf(response, body);
    // The library goes on without a code, and would ask for its token in an endless loop.
    if (refusal !== null && url.pathname.endsWith('/devicecode')) throw new Error('No code was given');
    return { headers: Object.fromEntries(response.headers), body, status: response.status };
  };
  return {
    sendGetRequestAsync: (url, options) => exchange('GET', url, options),
    sendPostRequestAsync: (url, options) => exchange('POST', url, options),
    refusal: () => refusal,
    end(signal) {
      ending = signal;
    },
  };
}

function refusalOf({ status, headers }: Response, body: unknown): LoginRefusal {
  const { error, error_description: description } = (body ?? {}) as Record<string, unknown>;
  return {
    status,
    error: typeof error === 'string' ? error : 'unknown',
    sentence: typeof description === 'string' ? firstSentence(description) : null,
    waitMs: retryAfterMs(headers),
  };
}

/** `AADSTS7000215: Invalid client secret provided. Ensure …` becomes its first sentence, with the number. */
export function firstSentence(description: string): string | null {
  const [line = ''] = description.split(/\r?\n|(?<=\.)\s|\s(?=Trace ID:)/);
  return line.trim() === '' ? null : line.trim().slice(0, sentenceCharsMax);
}
