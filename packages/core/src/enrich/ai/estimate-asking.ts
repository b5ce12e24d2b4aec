import type { AskableField } from '@draftshelf/domain/enrich/ai/answer';
import { listAskedFields, sumAnswerTokens } from '@draftshelf/domain/enrich/ai/asked-fields';
import { costOf, type TokenCounts } from '@draftshelf/domain/enrich/ai/limits';
import {
  answerJsonSchema,
  buildSystemMessage,
  buildUserMessage,
  countRequestBytes,
} from '@draftshelf/domain/enrich/ai/prompt';
import type { Db } from '../../connection/database.ts';
import type { AiServiceRecord, ImportRecord } from '../../connection/schema.ts';
import { currentRows, hasRunEnded } from '../../work/runs.ts';
import { type AskCandidate, openCandidates, rowsPerPage } from './collect-asks.ts';
import { readAiService, toAiPrices } from './service.ts';

/** `cost` is null if a price is unknown. */
export type AiEstimate = { products: number; tokens: number; cost: number | null };

type AiAmount = { products: number; tokens: TokenCounts };

export const addAiCost = ({ products, tokens }: AiAmount, service: AiServiceRecord): AiEstimate => ({
  ...{ products, tokens: tokens.in + tokens.out },
  cost: costOf(tokens, toAiPrices(service)),
});

/** The maximum number of types, and of vendors, suggested in a request. */
export const suggestedValuesMax = 100;

/** Returns the import's most used types and vendors. Requests suggest them, so that answers match existing products. */
export function suggestValues(candidates: readonly AskCandidate[]): { types: string[]; vendors: string[] } {
  const mostUsed = (words: string[]) =>
    [...Map.groupBy(words, (word) => word)]
      .sort(([, some], [, others]) => others.length - some.length)
      .slice(0, suggestedValuesMax)
      .map(([word]) => word);
  return {
    types: mostUsed(candidates.flatMap(({ sent }) => sent.type ?? [])),
    vendors: mostUsed(candidates.flatMap(({ sent }) => sent.vendor ?? [])),
  };
}

/** An approximate value for European languages. */
const bytesPerToken = 4;
/** The approximate share of the token limit that an answer uses. */
const usedOfLimit = 0.35;
const batch = 5;

/** Estimates the tokens for asking about a number of products, based on some of these products. */
export function estimateTokens(
  products: number,
  some: readonly AskCandidate[],
  fields: readonly AskableField[],
  service: AiServiceRecord,
): AiAmount {
  const asked = some
    .slice(0, 100)
    .map(({ sent }) => ({ id: 'id123456', asked: listAskedFields(sent, fields), product: sent }))
    .filter((one) => one.asked.length > 0);
  const lists = suggestValues(some);
  const empty = countRequestBytes({ ...textsOf(service), user: buildUserMessage([], lists) });
  const full = countRequestBytes({ ...textsOf(service), user: buildUserMessage(asked, lists) });
  const each = asked.length === 0 ? 0 : (full - empty) / asked.length;
  const out = asked.length === 0 ? 0 : sumAnswerTokens(asked.map((one) => one.asked)) / asked.length;
  return {
    products,
    tokens: {
      in: Math.ceil((products * each + Math.ceil(products / batch) * empty) / bytesPerToken),
      out: Math.ceil(products * out * usedOfLimit),
    },
  };
}

const textsOf = ({ language, tone }: AiServiceRecord) => ({
  system: buildSystemMessage({ language, tone }),
  schema: answerJsonSchema,
});

/** Estimates, from an import's first products, how many products and tokens a request for all products takes. */
export function estimateAllProducts(
  first: readonly AskCandidate[],
  fields: readonly AskableField[],
  record: ImportRecord,
  service: AiServiceRecord,
): AiAmount {
  const isAsked = ({ sent }: AskCandidate) => listAskedFields(sent, fields).length > 0;
  const share = first.filter(isAsked).length / (first.length || 1);
  const products = first.length < rowsPerPage ? first.length * share : record.total_products * share;
  return estimateTokens(Math.round(products), first, fields, service);
}

type Kept = { amount: Promise<AiAmount>; atMs: number };

const nothing: AiAmount = { products: 0, tokens: { in: 0, out: 0 } };

/** Milliseconds for which an estimate is kept. An edit of a few products hardly changes the estimate. */
const keptMs = 60_000;
const keptMax = 200;

/** Caches estimates for a minute, because screens poll them every few seconds and each estimate reads 500 rows. */
export function createEstimateCache() {
  const kept = new Map<string, Kept>();
  return {
    async read(db: Db, record: ImportRecord, fields: readonly AskableField[]): Promise<AiEstimate> {
      const service = await readAiService(db);
      if (!(await hasRunEnded(db, currentRows(record)))) return addAiCost(nothing, service);
      const { language, tone } = service;
      const key = JSON.stringify([record.id, record.rows_run, fields, language, tone]);
      const known = kept.get(key);
      if (known && performance.now() - known.atMs < keptMs) return addAiCost(await known.amount, service);
      const first = openCandidates(db, currentRows(record)).then(({ page }) => page(0, rowsPerPage));
      const amount = first.then(({ candidates }) => estimateAllProducts(candidates, fields, record, service));
      kept.delete(key);
      kept.set(key, { amount, atMs: performance.now() });
      for (const oldest of [...kept.keys()].slice(0, -keptMax)) kept.delete(oldest);
      amount.catch(() => kept.delete(key));
      return addAiCost(await amount, service);
    },
  };
}
