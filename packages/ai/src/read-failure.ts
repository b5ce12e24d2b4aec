import { FetchFailed, FetchRefused } from '@draftshelf/runtime/guarded-fetch';
import { z } from 'zod';
import type { AiAddress, AiReply } from './reply.ts';
import { type Manner, simplerThan } from './structure.ts';
import { type ReadHeader, waitMsOf } from './wait-header.ts';

/** The part of the library's errors that is read. Their texts, headers and bodies are never logged or shown. */
const Failed = z.object({
  status: z.number(),
  headers: z.instanceof(Headers).optional(),
  code: z.string().nullish(),
  param: z.string().nullish(),
  type: z.string().nullish(),
  error: z.unknown(),
});
type Failed = z.infer<typeof Failed>;

/** Texts with which services say that their credit is used up, often with the status of a full quota. */
const unpaid = /insufficient_quota|insufficient[_ ]balance|billing|credit balance/i;
const tooLong = /context_length_exceeded|context length|maximum context|too many tokens|too large/i;

/** What an error of the library means. */
export function readFailure(error: unknown, address: AiAddress, manner: Manner, now: number): AiReply {
  const cause = causeOf(error);
  if (cause instanceof FetchRefused) {
    return { kind: 'trouble', sentence: `The address of the AI service can’t be used. ${cause.message}` };
  }
  if (cause instanceof FetchFailed) {
    return { kind: 'failure', sentence: `The AI service doesn’t answer. ${cause.message}` };
  }
  const failed = Failed.safeParse(error);
  if (failed.success) return readStatus(failed.data, address, manner, now);
  return { kind: 'failure', sentence: 'The AI service answered in another form than documented.' };
}

function causeOf(error: unknown): unknown {
  let cause = error;
  for (let depth = 0; depth < 4 && cause instanceof Error; depth += 1) {
    if (cause instanceof FetchRefused || cause instanceof FetchFailed) return cause;
    cause = cause.cause;
  }
  return undefined;
}

const trouble = (sentence: string): AiReply => ({ kind: 'trouble', sentence });

function readStatus(failed: Failed, { model }: AiAddress, manner: Manner, now: number): AiReply {
  const { status } = failed;
  const text = wordsOf(failed);
  if (status === 401 || status === 403) return trouble('The AI service refused the key.');
  if (status === 402 || (status === 429 && unpaid.test(text))) {
    return trouble('The credit at the AI service is used up.');
  }
  if (status === 404)
    return trouble(`The model ${model} isn’t known at this address, or the address is wrong.`);
  if (status >= 300 && status < 400)
    return trouble('The AI service redirects to another address. Enter that one.');
  if (status === 429) return { kind: 'quota', waitMs: waitMsOf(readerOf(failed), now) };
  if (status === 413 || (status === 400 && tooLong.test(text))) return { kind: 'cut', usage: null };
  if (status === 400 || status === 422) {
    const other = otherManner(text, manner);
    if (other) return { kind: 'manner', manner: other };
  }
  return { kind: 'failure', sentence: `The AI service answered with status ${status}.` };
}

const readerOf =
  ({ headers }: Failed): ReadHeader =>
  (name) =>
    headers?.get(name) ?? null;

/** The texts of a reply that name its reason. */
function wordsOf({ code, param, type, error }: Failed): string {
  const detail = typeof error === 'string' ? error : JSON.stringify(error ?? '');
  return [code, param, type, detail.slice(0, 2_000)].filter(Boolean).join(' ');
}

/** The manner to try after a service has refused one and named what it does not take; null: it named nothing known. */
function otherManner(text: string, manner: Manner): Manner | null {
  if (manner.tokenParameter === 'max_tokens' && text.includes('max_completion_tokens')) {
    return { ...manner, tokenParameter: 'max_completion_tokens' };
  }
  if (manner.tokenParameter === 'max_completion_tokens' && /\bmax_completion_tokens\b/.test(text)) {
    return { ...manner, tokenParameter: 'max_tokens' };
  }
  const isStructure = /response_format|json_schema|json_object|json schema|structured|grammar|guided/i.test(
    text,
  );
  const structure = isStructure ? simplerThan(manner.structure) : null;
  return structure === null ? null : { ...manner, structure };
}
