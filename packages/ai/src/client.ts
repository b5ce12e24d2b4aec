import { parseJson } from '@draftshelf/domain/base/parse-json';
import { type AiRequest, schemaInWords } from '@draftshelf/domain/enrich/ai/prompt';
import { createGuardedPost } from '@draftshelf/runtime/guarded-fetch';
import { z } from 'zod';
import { readError, readStatus } from './read-failure.ts';
import type { AiAddress, AiReply } from './reply.ts';
import type { Manner } from './structure.ts';
import { waitMsOfEmptyQuota } from './wait-header.ts';

/** Answers of batches have some 20 kB; this bounds the memory that a broken service can take. */
const answerBytesMax = 1024 * 1024;

/** Services show it in their logs. */
const schemaName = 'answer';

/** More than any service counts for a request; the database stores no larger integers. */
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

/**
 * Asks a model with exactly one HTTP request, through the guard, without redirects or retries. Never throws: errors are
 * in the reply. `now`: milliseconds since 1970, for headers with moments.
 */
export async function askModel(
  address: AiAddress,
  request: AiRequest,
  options: { manner: Manner; tokensMax: number; msMax: number; signal: AbortSignal; now: () => number },
): Promise<AiReply> {
  const { manner, tokensMax, signal } = options;
  const time = AbortSignal.timeout(options.msMax);
  const either = AbortSignal.any([signal, time]);
  try {
    const { status, headers, body } = await postJson(
      address,
      bodyOf(request, { manner, tokensMax, model: address.model }),
      either,
    );
    const header = (name: string) => headers[name]?.toString() ?? null;
    const text = body.toString('utf8');
    if (status >= 300) return readStatus({ status, header, text }, address, manner, options.now());
    return readCompletion(parseJson(text), waitMsOfEmptyQuota(header, options.now()));
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    if (time.aborted) {
      return {
        kind: 'failure',
        sentence: `The AI service didn’t answer within ${Number((options.msMax / 1000).toFixed(1))} seconds.`,
      };
    }
    return readError(error);
  }
}

function postJson({ baseUrl, key, allowedOrigins }: AiAddress, body: object, signal: AbortSignal) {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  const post = createGuardedPost({ allowedOrigins, hosts: [] });
  const url = `${baseUrl.replace(/\/$/, '')}/chat/completions`;
  return post(url, { headers, body: JSON.stringify(body) }, { bytesMax: answerBytesMax, signal });
}

export const bodyOf = (
  request: AiRequest,
  { manner, tokensMax, model }: { manner: Manner; tokensMax: number; model: string },
) => ({
  model,
  messages: messagesOf(request, manner),
  [manner.tokenParameter]: tokensMax,
  ...formatOf(request, manner),
  stream: false,
});

function messagesOf(request: AiRequest, { structure }: Manner) {
  const inWords = structure === 'schema' ? '' : schemaInWords(request);
  return [
    { role: 'system', content: request.system + inWords },
    { role: 'user', content: request.user },
  ];
}

function formatOf({ schema }: AiRequest, { structure }: Manner) {
  if (structure === 'text') return {};
  if (structure === 'object') return { response_format: { type: 'json_object' } };
  const named = { name: schemaName, strict: true, schema };
  return { response_format: { type: 'json_schema', json_schema: named } };
}

function readCompletion(data: unknown, pauseMs: number | null): AiReply {
  const parsed = Completion.safeParse(data);
  if (!parsed.success) {
    return { kind: 'failure', sentence: 'The AI service answered in another form than documented.' };
  }
  const { choices, usage: counted } = parsed.data;
  const usage = counted ? { in: counted.prompt_tokens, out: counted.completion_tokens } : null;
  const [choice] = choices;
  if (choice?.finish_reason === 'length') return { kind: 'cut', usage };
  const isDeclined = choice?.finish_reason === 'content_filter' || (choice?.message.refusal ?? '') !== '';
  if (isDeclined) return { kind: 'declined', usage };
  return { kind: 'answer', text: choice?.message.content ?? '', usage, pauseMs };
}
