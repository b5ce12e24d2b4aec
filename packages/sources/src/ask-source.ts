import { toPrintedCode } from '@draftshelf/domain/base/gtin';
import { parseJson } from '@draftshelf/domain/base/parse-json';
import type { SourceName, SourceReply } from '@draftshelf/domain/enrich/sources';
import { plainFetch } from '@draftshelf/runtime/plain-fetch';
import { BodyTooLarge, readBody } from '@draftshelf/runtime/read-body';
import {
  keyRefusedReply,
  type QuotaWindows,
  type RawReply,
  type RemainingQuota,
  type SourceRequest,
  sourceAdapters,
} from './adapters.ts';

export type Source = {
  name: SourceName;
  baseUrl: string;
  key: string | null;
  /** True if the source cannot be asked without a key. */
  needsKey: boolean;
  windows: QuotaWindows;
};

/** The time limit of a request in milliseconds. */
export const answerMsMax = 5_000;
const bytesMax = 512 * 1024;

/** Sends one request without redirects, with limits on bytes and time. Never throws: an error becomes a failure. */
export async function askSource(
  source: Source,
  gtin: string,
  options: { contact: string; signal?: AbortSignal },
): Promise<{ reply: SourceReply; left: RemainingQuota | null }> {
  const adapter = sourceAdapters[source.name];
  try {
    const raw = await exchange(source, adapter.request(toPrintedCode(gtin), source.key), options);
    return { reply: adapter.read(raw), left: adapter.left?.(raw) ?? null };
  } catch (error) {
    return { reply: { kind: 'failure', cause: causeOf(error) }, left: null };
  }
}

/** The result of a key test. `cause`: a sentence with the reason why the key was not accepted. */
export type KeyTestResult =
  | { accepted: true; quotaSpent: boolean }
  | { accepted: false; refused: boolean; cause: string };

/** Returns whether a test of a source's key uses one of its calls, or null if the source takes no key. */
export const isKeyTestCounted = (name: SourceName): boolean | null =>
  sourceAdapters[name].keyTest?.takesCall ?? null;

/** Tests a key with one request. Never throws: an error becomes a cause. */
export async function testKey(
  source: Pick<Source, 'name' | 'baseUrl'>,
  key: string,
  options: { contact: string },
): Promise<KeyTestResult> {
  const { keyTest, read } = sourceAdapters[source.name];
  if (!keyTest) return { accepted: false, refused: false, cause: 'It takes no key.' };
  try {
    const raw = await exchange(source, keyTest.request(key), options);
    if (raw.status === 429) return { accepted: true, quotaSpent: true };
    if (raw.status === 200 && !keyTest.takesCall) return { accepted: true, quotaSpent: false };
    const reply = read(raw);
    if (reply.kind === 'failure') {
      return { accepted: false, refused: reply === keyRefusedReply, cause: reply.cause };
    }
    return { accepted: true, quotaSpent: reply.kind === 'quota' };
  } catch (error) {
    return { accepted: false, refused: false, cause: causeOf(error) };
  }
}

async function exchange(
  { baseUrl }: Pick<Source, 'baseUrl'>,
  { path, headers }: SourceRequest,
  options: { contact: string; signal?: AbortSignal },
): Promise<RawReply> {
  const signals = [AbortSignal.timeout(answerMsMax), ...(options.signal ? [options.signal] : [])];
  const response = await plainFetch(baseUrl.replace(/\/$/, '') + path, {
    headers: {
      ...headers,
      accept: 'application/json',
      'user-agent': `Draftshelf/1.0 (${options.contact})`,
    },
    redirect: 'error',
    signal: AbortSignal.any(signals),
  });
  const body = parseJson(await readBody(response.body, bytesMax));
  return { status: response.status, header: (name) => response.headers.get(name), body };
}

function causeOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError') return `It didn’t answer within ${answerMsMax / 1000} seconds.`;
  if (error instanceof BodyTooLarge) return `Its answer has more than ${bytesMax} bytes.`;
  return 'It can’t be reached.';
}
