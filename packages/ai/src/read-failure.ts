import { FetchFailed, FetchRefused } from '@draftshelf/runtime/guarded-fetch';
import type { AiAddress, AiReply } from './reply.ts';
import { type Manner, simplerThan } from './structure.ts';
import { type ReadHeader, waitMsOf } from './wait-header.ts';

/** Texts with which services say that their credit is used up, often with the status of a full quota. */
const unpaid = /insufficient_quota|insufficient[_ ]balance|billing|credit balance/i;
const tooLong = /context_length_exceeded|context length|maximum context|too many tokens|too large/i;
/** Longer replies quote the request. */
const reasonCharsMax = 2_000;

export function readError(error: unknown): AiReply {
  if (error instanceof FetchRefused) {
    return { kind: 'trouble', sentence: `The address of the AI service can’t be used. ${error.message}` };
  }
  if (error instanceof FetchFailed) {
    return { kind: 'failure', sentence: `The AI service doesn’t answer. ${error.message}` };
  }
  throw error;
}

const trouble = (sentence: string): AiReply => ({ kind: 'trouble', sentence });

type Failed = { status: number; header: ReadHeader; text: string };

/** Interprets a reply without success. Its text, which names the reason, is never logged or shown. */
export function readStatus(
  { status, header, text: whole }: Failed,
  { model }: AiAddress,
  manner: Manner,
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
  if (status === 429) return { kind: 'quota', waitMs: waitMsOf(header, now) };
  if (status === 413 || (status === 400 && tooLong.test(text))) return { kind: 'cut', usage: null };
  if (status === 400 || status === 422) {
    const other = otherManner(text, manner);
    if (other) return { kind: 'manner', manner: other };
  }
  return { kind: 'failure', sentence: `The AI service answered with status ${status}.` };
}

/** The manner to try after a service has refused one and named the cause; null: nothing known was named. */
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
