import {
  type AiLimits,
  type AiUsage,
  costOf,
  findExceededLimit,
  type TokenCounts,
} from '@draftshelf/domain/enrich/ai/limits';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow, queryRow, queryValue } from '../../connection/query-rows.ts';
import type { AiOutcome, AiServiceRecord } from '../../connection/schema.ts';
import { getLatestArrival, getWindowFreeTime, isCountedWithin } from '../admission.ts';
import { aiUseColumns, dayMs, readAiUseOfImport, toAiPrices } from './service.ts';

const windowMs = 60_000;

export type AiUseCounts = AiUsage & { minuteFreeInMs: number; dayFreeInMs: number };

/** Counts the requests, tokens and cost to which the limits apply. Call it after `lockAiService`. */
export async function countAiUse(db: Db, importId: string | null): Promise<AiUseCounts> {
  const freeIn = (ms: number) => sql`extract(epoch from ${getWindowFreeTime(ms)} - clock_timestamp()) * 1000`;
  const all = await queryRow<Record<string, number | null>>(db)`
    select ${aiUseColumns}, count(*) filter (where ${isCountedWithin(windowMs)})::int as minute,
      count(*) filter (where ended_at is null and counts_from > clock_timestamp())::int as running,
      (${freeIn(windowMs)})::float8 as minute_free, (${freeIn(dayMs)})::float8 as day_free
    from ai_calls cross join ai_service where ${isCountedWithin(dayMs)}`;
  const ofImport = await readAiUseOfImport(db, importId);
  return {
    requestsPerMinute: all.minute ?? 0,
    tokensPerDay: all.tokens ?? 0,
    costPerDay: all.cost ?? 0,
    parallel: all.running ?? 0,
    importRequests: ofImport.requests,
    importTokens: ofImport.tokens,
    importCost: ofImport.cost ?? 0,
    minuteFreeInMs: Math.max(0, all.minute_free ?? 0),
    dayFreeInMs: Math.max(0, all.day_free ?? 0),
  };
}

export const toAiLimits = (service: AiServiceRecord): AiLimits => ({
  requestsPerMinute: service.requests_per_minute,
  tokensPerDay: service.tokens_per_day,
  costPerDay: service.cost_per_day,
  importRequests: service.import_requests,
  importTokens: service.import_tokens,
  importCost: service.import_cost,
  parallel: service.parallel,
});

/** Returns the limit that a call with these reserved tokens would exceed, or null if the call may be made. */
export const findReachedLimit = (
  service: AiServiceRecord,
  use: AiUsage,
  reserved: TokenCounts,
): keyof AiLimits | null => findExceededLimit(use, toAiLimits(service), reserved, toAiPrices(service));

/** Counts a call with all its reserved tokens. Call it before the request is sent, after `lockAiService`. */
export async function insertAiCall(
  db: Db,
  service: AiServiceRecord,
  call: { importId: string | null; products: number; reserved: TokenCounts },
): Promise<number> {
  const { importId, products, reserved } = call;
  const cost = costOf(reserved, toAiPrices(service));
  return queryValue<number>(db)`
    insert into ai_calls (import_id, products, reserved_in, reserved_out, cost, counts_from)
    values (${importId}, ${products}, ${reserved.in}, ${reserved.out}, ${cost}, ${getLatestArrival(service.timeout_ms)})
    returning id`;
}

/** Ends an open call. If `used` is null, its reserved tokens count. `isOver`: the call used more than it reserved. */
export async function endAiCall(
  db: Db,
  service: AiServiceRecord,
  id: number,
  { outcome, used }: { outcome: AiOutcome; used: TokenCounts | null },
): Promise<{ isOver: boolean } | undefined> {
  const cost = (used && costOf(used, toAiPrices(service))) ?? sql.ref('cost');
  const ended = await findRow<{ reserved_in: number; reserved_out: number }>(db)`
    update ai_calls set outcome = ${outcome}, used_in = ${used?.in ?? null}, used_out = ${used?.out ?? null},
      cost = ${cost}, ended_at = clock_timestamp(), counts_from = clock_timestamp()
    where id = ${id} and ended_at is null
    returning reserved_in, reserved_out`;
  if (!ended) return undefined;
  return { isOver: used !== null && (used.in > ended.reserved_in || used.out > ended.reserved_out) };
}
