import { type AiRequest, schemaInWords } from '@draftshelf/domain/enrich/ai/prompt';
import { createGuardedPost, type GuardedPost } from '@draftshelf/runtime/guarded-fetch';
import type { OpenAI } from 'openai';
import { z } from 'zod';
import { readFailure } from './read-failure.ts';
import type { AiAddress, AiReply } from './reply.ts';
import type { Manner } from './structure.ts';
import { waitMsOfEmptyQuota } from './wait-header.ts';

/** Answers of batches have some 20 kB; this bounds the memory that a broken service can take. */
const answerBytesMax = 1024 * 1024;

/** The name of the schema, which services show in their logs. */
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
 * Asks a model once: exactly one HTTP request, through the guard, without redirects and without retries. Never throws:
 * what goes wrong is in the reply. `tokensMax`: limit of the answer; `msMax`: limit of the time. `now` is the present
 * in milliseconds since 1970, for headers with moments.
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
    const client = await openClient(address, either);
    const { data, response } = await client.chat.completions
      .create(bodyOf(request, { manner, tokensMax, model: address.model }), { signal: either })
      .withResponse();
    return readCompletion(
      data,
      waitMsOfEmptyQuota((name) => response.headers.get(name), options.now()),
    );
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped' };
    if (time.aborted) {
      return {
        kind: 'failure',
        sentence: `The AI service didn’t answer within ${Number((options.msMax / 1000).toFixed(1))} seconds.`,
      };
    }
    return readFailure(error, address, manner, options.now());
  }
}

/**
 * The client of a service. Everything that its library would take from the environment of the process, repeat or log
 * is set or turned off. The library is loaded at the first request: processes without a service never load it.
 */
async function openClient(address: AiAddress, signal: AbortSignal): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  const post = createGuardedPost({ allowedOrigins: address.allowedOrigins, hosts: [] });
  return new OpenAI({
    apiKey: 'none',
    adminAPIKey: null,
    webhookSecret: null,
    baseURL: address.baseUrl,
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: fetchThrough(post, address.key, signal),
  });
}

/**
 * The guarded POST in the form of fetch. Of the library's headers none is sent: it adds those of OPENAI_CUSTOM_HEADERS,
 * and some about this machine.
 */
function fetchThrough(post: GuardedPost, key: string | null, signal: AbortSignal): typeof fetch {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  return async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const url = input instanceof Request ? input.url : String(input);
    const reply = await post(url, { headers, body }, { bytesMax: answerBytesMax, signal });
    const received = Object.entries(reply.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const hasBody = ![204, 205, 304].includes(reply.status);
    return new Response(hasBody ? new Uint8Array(reply.body) : null, {
      status: reply.status,
      headers: received,
    });
  };
}

/** The body of a request. */
export const bodyOf = (
  request: AiRequest,
  { manner, tokensMax, model }: { manner: Manner; tokensMax: number; model: string },
) => ({
  model,
  messages: messagesOf(request, manner),
  [manner.tokenParameter]: tokensMax,
  ...formatOf(request, manner),
  stream: false as const,
});

function messagesOf(request: AiRequest, { structure }: Manner) {
  const inWords = structure === 'schema' ? '' : schemaInWords(request);
  return [
    { role: 'system' as const, content: request.system + inWords },
    { role: 'user' as const, content: request.user },
  ];
}

function formatOf({ schema }: AiRequest, { structure }: Manner) {
  if (structure === 'text') return {};
  if (structure === 'object') return { response_format: { type: 'json_object' as const } };
  const named = { name: schemaName, strict: true, schema: schema as Record<string, unknown> };
  return { response_format: { type: 'json_schema' as const, json_schema: named } };
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
