import { parseJson } from '@draftshelf/domain/base/parse-json';
import { rejectOnAbort } from '@draftshelf/runtime/answer-within';
import type { PlainFetch } from '@draftshelf/runtime/plain-fetch';
import { z } from 'zod';
import { readReplyText } from './answer.ts';
import { createStoreRefusal, StoreRefused, StoreUnavailable } from './store-errors.ts';

/** A static token (shpat_…), or an app's id and secret, which are exchanged for tokens valid for a day. */
export type Credentials = { accessToken: string } | { clientId: string; clientSecret: string };

/** Provides the token to send. `renew` drops a refused token and returns false if there is no other token to try. */
export type TokenSource = {
  current(signal: AbortSignal): Promise<string>;
  renew(refused: string): boolean;
};

type TokenDeps = { url: string; fetch: PlainFetch; now: () => number };

/** Time before a token's expiry at which the token is renewed, so that it does not expire during a request. */
const renewBeforeMs = 5 * 60_000;

const Grant = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** Creates a shared token source, which throws StoreRefused, StoreUnavailable, or the reason of an aborted signal. */
export function createTokenSource(credentials: Credentials, deps: TokenDeps): TokenSource {
  if ('accessToken' in credentials) {
    return { current: async () => credentials.accessToken, renew: () => false };
  }
  let held: { token: string; renewAtMs: number } | null = null;
  let fetching: Promise<string> | null = null;

  async function fetchToken(): Promise<string> {
    const askedAtMs = deps.now();
    const grant = await requestGrant(credentials as { clientId: string; clientSecret: string }, deps);
    held = { token: grant.access_token, renewAtMs: askedAtMs + grant.expires_in * 1000 - renewBeforeMs };
    return held.token;
  }

  return {
    async current(signal) {
      if (held && deps.now() < held.renewAtMs) return held.token;
      fetching ??= fetchToken().finally(() => {
        fetching = null;
      });
      // An abort ends only this wait, because other callers still need the fetch.
      return await rejectOnAbort(fetching, signal);
    },
    renew(refused) {
      if (held?.token === refused) held = null;
      return true;
    },
  };
}

const grantMsMax = 15_000;

async function requestGrant(credentials: { clientId: string; clientSecret: string }, deps: TokenDeps) {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: credentials.clientId,
    client_secret: credentials.clientSecret,
  });
  let response: Response;
  let text: string;
  try {
    response = await deps.fetch(`${deps.url}/admin/oauth/access_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: body.toString(),
      redirect: 'manual',
      signal: AbortSignal.timeout(grantMsMax),
    });
    text = await readReplyText(response);
  } catch (cause) {
    if (cause instanceof StoreRefused) throw cause;
    const message = 'Couldn’t reach the store to get an access token.';
    throw new StoreUnavailable(message, { reason: 'network', cause });
  }
  if (response.status === 429 || response.status >= 500) {
    const message = 'The store isn’t issuing access tokens right now.';
    throw new StoreUnavailable(message, { reason: 'server', cause: `HTTP ${response.status}` });
  }
  if (response.status === 404) {
    const message = 'No store found at that address; check the store URL.';
    throw createStoreRefusal(message, 'NOT_FOUND', 'HTTP 404 from access_token');
  }
  const grant = Grant.safeParse(parseJson(text));
  if (response.status === 200 && grant.success) return grant.data;
  const oauthError = /Oauth error (\w+): ([^<\n]*)/.exec(text);
  throw createStoreRefusal(
    oauthError
      ? `The store refused to issue an access token: ${oauthError[2]?.trim()}`
      : 'The store refused to issue an access token for this client ID and secret.',
    oauthError?.[1] ?? 'UNAUTHORIZED',
    `HTTP ${response.status} from access_token`,
  );
}
