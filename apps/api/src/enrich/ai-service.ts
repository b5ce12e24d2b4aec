import {
  type AiService,
  type AiServiceEnv,
  type AiServiceFinder,
  findAddressRefusal,
} from '@draftshelf/ai/current-service';
import {
  type ServiceTestResult,
  type TestCallCounter,
  testRequest,
  testService,
  testTokensMax,
} from '@draftshelf/ai/test-service';
import type { saveAi } from '@draftshelf/contract/enrich/ai';
import type { BodyOf } from '@draftshelf/contract/route';
import { removeCredentials, saveCredential } from '@draftshelf/core/access/credentials';
import type { Db } from '@draftshelf/core/connection/database';
import type { AiServiceRecord } from '@draftshelf/core/connection/schema';
import { countAiUse, endAiCall, findReachedLimit, insertAiCall } from '@draftshelf/core/enrich/ai/ai-calls';
import * as records from '@draftshelf/core/enrich/ai/service';
import { wakeTasks } from '@draftshelf/core/work/tasks';
import { tokensToReserve } from '@draftshelf/domain/enrich/ai/limits';
import { countRequestBytes } from '@draftshelf/domain/enrich/ai/prompt';
import { usageOf } from '@draftshelf/domain/enrich/ai/reply';
import { type CredentialsDeps, cannotSealMessage } from '../access/store-credentials.ts';
import type { ApiDatabases } from '../http/databases.ts';
import { conflict } from '../http/refusal.ts';

export type AiDeps = ApiDatabases &
  Pick<CredentialsDeps, 'sealingKeys'> & {
    ai: AiServiceFinder;
    aiEnv: Pick<AiServiceEnv, 'FETCH_ALLOW' | 'FETCH_PUBLIC'>;
  };

export const setByServerMessage =
  'The server’s environment sets the AI service. Change AI_BASE_URL, AI_MODEL and AI_API_KEY there.';

type Entered = BodyOf<typeof saveAi>;
type Saved = { ok: boolean; message: string };

/** Saves the AI service, after a test of a new address, model or key. Throws a Refusal if the test or a check fails. */
export async function saveAiService(deps: AiDeps, entered: Entered): Promise<Saved> {
  const { changes } = deps;
  const isAnother = [entered.baseUrl, entered.model, entered.key].some((one) => one !== undefined);
  const stored = await records.readAiService(changes.db);
  requirePrices(stored, entered);
  if (!isAnother) {
    await changes.db.transaction().execute((trx) => applyEntered(trx, entered));
    return { ok: true, message: 'Settings of the AI service saved.' };
  }
  if ((await deps.ai.find())?.source === 'environment') throw conflict(setByServerMessage);
  const baseUrl = (entered.baseUrl ?? stored.base_url ?? '').replace(/\/+$/, '');
  const model = entered.model ?? stored.model;
  if (baseUrl === '' || model === null) throw conflict('Enter an address and a model.');
  const refusal = findAddressRefusal(baseUrl, deps.aiEnv);
  if (refusal !== null) return { ok: false, message: refusal };
  return testAndSave(deps, { baseUrl, model, entered });
}

/** Throws a Refusal if costs would be limited but no prices are set. */
function requirePrices(stored: AiServiceRecord, { limits, prices }: Entered): void {
  const isLimited = (limits?.costPerDay ?? null) !== null || (limits?.importCost ?? null) !== null;
  const isPriced = prices === undefined ? records.toAiPrices(stored) !== null : prices !== null;
  if (isLimited && !isPriced) throw conflict('Enter the prices too, so that costs can be calculated.');
}

type NewService = { baseUrl: string; model: string; entered: Entered };

async function testAndSave(deps: AiDeps, { baseUrl, model, entered }: NewService): Promise<Saved> {
  const { changes, sealingKeys } = deps;
  if (entered.key !== undefined && sealingKeys === null) throw conflict(cannotSealMessage('Keys'));
  const { origin, host } = new URL(baseUrl);
  const saved = await records.createSavedAiReader(changes.db, sealingKeys).key();
  // A saved key belongs to the origin it was entered for and must not be sent to another origin.
  const key = entered.key ?? (saved?.origin === origin ? saved.key : null);
  const address = { baseUrl, model, key, allowedOrigins: deps.aiEnv.FETCH_ALLOW };
  const test = await runTest(changes.db, address);
  if (!test.ok) return { ok: false, message: test.message };
  await changes.db.transaction().execute(async (trx) => {
    if (entered.key !== undefined && sealingKeys !== null) {
      const saving = { value: { key: entered.key, origin }, shop: null, origin: 'operator' as const };
      await saveCredential(trx, sealingKeys, { service: records.aiKeyName, ...saving });
    } else if (saved && saved.origin !== origin) await removeCredentials(trx, records.aiKeyName);
    await records.forgetSimulatedAi(trx);
    const manner = records.mannerChanges(address, test.manner);
    await applyEntered(trx, entered, { ...records.newServiceChanges, base_url: baseUrl, model, ...manner });
  });
  return { ok: true, message: `${host} answers with the model ${model}.` };
}

/** Saves the entered settings. `service` adds the tested address, model and key. */
async function applyEntered(
  trx: Db,
  entered: Entered,
  service: records.AiServiceChanges = {},
): Promise<void> {
  // The lock keeps a concurrent call from removing the prices while this call sets a cost limit.
  requirePrices(await records.lockAiService(trx), entered);
  await applyChanges(trx, { ...service, ...toChanges(entered) });
}

async function applyChanges(trx: Db, changes: records.AiServiceChanges): Promise<void> {
  if (Object.keys(changes).length > 0) await records.changeAiService(trx, changes);
  await wakeTasks(trx, ['ask-ai']);
}

function toChanges({ limits = {}, prices, language, tone }: Entered): records.AiServiceChanges {
  const all: records.AiServiceChanges = {
    ...{ requests_per_minute: limits.requestsPerMinute, tokens_per_day: limits.tokensPerDay },
    ...{ cost_per_day: limits.costPerDay, import_requests: limits.importRequests },
    ...{ import_tokens: limits.importTokens, import_cost: limits.importCost, parallel: limits.parallel },
    ...(prices === undefined ? {} : pricesToChange(prices)),
    ...{ language: emptyToNull(language), tone: emptyToNull(tone) },
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

const emptyToNull = (text: string | null | undefined) => (text === '' ? null : text);

/** Converts prices to columns. Without prices, costs are unknown, so the cost limits are removed too. */
const pricesToChange = (
  prices: { in: number; out: number; currency: string } | null,
): records.AiServiceChanges =>
  prices === null
    ? { price_in: null, price_out: null, currency: null, cost_per_day: null, import_cost: null }
    : { price_in: prices.in, price_out: prices.out, currency: prices.currency };

/** Tests the saved service. If the test succeeds, clears stored trouble and saves the form of requests that worked. */
export async function testCurrentAi(deps: AiDeps): Promise<{ success: boolean; message: string }> {
  const service = await deps.ai.find();
  if (service === null) throw conflict('No AI service is set up.');
  const test = await runTest(deps.changes.db, service);
  if (!test.ok) return { success: false, message: test.message };
  await deps.changes.db
    .transaction()
    .execute((trx) =>
      applyChanges(trx, { ...records.newServiceChanges, ...records.mannerChanges(service, test.manner) }),
    );
  return {
    success: true,
    message: `${new URL(service.baseUrl).host} answers with the model ${service.model}.`,
  };
}

type Database = ApiDatabases['changes']['db'];

function runTest(db: Database, address: Omit<AiService, 'source'>): Promise<ServiceTestResult> {
  const options = { signal: new AbortController().signal, now: Date.now };
  return testService(address, countCall(db), options);
}

/** Counts each request of a test like any other call. Throws a Refusal if a limit is reached. */
const countCall =
  (db: Database): TestCallCounter =>
  async (ask) => {
    const id = await db.transaction().execute(async (trx) => {
      const service = await records.lockAiService(trx);
      const reserved = tokensToReserve(countRequestBytes(testRequest), testTokensMax);
      const limit = findReachedLimit(service, await countAiUse(trx, null), reserved);
      if (limit !== null)
        throw conflict('A limit of the AI service is reached. Raise it, or try again later.');
      return insertAiCall(trx, service, { importId: null, products: 0, reserved });
    });
    const reply = await ask();
    await db.transaction().execute(async (trx) => {
      const outcome = reply.kind === 'answer' || reply.kind === 'cut' ? 'ok' : 'failed';
      await endAiCall(trx, await records.lockAiService(trx), id, { outcome, used: usageOf(reply) });
    });
    return reply;
  };
