import type { AiPrices } from '@draftshelf/domain/enrich/ai/limits';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { AiServiceRecord, Schema } from '../../connection/schema.ts';
import { type ClockedService, followClock } from './service-clock.ts';

/** The service under which the key is saved. */
export const aiCredential = 'ai';

/** The settings, limits and state of the AI service. */
export function readAiService(db: Db): Promise<AiServiceRecord> {
  return db.selectFrom('ai_service').selectAll().executeTakeFirstOrThrow();
}

/**
 * The same, locked until this transaction ends. Admissions of all workers wait for each other here, so that none of
 * them counts without the calls of the others. Count in a statement of its own after this one: a statement that has
 * waited for a lock still counts by its snapshot from before. Pauses follow a clock that was set back.
 */
export async function lockAiService(db: Db): Promise<AiServiceRecord> {
  const { rows } = await sql<ClockedService>`
    select ai_service.*, (extract(epoch from admitted_at - clock_timestamp()) * 1000)::float8 as ahead_ms
    from ai_service for update`.execute(db);
  const [service] = rows;
  if (!service) throw new Error('The table ai_service has no row');
  return followClock(db, service);
}

export type AiServiceChanges = Omit<UpdateObject<Schema, 'ai_service'>, 'singleton' | 'changed_at'>;

export async function changeAiService(db: Db, changes: AiServiceChanges): Promise<void> {
  await db
    .updateTable('ai_service')
    .set({ ...changes, changed_at: sql`clock_timestamp()` })
    .execute();
}

/** Tells another service from the one that calls under way were admitted for. */
export const nextVersion: AiServiceChanges = { version: sql<number>`version + 1` };

/** Forgets trouble, pauses and what the service was found to take: another address or model is another service. */
export const asNewService: AiServiceChanges = {
  ...{ structure: null, token_parameter: null, manner_of: null, malformed: 0 },
  ...{ blocked_until: null, blocked_because: null, trouble: null, failures: 0 },
  ...nextVersion,
};

/** The prices of the service; null unless both are known. */
export const pricesOf = ({ price_in, price_out }: AiServiceRecord): AiPrices =>
  price_in === null || price_out === null ? null : { in: price_in, out: price_out };

/** No request before this time has passed. */
export async function pauseAiService(db: Db, ms: number, because: 'quota' | 'failure'): Promise<void> {
  await sql`
    update ai_service set blocked_because = ${because}, blocked_until = greatest(
      blocked_until, clock_timestamp() + ${ms} * interval '1 millisecond')`.execute(db);
}

/** Consecutive failures after which calls stop for a while; each further failure doubles the pause. */
const failuresMax = 5;
const breakMs = 30_000;
const breakMsMax = 10 * 60_000;

/**
 * Counts a call without an answer. After the fifth in a row nothing is asked for 30 s, doubling up to 10 minutes, or
 * for the longer time that the service has named.
 */
export async function countAiFailure(db: Db): Promise<void> {
  await sql`
    update ai_service set failures = failures + 1,
      blocked_because = case when failures + 1 >= ${failuresMax} then 'failure' else blocked_because end,
      blocked_until = case when failures + 1 >= ${failuresMax} then
        greatest(blocked_until, clock_timestamp() + least(${breakMsMax}, ${breakMs} * power(2, least(failures + 1 - ${failuresMax}, 10))) * interval '1 millisecond')
        else blocked_until end`.execute(db);
}

/** What was used within a day, as the admission counts it. `cost`: null if no price was known. */
export type AiUseToday = { requests: number; tokens: number; cost: number | null };

export async function readAiUseToday(db: Db): Promise<AiUseToday> {
  const { rows } = await sql<AiUseToday>`
    select count(*)::int as requests, coalesce(sum(${countedTokens}), 0)::bigint as tokens,
      sum(${countedCost}) as cost
    from ai_calls cross join ai_service where counts_from > clock_timestamp() - interval '1 day'`.execute(db);
  return rows[0] ?? { requests: 0, tokens: 0, cost: null };
}

/** SQL: the tokens with which a call counts. */
export const countedTokens = sql`coalesce(used_in, reserved_in)::bigint + coalesce(used_out, reserved_out)`;

/** SQL over ai_calls and ai_service: the cost of a call; of one that was made without prices, by the prices of now. */
export const countedCost = sql`coalesce(cost, (coalesce(used_in, reserved_in) * price_in
  + coalesce(used_out, reserved_out) * price_out) / 1000000)`;

/** Calls, tokens and cost of an import. `isAtMost`: a call without a count of its tokens counts with its limits. */
export type AiUseOfImport = AiUseToday & { isAtMost: boolean };

export async function readAiUseOfImport(db: Db, importId: string): Promise<AiUseOfImport> {
  const { rows } = await sql<AiUseOfImport>`
    select count(*)::int as requests, coalesce(sum(${countedTokens}), 0)::bigint as tokens,
      sum(${countedCost}) as cost, coalesce(bool_or(used_in is null), false) as "isAtMost"
    from ai_calls cross join ai_service where import_id = ${importId}`.execute(db);
  return rows[0] ?? { requests: 0, tokens: 0, cost: null, isAtMost: false };
}

/** Milliseconds until the service may be asked again; null: now. */
export async function readPause(db: Db): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select (extract(epoch from blocked_until - clock_timestamp()) * 1000)::float8 as ms from ai_service`.execute(
    db,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null || ms <= 0 ? null : Math.ceil(ms);
}
