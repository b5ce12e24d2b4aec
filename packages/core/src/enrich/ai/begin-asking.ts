import type { AskableField } from '@draftshelf/domain/enrich/ai/answer';
import { toSentText } from '@draftshelf/domain/enrich/ai/sent-text';
import { storeTextCharsMax } from '@draftshelf/domain/review/store-limits';
import type { Db } from '../../connection/database.ts';
import type { AiImportRecord, ImportRecord } from '../../connection/schema.ts';
import { changeImport, lockImport } from '../../imports/imports.ts';
import { listStoreTypes } from '../../push/store/store-products.ts';
import { lockRows } from '../../review/rows-lock.ts';
import { findBlockingReason } from '../../work/blocking.ts';
import { currentRows, hasRunEnded } from '../../work/runs.ts';
import { enqueueTask, hasOpenTask, wakeTasks } from '../../work/tasks.ts';
import { countAsks, insertAsks, removeAsks } from './ai-asks.ts';
import {
  endAsking,
  fileNotReadSentence,
  findAskingRefusal,
  lockAiImport,
  readAiSwitches,
  storeAskingStart,
} from './ai-imports.ts';
import { type AiTarget, type AskCandidate, buildAsk, openCandidates, rowsPerPage } from './collect-asks.ts';
import { abandonAsking } from './end-asking-task.ts';
import {
  type AiEstimate,
  addAiCost,
  estimateAllProducts,
  estimateTokens,
  suggestedValuesMax,
  suggestValues,
} from './estimate-asking.ts';
import { changeAiService, readAiService, toServiceName } from './service.ts';

/** `sample`: a few products, as a test. `rows`: the products of these rows. `all`: all products that lack something. */
export type AskingScope = { kind: 'sample' } | { kind: 'all' } | { kind: 'rows'; rows: readonly number[] };

export type BeginAskingResult =
  | { ok: true; products: number; estimate: AiEstimate }
  | { ok: false; reason: string };

const sampleProducts = 5;

/** Starts asking about products of an import, or continues earlier asking. Call it only if an operator requests it. */
export async function beginAsking(
  db: Db,
  importId: string,
  options: { scope: AskingScope; fields: readonly AskableField[]; target: AiTarget },
): Promise<BeginAskingResult> {
  const { scope, fields, target } = options;
  await lockRows(db, importId);
  const record = await lockImport(db, importId);
  const switches = await readAiSwitches(db, importId);
  const reason = switches && findAskingRefusal({ ...switches, trouble: null });
  if (!record || reason === undefined) return { ok: false, reason: 'This import does not exist any more.' };
  if (reason !== null) return { ok: false, reason };
  const blocked = await findBlockingReason(db, record, 'edit');
  if (blocked !== undefined) return { ok: false, reason: blocked };
  if (!(await hasRunEnded(db, currentRows(record)))) return { ok: false, reason: fileNotReadSentence };
  // Clears `trouble`: the operator may have paid the service's bill, or a missing model may be available now.
  await changeAiService(db, { trouble: null });
  const service = await readAiService(db);
  const before = await continued(db, record, target);
  const candidates = await openCandidates(db, currentRows(record));
  const { candidates: first } = await candidates.page(0, rowsPerPage);
  const chosen = scope.kind === 'rows' ? await candidates.ofRows(scope.rows) : first;
  const asks = chosen.flatMap((one) => buildAsk(one, fields, target, service) ?? []);
  const queued = scope.kind === 'all' ? [] : scope.kind === 'sample' ? spread(asks, sampleProducts) : asks;
  await storeAskingStart(db, importId, {
    ...{ run: record.rows_run, target: toServiceName(target) },
    ...rest(scope, fields, before),
    ...(await suggestedWords(db, first)),
  });
  await insertAsks(db, importId, queued);
  const { wanted } = await countAsks(db, importId);
  const estimate = addAiCost(
    scope.kind === 'all'
      ? estimateAllProducts(first, fields, record, service)
      : estimateTokens(queued.length, chosen, fields, service),
    service,
  );
  if (wanted === 0 && scope.kind !== 'all') {
    await endAsking(db, importId, null);
    return { ok: true, products: 0, estimate };
  }
  await enqueueAsking(db, record);
  await changeImport(db, importId, {});
  return { ok: true, products: estimate.products, estimate };
}

/** Returns the earlier asking if it can continue. Otherwise, deletes its queued products and returns undefined. */
async function continued(
  db: Db,
  record: ImportRecord,
  target: AiTarget,
): Promise<AiImportRecord | undefined> {
  const before = await lockAiImport(db, record.id);
  if (before && before.run !== record.rows_run) {
    await removeAsks(db, record.id, ['wanted', 'asking']);
    return undefined;
  }
  if (before?.state === 'asking' && before.target === toServiceName(target)) return before;
  await removeAsks(db, record.id, ['wanted']);
  return undefined;
}

/** Returns `fields` and `collect_after`: unchanged if `scope` is some products and a request for all is unfinished. */
function rest(scope: AskingScope, fields: readonly AskableField[], before: AiImportRecord | undefined) {
  if (scope.kind !== 'all' && before && before.collect_after !== null) {
    return { fields: before.fields, collect_after: before.collect_after };
  }
  return { fields: [...fields], collect_after: scope.kind === 'all' ? 0 : null };
}

/** Returns suggestions for AI: types (first those of the import, then of the store) and vendors of the import. */
async function suggestedWords(db: Db, first: readonly AskCandidate[]) {
  const { types, vendors } = suggestValues(first);
  const ofStore = (await listStoreTypes(db, suggestedValuesMax)).map((type) =>
    toSentText(type, storeTextCharsMax),
  );
  return { types: [...new Set([...types, ...ofStore])].slice(0, suggestedValuesMax), vendors };
}

async function enqueueAsking(db: Db, record: ImportRecord): Promise<void> {
  if (await hasOpenTask(db, record.id, 'ask-ai')) await wakeTasks(db, ['ask-ai']);
  else await enqueueTask(db, currentRows(record), 'ask-ai');
}

function spread<T>(list: readonly T[], count: number): T[] {
  const step = Math.max(1, list.length / count);
  return Array.from({ length: Math.min(count, list.length) }, (_, at) => list[Math.floor(at * step)] as T);
}

/** Stops asking for an import. No further call is admitted, and running calls are aborted within seconds. */
export async function stopAsking(db: Db, importId: string, reason: string): Promise<void> {
  await lockRows(db, importId);
  await changeImport(db, importId, {});
  await abandonAsking(db, importId, reason);
}
