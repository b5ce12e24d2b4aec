import type { AiService } from '@draftshelf/ai/current-service';
import * as contract from '@draftshelf/contract/enrich/ai';
import { removeCredentials } from '@draftshelf/core/access/credentials';
import { type Db, readInSnapshot } from '@draftshelf/core/connection/database';
import type { AiServiceRecord, ImportRecord } from '@draftshelf/core/connection/schema';
import { countAsks } from '@draftshelf/core/enrich/ai/ai-asks';
import { toAiLimits } from '@draftshelf/core/enrich/ai/ai-calls';
import { findAskingRefusal, readAiImport, readAiSwitches } from '@draftshelf/core/enrich/ai/ai-imports';
import { beginAsking, stopAsking } from '@draftshelf/core/enrich/ai/begin-asking';
import { type AiEstimate, createEstimateCache } from '@draftshelf/core/enrich/ai/estimate-asking';
import * as records from '@draftshelf/core/enrich/ai/service';
import { listTasks } from '@draftshelf/core/work/tasks';
import { type AskableField, askableFields } from '@draftshelf/domain/enrich/ai/answer';
import { aiSwitchSentence } from '@draftshelf/domain/enrich/ai/privacy-text';
import { runChange } from '../http/databases.ts';
import { conflict, notFound } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { findImportOr404 } from '../imports/read-jobs.ts';
import { serveImport } from '../imports/serve-import.ts';
import { type AiDeps, saveAiService, setByServerMessage, testCurrentAi } from './ai-service.ts';

const detail = 'AI service';

export function serveAi(api: Api, deps: AiDeps): void {
  const { db, changes } = api;
  const estimates = createEstimateCache();
  serve(api, contract.readAi, () => readState(db, deps));
  serve(api, contract.saveAi, async ({ body, logSecurity }) => {
    const saved = await saveAiService(deps, body);
    const kind = body.key === undefined ? 'settings-changed' : 'credentials-saved';
    if (saved.ok) logSecurity(kind, { detail });
    return saved;
  });
  serve(api, contract.removeAiKey, async ({ logSecurity }) => {
    await changes.db.transaction().execute(async (trx) => {
      if (!(await removeCredentials(trx, records.aiKeyName))) throw notFound('No key is saved.');
    });
    logSecurity('credentials-removed', { detail });
    return { success: true as const, message: 'Key of the AI service removed.' };
  });
  serve(api, contract.testAi, () => testCurrentAi(deps));
  serveImport(api, contract.readAiOfImport, async ({ record, query }) => {
    const service = await deps.ai.find();
    const estimate = await estimates.read(db, record, query.fields ?? askableFields);
    return readInSnapshot(db, async (trx) =>
      readOfImport(trx, await findImportOr404(trx, record.id), { service, estimate }),
    );
  });
  serveImport(api, contract.askAi, async ({ record: { id }, body, reply }) => {
    const target = await deps.ai.find();
    if (target === null) throw conflict(aiSwitchSentence(false));
    const scope = body.scope === 'rows' ? { kind: body.scope, rows: body.rows } : { kind: body.scope };
    const { products, estimate } = await runChange(api, (trx) =>
      beginAsking(trx, id, { scope, fields: body.fields, target }),
    );
    reply.code(202);
    return { products, estimate };
  });
  serveImport(api, contract.stopAi, async ({ record }) => {
    await changes.db.transaction().execute((trx) => stopAsking(trx, record.id, 'Stopped.'));
    return { success: true as const, message: 'Asking AI was stopped.' };
  });
}

async function readState(db: Db, deps: AiDeps): Promise<contract.AiState> {
  const service = await deps.ai.find();
  const stored = await records.readAiService(db);
  const { price_in, price_out, currency, language, tone } = stored;
  const isPriced = price_in !== null && price_out !== null;
  const key =
    service?.source === 'saved' ? await records.createSavedAiReader(db, deps.sealingKeys).key() : null;
  return {
    configured: service !== null,
    source: service?.source ?? 'none',
    baseUrl: service?.baseUrl ?? null,
    host: service === null ? null : new URL(service.baseUrl).host,
    model: service?.model ?? null,
    structure: stored.structure,
    simulated: service?.source === 'simulated',
    keySaved: key !== null,
    lockedBecause: service?.source === 'environment' ? setByServerMessage : null,
    limits: toAiLimits(stored),
    prices: isPriced ? { in: price_in, out: price_out, currency: currency ?? '' } : null,
    ...{ language, tone },
    today: await records.readAiUseToday(db),
    ...(await stateOf(db, service, stored)),
  };
}

async function stateOf(
  db: Db,
  service: AiService | null,
  { trouble }: AiServiceRecord,
): Promise<Pick<contract.AiState, 'state' | 'sentence'>> {
  if (service === null) return { state: 'off', sentence: aiSwitchSentence(false) };
  if (trouble !== null) return { state: 'trouble', sentence: trouble };
  const pause = await records.readAiPause(db);
  if (pause !== null) return { state: 'waiting', sentence: pause.waitFor };
  return { state: 'ok', sentence: aiSwitchSentence(true) };
}

async function readOfImport(
  db: Db,
  record: ImportRecord,
  { service, estimate }: { service: AiService | null; estimate: AiEstimate },
): Promise<contract.ImportAiState> {
  const asking = await readAiImport(db, record.id);
  const counts = await countAsks(db, record.id);
  const use = await records.readAiUseOfImport(db, record.id);
  const stored = await records.readAiService(db);
  const { importRequests, importTokens, importCost } = toAiLimits(stored);
  const refused = { malformed: 0, facts: 0, length: 0, html: 0, other: 0, ...asking?.refused };
  const products = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isCollecting = asking?.state === 'asking' && asking.collect_after !== null;
  return {
    ...(await importState(db, record, service !== null, asking)),
    service: service && {
      host: new URL(service.baseUrl).host,
      model: service.model,
      simulated: service.source === 'simulated',
    },
    fields: (asking?.fields ?? []) as AskableField[],
    expected: isCollecting ? Math.max(products, estimate.products) : products,
    products,
    answered: counts.answered,
    failed: counts.failed + counts.refused,
    proposals: asking?.proposals ?? 0,
    refused,
    ...use,
    estimate,
    currency: records.toAiPrices(stored) === null ? null : stored.currency,
    limits: { importRequests, importTokens, importCost },
  };
}

async function importState(
  db: Db,
  record: ImportRecord,
  isSet: boolean,
  asking: Awaited<ReturnType<typeof readAiImport>>,
): Promise<Pick<contract.ImportAiState, 'state' | 'reason' | 'isInSettings'>> {
  const switches = await readAiSwitches(db, record.id);
  const isInSettings = !isSet || switches?.setting === false;
  if (!isSet) return { state: 'off', reason: aiSwitchSentence(false), isInSettings };
  const off = switches ? findAskingRefusal({ ...switches, trouble: null }) : null;
  if (off !== null) return { state: 'off', reason: off, isInSettings };
  if (asking?.state === 'asking' && switches?.asks) {
    const tasks = await listTasks(db, record.id);
    const waits = tasks.find(({ task }) => task === 'ask-ai')?.waiting_for ?? null;
    return { state: waits === null ? 'asking' : 'waiting', reason: waits, isInSettings };
  }
  if (asking?.state === 'stopped') return { state: 'stopped', reason: asking.reason, isInSettings };
  return { state: asking?.state === 'done' ? 'done' : 'ready', reason: null, isInSettings };
}
