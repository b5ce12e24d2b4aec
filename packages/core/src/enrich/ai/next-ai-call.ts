import { randomBytes } from 'node:crypto';
import { countOf } from '@draftshelf/domain/base/format';
import type { AskableField } from '@draftshelf/domain/enrich/ai/answer';
import { sumAnswerTokens } from '@draftshelf/domain/enrich/ai/asked-fields';
import {
  type AiLimits,
  isImportLimit,
  isSizeLimit,
  type TokenCounts,
  tokensToReserve,
} from '@draftshelf/domain/enrich/ai/limits';
import {
  type AiRequest,
  answerJsonSchema,
  buildSystemMessage,
  buildUserMessage,
  countRequestBytes,
} from '@draftshelf/domain/enrich/ai/prompt';
import type { RequestFormat } from '@draftshelf/domain/enrich/ai/reply';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { AiAskRecord, AiImportRecord, AiServiceRecord, ChunkRecord } from '../../connection/schema.ts';
import type { TaskPartHandler, TaskProgress } from '../../work/tasks.ts';
import { changeAsks, countAsks, insertAsks, lockDueAsks, readNextAskWait, reclaimAsks } from './ai-asks.ts';
import { type AiUseCounts, countAiUse, findReachedLimit, insertAiCall } from './ai-calls.ts';
import { changeAiImport, endAsking, readAiImport } from './ai-imports.ts';
import { applyAiAnswers } from './apply-ai-answers.ts';
import { type AiTarget, buildAsk, filterCurrentAsks, openCandidates, rowsPerPage } from './collect-asks.ts';
import { type AskedService, endAskingTask, endTaskIfAiOff } from './end-asking-task.ts';
import { findRequestFormat, lockAiService, readAiPause } from './service.ts';

/** An admitted call. `ids` maps each id in the request to a product: the offset of its first row, and its hash. */
export type AiCall = {
  id: number;
  importId: string;
  ids: ReadonlyMap<string, { byteFrom: number; hash: Buffer }>;
  request: AiRequest;
  tokensMax: number;
  msMax: number;
  /** The service for which the call was admitted, and the version of ai_service at that time. */
  target: AiTarget;
  version: number;
  manner: RequestFormat;
};

type Database = Parameters<TaskPartHandler>[0];

/** Products are queued until at least this many wait, which is enough to fill a request. */
const wantedMin = 50;

/** Returns the next call of the task 'ask-ai', admitted and counted, or the task's progress if no call is possible. */
export async function admitNextAiCall(
  db: Database,
  chunk: ChunkRecord,
  asked: AskedService,
): Promise<TaskProgress | { call: AiCall }> {
  const { import_id: importId } = chunk;
  if (await endTaskIfAiOff(db, chunk, asked)) return 'done';
  const applied = await db.transaction().execute((trx) => applyAiAnswers(trx, importId, asked));
  if (applied > 0) return 'more';
  if (await collectMore(db, importId, asked)) return 'more';
  return db.transaction().execute(async (trx) => {
    const service = await lockAiService(trx);
    await reclaimAsks(trx, service.timeout_ms);
    const asking = await readAiImport(trx, importId);
    if (asking?.state !== 'asking') return endAskingTask(trx, chunk, null);
    // The service was changed or has failed since this part began. The next part starts with the new state.
    if (service.version !== asked.version || service.trouble !== null) return 'more';
    const pause = await readAiPause(trx);
    if (pause !== null) return pause;
    const asks = await lockDueAsks(trx, importId, asking.batch);
    if (asks.length === 0) return endOrWait(trx, chunk);
    const current = await filterCurrentAsks(trx, asks, { target: asked, service });
    // The products with a new hash may have stored answers, which the next part applies.
    if (current.length < asks.length) return 'more';
    return admit(trx, chunk, { service, asking, asks, asked });
  });
}

/** Queues products of the next rows and returns true, or returns false if enough are queued or no rows are left. */
async function collectMore(db: Database, importId: string, target: AskedService): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const service = await lockAiService(trx);
    const asking = await readAiImport(trx, importId);
    if (asking?.state !== 'asking' || asking.collect_after === null) return false;
    const { wanted } = await countAsks(trx, importId);
    if (wanted >= wantedMin || service.version !== target.version) return false;
    const fields = asking.fields as AskableField[];
    const { page } = await openCandidates(trx, { import_id: importId, run: asking.run });
    const { candidates, last } = await page(asking.collect_after, rowsPerPage);
    const asks = candidates.flatMap((one) => buildAsk(one, fields, target, service) ?? []);
    await insertAsks(trx, importId, asks);
    await changeAiImport(trx, importId, { collect_after: last });
    return true;
  });
}

/** Ends the task if everything was asked. Otherwise waits for a retry or for the call of another import. */
async function endOrWait(trx: Db, chunk: ChunkRecord): Promise<TaskProgress> {
  const { import_id: importId } = chunk;
  const next = await readNextAskWait(trx, importId);
  const { asking } = await countAsks(trx, importId);
  if (!next && asking === 0) {
    await endAsking(trx, importId, null);
    return endAskingTask(trx, chunk, null);
  }
  const waitMs = Math.max(1_000, next?.ms ?? 2_000);
  const again =
    next && next.ms > 0 && next.error !== null ? `${next.error} The request is repeated soon.` : null;
  return { waitFor: again ?? 'Some products wait for the answers of other calls.', waitMs };
}

type Admitting = {
  service: AiServiceRecord;
  asking: AiImportRecord;
  asks: AiAskRecord[];
  asked: AskedService;
};

async function admit(
  trx: Db,
  chunk: ChunkRecord,
  { service, asking, asks, asked }: Admitting,
): Promise<TaskProgress | { call: AiCall }> {
  const { import_id: importId } = chunk;
  const use = await countAiUse(trx, importId);
  for (let size = asks.length; size > 0; size = Math.floor(size / 2)) {
    const some = asks.slice(0, size);
    const made = requestAbout(some, asking, service);
    const reserved = tokensToReserve(countRequestBytes(made.request), made.tokensMax);
    const limit = findReachedLimit(service, use, reserved);
    if (limit === null) {
      const id = await insertAiCall(trx, service, { importId, products: size, reserved });
      const sent = { state: 'asking', call: id, asked_at: sql<Date>`clock_timestamp()` } as const;
      await changeAsks(trx, importId, some, sent);
      const target = { baseUrl: asked.baseUrl, model: asked.model };
      const { timeout_ms: msMax, version } = service;
      const manner = findRequestFormat(target, service);
      return { call: { id, importId, ...made, msMax, target, version, manner } };
    }
    if (size === 1 || !isSizeLimit(limit)) return overLimit(trx, chunk, service, { limit, use, reserved });
  }
  throw new Error('No product to ask about');
}

function requestAbout(
  asks: readonly AiAskRecord[],
  { types, vendors }: AiImportRecord,
  service: AiServiceRecord,
) {
  const nonce = randomBytes(3).toString('hex');
  const named = asks.map((ask, at) => ({ ...ask, id: `${nonce}-${at + 1}` }));
  const products = named.map(({ id, fields, sent }) => ({ id, asked: fields, product: sent ?? {} }));
  const ids = new Map(named.map(({ id, byte_from: byteFrom, hash }) => [id, { byteFrom, hash }]));
  const request = {
    system: buildSystemMessage(service),
    user: buildUserMessage(products, { types, vendors }),
    schema: answerJsonSchema,
  };
  return { ids, request, tokensMax: sumAnswerTokens(asks.map(({ fields }) => fields)) };
}

/** Ends the asking if the reached limit is the import's own, or if one request alone exceeds a limit. Else waits. */
async function overLimit(
  trx: Db,
  chunk: ChunkRecord,
  service: AiServiceRecord,
  { limit, use, reserved }: { limit: keyof AiLimits; use: AiUseCounts; reserved: TokenCounts },
): Promise<TaskProgress> {
  const isAbove = findReachedLimit(service, {}, reserved) !== null;
  const sentence = limitSentence(limit, service, isAbove);
  if (isAbove || isImportLimit(limit)) {
    const { wanted } = await countAsks(trx, chunk.import_id);
    const left = `${countOf(wanted, 'product wasn’t', 'products weren’t')} asked about.`;
    return endAskingTask(trx, chunk, `${sentence} ${left}`);
  }
  const waits: Partial<Record<keyof AiLimits, number>> = {
    requestsPerMinute: use.minuteFreeInMs,
    parallel: 1_000,
  };
  // The daily limit frees up gradually, so the wait is at most 15 minutes.
  const waitMs = Math.max(1_000, waits[limit] ?? Math.min(use.dayFreeInMs, 15 * 60_000));
  return { waitFor: sentence, waitMs };
}

/** `isAbove`: a single request may exceed the limit. */
function limitSentence(limit: keyof AiLimits, service: AiServiceRecord, isAbove: boolean): string {
  const money = (value: number | null) => `${service.currency ?? ''} ${value ?? 0}`.trim();
  const perDay = (amount: string) =>
    isAbove
      ? `One request could exceed the limit of ${amount} per day. Raise the limit in Settings.`
      : `The limit of ${amount} per day is reached. Asking continues later.`;
  const sentences: Record<keyof AiLimits, string> = {
    importRequests: `The limit of ${countOf(service.import_requests, 'request')} for an import is reached.`,
    importTokens: `The limit of ${countOf(service.import_tokens, 'token')} for an import is reached.`,
    importCost: `The limit of ${money(service.import_cost)} for an import is reached.`,
    tokensPerDay: perDay(countOf(service.tokens_per_day, 'token')),
    costPerDay: perDay(money(service.cost_per_day)),
    requestsPerMinute: `The limit of ${countOf(service.requests_per_minute, 'request')} per minute is reached.`,
    parallel: 'Other calls to the AI service come first.',
  };
  return sentences[limit];
}
