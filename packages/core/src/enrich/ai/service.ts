import type { AiPrices } from '@draftshelf/domain/enrich/ai/limits';
import { firstRequestFormat, type RequestFormat } from '@draftshelf/domain/enrich/ai/reply';
import { aiSource } from '@draftshelf/domain/enrich/sources';
import { sql, type UpdateObject } from 'kysely';
import { readCredential } from '../../access/credentials.ts';
import type { SealingKeys } from '../../access/sealing.ts';
import { timeFromNow } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import { hasRows, queryRow } from '../../connection/query-rows.ts';
import type { AiServiceRecord, Schema } from '../../connection/schema.ts';
import { removeSourceProposals } from '../../review/proposals/proposals.ts';
import { aiService, countFailure, isCountedWithin, lockService, pauseCalls } from '../admission.ts';
import { lockSourcesShared } from '../sources.ts';
import type { AiTarget } from './collect-asks.ts';

/** The name under which the AI service's key is stored. */
export const aiKeyName = 'ai';

/** Reads the settings, limits and state of the AI service. */
export function readAiService(db: Db): Promise<AiServiceRecord> {
  return db.selectFrom('ai_service').selectAll().executeTakeFirstOrThrow();
}

/** Locks and returns the service, for the admission or the end of a call. */
export async function lockAiService(db: Db): Promise<AiServiceRecord> {
  const service = await lockService<AiServiceRecord>(db, aiService);
  if (!service) throw new Error('The table ai_service has no row');
  return service;
}

export type AiServiceChanges = Omit<UpdateObject<Schema, 'ai_service'>, 'singleton' | 'changed_at'>;

export async function changeAiService(db: Db, changes: AiServiceChanges): Promise<void> {
  await db
    .updateTable('ai_service')
    .set({ ...changes, changed_at: sql`clock_timestamp()` })
    .execute();
}

/** Raises the version, so that a reply to a running call counts as a reply of an earlier service. */
export const serviceVersionChange: AiServiceChanges = { version: sql<number>`version + 1` };

/** Clears `trouble`, pauses and the request format (manner), because a new address or model is a different service. */
export const newServiceChanges: AiServiceChanges = {
  ...{ structure: null, token_parameter: null, manner_of: null, malformed: 0 },
  ...{ blocked_until: null, blocked_because: null, trouble: null, failures: 0 },
  ...serviceVersionChange,
};

/** Returns the prices of the service, or null if a price is unknown. */
export const toAiPrices = ({ price_in, price_out }: AiServiceRecord): AiPrices =>
  price_in === null || price_out === null ? null : { in: price_in, out: price_out };

/** Pauses requests to the AI service for `ms`, unless a longer pause is stored. */
export const pauseAiService = (db: Db, ms: number, because: 'quota' | 'failure'): Promise<void> =>
  pauseCalls(db, aiService, timeFromNow(ms), because);

/** Counts a failed call. Several failures in a row pause the service. */
export const countAiFailure = (db: Db): Promise<void> => countFailure(db, aiService);

export const dayMs = 24 * 60 * 60 * 1000;

/** `cost` is null if no call has a known price. */
type CountedCalls = { requests: number; tokens: number; cost: number | null };

/** SQL columns over ai_calls and ai_service. Calls without a stored cost are priced with the current prices. */
export const aiUseColumns = sql`count(*)::int as requests,
  coalesce(sum(coalesce(used_in, reserved_in)::bigint + coalesce(used_out, reserved_out)), 0)::bigint as tokens,
  sum(coalesce(cost, (coalesce(used_in, reserved_in) * price_in
    + coalesce(used_out, reserved_out) * price_out) / 1000000)) as cost`;

/** Reads the requests, tokens and cost of the last 24 hours, counted as admissions count them. */
export const readAiUseToday = (db: Db) =>
  queryRow<CountedCalls>(db)`
    select ${aiUseColumns} from ai_calls cross join ai_service where ${isCountedWithin(dayMs)}`;

/** `isAtMost`: the figures are upper bounds, because a call without token counts is included with its reservation. */
export const readAiUseOfImport = (db: Db, importId: string | null) =>
  queryRow<CountedCalls & { isAtMost: boolean }>(db)`
    select ${aiUseColumns}, coalesce(bool_or(used_in is null), false) as "isAtMost"
    from ai_calls cross join ai_service where import_id = ${importId}`;

/** Returns the remaining pause and a sentence with its cause, or null if the service may be asked. */
export async function readAiPause(db: Db): Promise<{ waitFor: string; waitMs: number } | null> {
  const { ms, isFailure } = await queryRow<{ ms: number | null; isFailure: boolean | null }>(db)`
    select (extract(epoch from blocked_until - clock_timestamp()) * 1000)::float8 as ms,
      blocked_because = 'failure' as "isFailure" from ai_service`;
  if (ms === null || ms <= 0) return null;
  const waitFor = isFailure
    ? 'The AI service doesn’t answer. It’s asked again later.'
    : 'The AI service takes no more requests for a while.';
  return { waitFor, waitMs: Math.ceil(ms) };
}

/** Joins the address and the model of a service, as stored in `manner_of` and `target`. */
export const toServiceName = ({ baseUrl, model }: AiTarget): string => `${baseUrl} ${model}`;

/** Returns the stored request format (manner) of a service, or the format to try first. */
export function findRequestFormat(target: AiTarget, stored: AiServiceRecord): RequestFormat {
  if (stored.manner_of !== toServiceName(target)) return firstRequestFormat;
  return {
    structure: stored.structure ?? firstRequestFormat.structure,
    tokenParameter: stored.token_parameter ?? firstRequestFormat.tokenParameter,
  };
}

export const mannerChanges = (target: AiTarget, manner: RequestFormat): AiServiceChanges => ({
  structure: manner.structure,
  token_parameter: manner.tokenParameter,
  ...{ manner_of: toServiceName(target), malformed: 0 },
});

type SavedKey = { key: string; origin: string };

/** Returns functions that read the saved settings of the AI service, in the form that the ai package expects. */
export function createSavedAiReader(db: Db, keys: SealingKeys | null) {
  return {
    address: async (): Promise<{ baseUrl: string | null; model: string | null }> => {
      const { base_url: baseUrl, model } = await readAiService(db);
      return { baseUrl, model };
    },
    key: async (): Promise<SavedKey | null> => {
      const saved = await readCredential(db, keys, aiKeyName);
      return (saved?.value ?? null) as SavedKey | null;
    },
    hasRealStore: () => hasRows(db)`select 1 from outside_access where real_store`,
  };
}

export const simulatedAiName = 'Simulated AI service';

/** Removes the open proposals of the simulated AI service. Call it when a real store or a real service is set. */
export async function forgetSimulatedAi(db: Db): Promise<void> {
  // Sources are always locked before open proposals are removed. Another order could deadlock.
  await lockSourcesShared(db);
  // Waits until running transactions have added their proposals. Later transactions see the new version.
  await changeAiService(db, serviceVersionChange);
  await removeSourceProposals(db, [aiSource], simulatedAiName);
}
