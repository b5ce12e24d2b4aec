import type {
  ConfidentialClientApplication,
  ICachePlugin,
  INetworkModule,
  NetworkRequestOptions,
  PublicClientApplication,
} from '@azure/msal-node';
import { parseJson } from '@draftshelf/domain/base/parse-json';
import { rejectOnAbort } from '@draftshelf/runtime/answer-within';
import { plainFetch } from '@draftshelf/runtime/plain-fetch';
import { readBody } from '@draftshelf/runtime/read-body';
import pLimit from 'p-limit';
import { FolderUnreadable } from '../file-source.ts';
import type { CloudHosts } from './clouds.ts';
import { type ReadToken, readPauseMs, signInEndedSentence } from './graph-client.ts';
import type { SavedAppSignIn, SavedCodeSignIn } from './saved-sign-in.ts';

export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
}

type App = { place: CloudHosts; tenant: string; clientId: string };

/** Loads the library at the first sign-in, because most installations never need it and it uses memory. */
const loadLibrary = () => import('@azure/msal-node');

const authorityOf = ({ place, tenant }: App): string => `${place.login}/${encodeURIComponent(tenant)}`;

/** The tokens in the library's own format. */
type Cache = { text: string };

async function openPublicApp(app: App, cache: Cache, network: LoginNetwork) {
  const { PublicClientApplication } = await loadLibrary();
  const cachePlugin: ICachePlugin = {
    async beforeCacheAccess({ tokenCache }) {
      if (cache.text !== '') tokenCache.deserialize(cache.text);
    },
    async afterCacheAccess({ tokenCache, cacheHasChanged }) {
      if (cacheHasChanged) cache.text = tokenCache.serialize();
    },
  };
  return new PublicClientApplication({
    auth: { clientId: app.clientId, authority: authorityOf(app) },
    cache: { cachePlugin },
    system: { networkClient: network, disableInternalRetries: true },
  });
}

/** Signs in with a code, which is passed to `onCode` once. Throws SignInFailed, or the signal's reason. */
export async function runCodeSignIn(
  app: App,
  options: {
    scopes: string[];
    onCode(code: { userCode: string; verificationUrl: string; expiresInS: number }): void;
    signal: AbortSignal;
  },
): Promise<Pick<SavedCodeSignIn, 'account' | 'scopes' | 'cache'>> {
  const { scopes, onCode, signal } = options;
  const cache: Cache = { text: '' };
  const network = createLoginNetwork(app.place);
  network.end(signal);
  const request = {
    scopes,
    cancel: false,
    deviceCodeCallback: (code: { userCode: string; verificationUri: string; expiresIn: number }) =>
      onCode({ userCode: code.userCode, verificationUrl: code.verificationUri, expiresInS: code.expiresIn }),
  };
  const cancel = () => {
    request.cancel = true;
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const library = await openPublicApp(app, cache, network);
    // Without `rejectOnAbort`, the library would notice an abort only after its pause.
    const result = await rejectOnAbort(library.acquireTokenByDeviceCode(request), signal);
    if (!result?.account) throw new Error('No account was signed in');
    return { account: result.account.username, scopes: result.scopes, cache: cache.text };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw failureOf(error, network);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

const expired =
  'The code has expired. Start again. If Microsoft refused the code, your organization blocks this way of signing in: use an app registration instead.';
const unreachable = 'Microsoft can’t be reached. Start again later.';

/** Reads only OAuth's error names, because the library's codes and Microsoft's descriptions change. */
function failureOf(error: unknown, network: LoginNetwork): SignInFailed {
  const refusal = network.refusal();
  if (refusal === null || refusal.error === 'authorization_pending') {
    const code = (error as { errorCode?: unknown }).errorCode;
    return new SignInFailed(code === 'device_code_expired' ? expired : unreachable, { cause: error });
  }
  const sentences: Record<string, string> = {
    authorization_declined: 'The sign-in was declined at Microsoft.',
    access_denied: 'The sign-in was declined at Microsoft.',
    expired_token: expired,
    code_expired: expired,
  };
  const told = refusal.sentence === null ? '' : ` ${refusal.sentence}`;
  const general = refusal.status >= 500 ? unreachable : `Microsoft refuses the sign-in.${told}`;
  return new SignInFailed(sentences[refusal.error] ?? general, { cause: error });
}

/** Returns access tokens. `save` stores a new refresh token; it returns false if this sign-in has been replaced. */
export function createCodeTokenReader(
  app: App,
  saved: Pick<SavedCodeSignIn, 'cache' | 'scopes'>,
  save: (cache: string) => Promise<boolean>,
): ReadToken {
  const cache: Cache = { text: saved.cache };
  let savedText = saved.cache;
  const network = createLoginNetwork(app.place);
  let library: Promise<PublicClientApplication> | undefined;
  const renewed = async (renew: boolean): Promise<string> => {
    library ??= openPublicApp(app, cache, network);
    const tokens = (await library).getTokenCache();
    const [account] = await tokens.getAllAccounts();
    if (!account) throw new FolderUnreadable('sign in', signInEndedSentence);
    const scopes = saved.scopes.filter((scope) => /Files\.\w+$/.test(scope));
    const result = await (await library)
      .acquireTokenSilent({ account, scopes, forceRefresh: renew })
      .catch((error) => {
        throw troubleOf(error, network, signInEndedSentence);
      });
    if (cache.text !== savedText) {
      const isCurrent = await save(cache.text);
      savedText = cache.text;
      if (!isCurrent)
        throw new FolderUnreadable('network', 'Somebody else has signed in. The new sign-in is used next.');
    }
    return result.accessToken;
  };
  return oneByOne(network, renewed);
}

/** Returns access tokens of an app registration. The tokens are kept only in memory. */
export function createAppTokenReader(
  app: App,
  { clientSecret }: Pick<SavedAppSignIn, 'clientSecret'>,
): ReadToken {
  const network = createLoginNetwork(app.place);
  let library: Promise<ConfidentialClientApplication> | undefined;
  const open = async () => {
    const { ConfidentialClientApplication } = await loadLibrary();
    return new ConfidentialClientApplication({
      auth: { clientId: app.clientId, authority: authorityOf(app), clientSecret },
      system: { networkClient: network, disableInternalRetries: true },
    });
  };
  return oneByOne(network, async (renew) => {
    library ??= open();
    const scopes = [`${app.place.resource}/.default`];
    const refused = 'Microsoft doesn’t accept the app registration any more. Enter it again.';
    const result = await (await library)
      .acquireTokenByClientCredential({ scopes, skipCache: renew })
      .catch((error) => {
        throw troubleOf(error, network, refused);
      });
    if (!result) throw new FolderUnreadable('sign in', refused);
    return result.accessToken;
  });
}

/** Runs requests one at a time, because one of two concurrent requests may fail as if there were no sign-in. */
function oneByOne(network: LoginNetwork, renewed: (renew: boolean) => Promise<string>): ReadToken {
  const inTurn = pLimit(1);
  return ({ renew, signal }) =>
    inTurn(() => {
      signal.throwIfAborted();
      network.end(signal);
      return renewed(renew);
    });
}

const ended = ['invalid_grant', 'interaction_required', 'consent_required', 'login_required'];
const refusedApp = ['invalid_client', 'unauthorized_client', 'access_denied'];

function troubleOf(error: unknown, network: LoginNetwork, sentence: string): FolderUnreadable {
  const refusal = network.refusal();
  if (refusal?.status === 429) {
    const { waitMs } = refusal;
    return new FolderUnreadable('throttled', 'Microsoft asks to wait. Nothing is lost.', { waitMs });
  }
  if (refusal !== null && [...ended, ...refusedApp].includes(refusal.error)) {
    return new FolderUnreadable('sign in', sentence, { detail: refusal.sentence });
  }
  const code = (error as { errorCode?: unknown }).errorCode;
  if (refusal === null && code === 'no_tokens_found') return new FolderUnreadable('sign in', sentence);
  const detail = refusal === null ? 'The connection failed.' : `The login server answered ${refusal.status}.`;
  return new FolderUnreadable('network', 'Microsoft’s sign-in can’t be reached. It is tried again.', {
    detail,
  });
}

type LoginRefusal = { status: number; error: string; sentence: string | null; waitMs: number | null };

type LoginNetwork = INetworkModule & {
  refusal(): LoginRefusal | null;
  /** Aborts requests when the signal aborts. */
  end(signal: AbortSignal): void;
};

type Exchanged<Body> = { headers: Record<string, string>; body: Body; status: number };

const answerMsMax = 30_000;
const bytesMax = 1024 * 1024;
/** Maximum length of a description. After the first sentence Microsoft adds request ids. */
const sentenceCharsMax = 300;

// Returns a network client with limits for time and bytes, without redirects, for one login server or the simulator.
function createLoginNetwork({ login, graph, simulated }: CloudHosts): LoginNetwork {
  let refusal: LoginRefusal | null = null;
  let ending: AbortSignal | undefined;
  const exchange = async <Body>(
    method: 'GET' | 'POST',
    address: string,
    options: NetworkRequestOptions = {},
  ): Promise<Exchanged<Body>> => {
    refusal = null;
    const url = new URL(address);
    if (url.origin !== login) throw new Error('The address is not that of the login server');
    const signals = [AbortSignal.timeout(answerMsMax), ...(ending ? [ending] : [])];
    const response = await plainFetch(`${simulated ? graph : login}${url.pathname}${url.search}`, {
      method,
      headers: options.headers ?? {},
      ...(options.body === undefined ? {} : { body: options.body }),
      redirect: 'error',
      signal: AbortSignal.any(signals),
    });
    const body = (parseJson(await readBody(response.body, bytesMax)) ?? {}) as Body;
    if (response.status >= 400) refusal = refusalOf(response, body);
    // Without this error the library would continue without a code and request the token in an endless loop.
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
    waitMs: readPauseMs(headers),
  };
}

/** Returns a description's first sentence, such as `AADSTS7000215: Invalid client secret provided.` */
function firstSentence(description: string): string | null {
  const [line = ''] = description.split(/\r?\n|(?<=\.)\s|\s(?=Trace ID:)/);
  return line.trim() === '' ? null : line.trim().slice(0, sentenceCharsMax);
}
