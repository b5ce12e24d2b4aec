import { pricesOf, readAiService } from '@draftshelf/database/ai/service';
import { currentRows } from '@draftshelf/database/chunks/runs';
import type { Db } from '@draftshelf/database/connection/database';
import type { AiServiceRecord, ImportRecord } from '@draftshelf/database/schema';
import type { AskableField } from '@draftshelf/domain/ai/answer';
import { answerTokensMax } from '@draftshelf/domain/ai/asked-fields';
import { costOf, type Tokens } from '@draftshelf/domain/ai/limits';
import { answerJsonSchema, bytesOfRequest, systemMessage, userMessage } from '@draftshelf/domain/ai/prompt';
import { askAbout, type Candidate, openCandidates, rowsPerPage } from './collect-asks.ts';

/** About how much asking takes. `cost`: null without prices. */
export type AiEstimate = { products: number; tokens: number; cost: number | null };

const wordsMax = 100;

/** The types and vendors that the import has: consistent words are worth more than new ones. */
export function wordsOf(candidates: readonly Candidate[]): { types: string[]; vendors: string[] } {
  const mostUsed = (words: (string | undefined)[]) =>
    [
      ...Map.groupBy(
        words.filter((word) => word !== undefined),
        (word) => word,
      ),
    ]
      .sort(([, some], [, others]) => others.length - some.length)
      .slice(0, wordsMax)
      .map(([word]) => word);
  return {
    types: mostUsed(candidates.map(({ sent }) => sent.type)),
    vendors: mostUsed(candidates.map(({ sent }) => sent.vendor)),
  };
}

/** Bytes that a token stands for, about, in the languages of Europe. */
const bytesPerToken = 4;
/** The part of its limit that an answer uses, about. */
const usedOfLimit = 0.35;
const batch = 5;

/** About what asking about `products` takes, judged by some of them. */
export function estimateOf(
  products: number,
  some: readonly Candidate[],
  fields: readonly AskableField[],
  service: AiServiceRecord,
): AiEstimate {
  const sized = some.slice(0, 100).flatMap((one) => {
    const ask = askAbout(one, fields, { baseUrl: '', model: '' }, service);
    return ask ? [ask] : [];
  });
  const lists = wordsOf(some);
  const asked = sized.map(({ fields: its, sent }) => ({ id: 'id123456', asked: its, product: sent }));
  const empty = bytesOfRequest({ ...textsOf(service), user: userMessage([], lists) });
  const full = bytesOfRequest({ ...textsOf(service), user: userMessage(asked, lists) });
  const each = asked.length === 0 ? 0 : (full - empty) / asked.length;
  const out = asked.length === 0 ? 0 : answerTokensMax(asked.map((one) => one.asked)) / asked.length;
  const tokens: Tokens = {
    in: Math.ceil((products * each + Math.ceil(products / batch) * empty) / bytesPerToken),
    out: Math.ceil(products * out * usedOfLimit),
  };
  const prices = pricesOf(service);
  return { products, tokens: tokens.in + tokens.out, cost: prices === null ? null : costOf(tokens, prices) };
}

const textsOf = ({ language, tone }: AiServiceRecord) => ({
  system: systemMessage({ language, tone }),
  schema: answerJsonSchema,
});

/** About what asking about all products takes, judged by the first ones. */
export function estimateAll(
  first: readonly Candidate[],
  fields: readonly AskableField[],
  record: ImportRecord,
  service: AiServiceRecord,
): AiEstimate {
  const target = { baseUrl: '', model: '' };
  const share =
    first.filter((one) => askAbout(one, fields, target, service) !== null).length / (first.length || 1);
  const products = first.length < rowsPerPage ? first.length * share : record.total_products * share;
  return estimateOf(Math.round(products), first, fields, service);
}

/** What asking about all products would take, before anything is asked. */
export async function estimateAsking(
  db: Db,
  record: ImportRecord,
  fields: readonly AskableField[],
): Promise<AiEstimate> {
  const service = await readAiService(db);
  const { candidates } = await (await openCandidates(db, currentRows(record))).page(0, rowsPerPage);
  return estimateAll(candidates, fields, record, service);
}
