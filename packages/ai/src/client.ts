import { parseJson } from '@draftshelf/domain/base/parse-json';
import { type AiRequest, describeSchema } from '@draftshelf/domain/enrich/ai/prompt';
import { type AiReply, type RequestFormat, simplifyStructure } from '@draftshelf/domain/enrich/ai/reply';
import { createGuardedPost, FetchFailed, FetchRefused } from '@draftshelf/runtime/guarded-fetch';
import { z } from 'zod';
import { type HeaderReader, readQuotaWaitMs, readWaitMs } from './wait-header.ts';

/** A model endpoint. `key` is null without authentication. Origins in `allowedOrigins` may be private. */
export type AiEndpoint = {
  baseUrl: string;
  model: string;
  key: string | null;
  allowedOrigins: readonly string[];
};

/** A batch's answer has about 20 kB. This limit bounds the memory that a broken service can use. */
const answerBytesMax = 1024 * 1024;

/** Maximum number of tokens: more than any service counts, and the largest integer that the database stores. */
const usageMax = 2 ** 31 - 1;

const Count = z
  .number()
  .min(0)
  .transform((tokens) => Math.min(usageMax, Math.ceil(tokens)));

const Completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: Count, completion_tokens: Count }).nullish(),
});

/** Asks a model with one guarded HTTP request, without retries. Returns failures as replies. `now`: ms since 1970. */
export async function askModel(
  address: AiEndpoint,
  request: AiRequest,
  options: {
    manner: RequestFormat;
    tokensMax: number;
    msMax: number;
    signal: AbortSignal;
    now: () => number;
  },
): Promise<AiReply> {
  const { manner, tokensMax, signal } = options;
  const time = AbortSignal.timeout(options.msMax);
  const either = AbortSignal.any([signal, time]);
  try {
    const { status, headers, body } = await postJson(
      address,
      buildRequestBody(request, { manner, tokensMax, model: address.model }),
      either,
    );
    const header = (name: string) => headers[name]?.toString() ?? null;
    const text = body.toString('utf8');
    if (status >= 300) return readStatus({ status, header, text }, address, manner, options.now());
    return readCompletion(parseJson(text), readQuotaWaitMs(header, options.now()));
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    if (time.aborted) {
      const seconds = Number((options.msMax / 1000).toFixed(1));
      return failure(`The AI service didn’t answer within ${seconds} seconds.`);
    }
    return readError(error);
  }
}

function postJson({ baseUrl, key, allowedOrigins }: AiEndpoint, body: object, signal: AbortSignal) {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  const post = createGuardedPost({ allowedOrigins, hosts: [] });
  const url = `${baseUrl.replace(/\/$/, '')}/chat/completions`;
  return post(url, { headers, body: JSON.stringify(body) }, { bytesMax: answerBytesMax, signal });
}

export const buildRequestBody = (
  request: AiRequest,
  { manner, tokensMax, model }: { manner: RequestFormat; tokensMax: number; model: string },
) => ({
  model,
  messages: messagesOf(request, manner),
  [manner.tokenParameter]: tokensMax,
  ...formatOf(request, manner),
  stream: false,
});

function messagesOf(request: AiRequest, { structure }: RequestFormat) {
  const inWords = structure === 'schema' ? '' : describeSchema(request);
  return [
    { role: 'system', content: request.system + inWords },
    { role: 'user', content: request.user },
  ];
}

function formatOf({ schema }: AiRequest, { structure }: RequestFormat) {
  if (structure === 'text') return {};
  if (structure === 'object') return { response_format: { type: 'json_object' } };
  // Services show the name 'answer' in their logs.
  return { response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } } };
}

function readCompletion(data: unknown, pauseMs: number | null): AiReply {
  const parsed = Completion.safeParse(data);
  if (!parsed.success) return failure('The AI service answered in another form than documented.');
  const { choices, usage: counted } = parsed.data;
  const usage = counted ? { in: counted.prompt_tokens, out: counted.completion_tokens } : null;
  const [choice] = choices;
  if (choice?.finish_reason === 'length') return { kind: 'cut', usage };
  const isDeclined = choice?.finish_reason === 'content_filter' || (choice?.message.refusal ?? '') !== '';
  if (isDeclined) return { kind: 'declined', usage };
  return { kind: 'answer', text: choice?.message.content ?? '', usage, pauseMs };
}

/** Texts by which services report that their credit is used up, often with status 429 (quota exceeded). */
const unpaid = /insufficient_quota|insufficient[_ ]balance|billing|credit balance/i;
const tooLong = /context_length_exceeded|context length|maximum context|too many tokens|too large/i;
const namesStructure = /response_format|json_schema|json_object|json schema|structured|grammar|guided/i;
/** Number of characters of a reply that are searched. Further text mostly quotes the request. */
const reasonCharsMax = 2_000;

function readError(error: unknown): AiReply {
  if (error instanceof FetchRefused)
    return trouble(`The address of the AI service can’t be used. ${error.message}`);
  if (error instanceof FetchFailed) return failure(`The AI service doesn’t answer. ${error.message}`);
  throw error;
}

const failure = (sentence: string): AiReply => ({ kind: 'failure', sentence });
const trouble = (sentence: string): AiReply => ({ kind: 'trouble', sentence });

/** Interprets an error reply by its status and text. The text is never logged or shown. */
function readStatus(
  { status, header, text: whole }: { status: number; header: HeaderReader; text: string },
  { model }: AiEndpoint,
  manner: RequestFormat,
  now: number,
): AiReply {
  const text = whole.slice(0, reasonCharsMax);
  if (status === 401 || status === 403) return trouble('The AI service refused the key.');
  if (status === 402 || (status === 429 && unpaid.test(text))) {
    return trouble('The credit at the AI service is used up.');
  }
  if (status === 404)
    return trouble(`The model ${model} isn’t known at this address, or the address is wrong.`);
  if (status >= 300 && status < 400)
    return trouble('The AI service redirects to another address. Enter that one.');
  if (status === 429) return { kind: 'quota', waitMs: readWaitMs(header, now) };
  if (status === 413 || (status === 400 && tooLong.test(text))) return { kind: 'cut', usage: null };
  if (status === 400 || status === 422) {
    const other = otherManner(text, manner);
    if (other) return { kind: 'manner', manner: other };
  }
  return failure(`The AI service answered with status ${status}.`);
}

/** Returns the request format to try after a refusal, or null if the refusal has no known cause. */
function otherManner(text: string, manner: RequestFormat): RequestFormat | null {
  if (manner.tokenParameter === 'max_tokens' && text.includes('max_completion_tokens')) {
    return { ...manner, tokenParameter: 'max_completion_tokens' };
  }
  if (manner.tokenParameter === 'max_completion_tokens' && /\bmax_completion_tokens\b/.test(text)) {
    return { ...manner, tokenParameter: 'max_tokens' };
  }
  const structure = namesStructure.test(text) ? simplifyStructure(manner.structure) : null;
  return structure && { ...manner, structure };
}
