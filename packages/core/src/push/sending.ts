import { sql } from 'kysely';
import { timeFromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { findRow, hasRows, queryRows } from '../connection/query-rows.ts';
import type { ChunkRecord, RunKind, WriteKind } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { holderJoin } from '../work/claim-chunk.ts';
import { claimKeys, endKeyClaims, isSenderDead, type KeyClaims } from './key-claims.ts';

/** A claim of a chunk, identified by the chunk's number of claims and the connection's backend. */
export type ChunkClaim = Pick<ChunkRecord, 'id' | 'claims' | 'claim_pid'>;

/** A chunk of a running import, or a call outside of any chunk, which must end within `leaseMs`. */
export type Sender = { chunk: ChunkClaim } | { leaseMs: number };

type Product = { shop: string; ourId: string };

/**
 * `at`: start of the write. `elsewhere`: another sender has the product, or its listing has changed since `version`.
 * `claimed`: another product holds a key. `stopped`: the chunk has lost its claim, or its import is not running.
 */
export type BeginSendingResult = { is: 'begun'; at: Date } | { is: 'elsewhere' | 'claimed' | 'stopped' };

export type StoreWrite = {
  payload: object;
  payloadHash: string;
  source: object | null;
  kind: WriteKind | 'undo';
  /** Null if the write creates the product. */
  before: object | null;
  /** Values that drift is measured against after the write, instead of the product's own values. */
  kept?: object | null;
  /** Start of the write that is repeated. The caller sets it, because idempotency keys contain it. */
  begunAt?: Date | null;
  version: string | null;
  /** Keys to claim, so that no other product with one of these keys is sent at the same time. */
  claims: KeyClaims;
};

/**
 * Sets a listing to `sending` before the call. Stores the payload and the product before the write, because both are
 * unknown after a lost response. Refuses while another sender has the listing; takeOverSending replaces a dead sender.
 * Also claims the keys and checks the chunk's claim and the import's status. Locks the chunk until the commit.
 */
export async function beginSending(
  db: Db,
  sender: Sender,
  write: Product & StoreWrite,
): Promise<BeginSendingResult> {
  const { shop, ourId, source, before, kept, version, claims } = write;
  const row = await findRow<{ allowed: boolean; at: Date | null; claimed: number }>(db)`${prepared}
    with allowed as (${mayBegin(sender)}), begun as (
      insert into listings (shop, our_id, sending, sending_hash, sending_source, sending_kind, sending_before, sending_kept,
        sending_at, sending_chunk, sending_until)
      select ${shop}, ${ourId}, ${storableJson(write.payload)}::json, ${write.payloadHash},
        ${source && storableJson(source)}::json, ${write.kind}, ${before && storableJson(before)}::json,
        ${kept ? storableJson(kept) : null}::json, coalesce(${write.begunAt ?? null}::timestamptz, clock_timestamp()),
        ${chunkId(sender)}::bigint, ${lease(sender)}
      from allowed
      on conflict (shop, our_id) do update set sending = excluded.sending, sending_hash = excluded.sending_hash,
        sending_source = excluded.sending_source, sending_kind = excluded.sending_kind,
        sending_before = excluded.sending_before, sending_kept = excluded.sending_kept, sending_at = excluded.sending_at,
        sending_chunk = excluded.sending_chunk, sending_until = excluded.sending_until
      where listings.xmin::text = ${version} and (listings.sending is null or listings.sending_chunk = excluded.sending_chunk)
      returning (select import_id from allowed), sending_chunk as chunk, sending_until as until, sending_at
    ), claimed as (${claimKeys(shop, ourId, claims)})
    select exists (select 1 from allowed) as allowed, (select sending_at from begun) as at,
      (select count(*)::int from claimed) as claimed`;
  if (!row?.allowed) return { is: 'stopped' };
  const { at } = row;
  if (at === null) return { is: 'elsewhere' };
  if (row.claimed === claims.keys.length) return { is: 'begun', at };
  await endSending(db, sender, { shop, ourId });
  return { is: 'claimed' };
}

/**
 * Renews a sender's claims of keys, so that others wait for its next call (`claimKeys`). Returns false if the sender
 * has lost the product. Ignores the import's status: a begun write is completed. Locks keys in the order of claims.
 */
export async function renewSending(db: Db, sender: Sender, { shop, ourId }: Product): Promise<boolean> {
  const rows = await queryRows<unknown>(db)`
    with own as (
      select from listings
      where shop = ${shop} and our_id = ${ourId} and sending is not null
        and sending_chunk is not distinct from ${chunkId(sender)}::bigint and ${holdsClaim(sender)}
    ), held as (
      select kind, value from key_claims
      where shop = ${shop} and our_id = ${ourId} and ended_at is null and exists (select from own)
      order by kind, value for update
    ), renewed as (
      update key_claims set claimed_at = clock_timestamp() from held
      where shop = ${shop} and key_claims.kind = held.kind and key_claims.value = held.value
    )
    select from own`;
  return rows.length > 0;
}

function mayBegin(sender: Sender) {
  if (!('chunk' in sender)) return sql`select null::uuid as import_id`;
  const { id, claims, claim_pid } = sender.chunk;
  return sql`
    select chunks.import_id from chunks join imports on imports.id = chunks.import_id
    where chunks.id = ${id} and chunks.claims = ${claims} and chunks.claim_pid = ${claim_pid}
      and chunks.state = 'published' and imports.status = 'uploading' and chunks.run = imports.push_run
      and exists (select 1 from pg_stat_get_activity(chunks.claim_pid) as holder
        where holder.backend_start = chunks.claim_backend_start)
    for share of chunks`;
}

/** SQL condition: the sender's claim still holds its chunk, and the claim's connection is open. True for a call. */
const holdsClaim = (sender: Sender) =>
  'chunk' in sender
    ? sql`exists (
        select from chunks join pg_stat_get_activity(chunks.claim_pid) as holder
          on holder.backend_start = chunks.claim_backend_start
        where chunks.id = ${sender.chunk.id} and chunks.claims = ${sender.chunk.claims}
          and chunks.claim_pid = ${sender.chunk.claim_pid})`
    : sql`true`;

const chunkId = (sender: Sender) => ('chunk' in sender ? sender.chunk.id : null);
const lease = (sender: Sender) => ('chunk' in sender ? sql`null::timestamptz` : timeFromNow(sender.leaseMs));

/**
 * Takes over a listing that was found `sending` at `version`. Returns true if this chunk is the listing's sender, or
 * if the sender is dead: a chunk without a worker, or a call past its lease. Returns false while another sender lives,
 * even if that sender's chunk was dropped or republished. Also returns false if this chunk has lost its claim, because
 * it could overwrite the sender of a later run.
 */
export const takeOverSending = (
  db: Db,
  sender: Sender,
  { shop, ourId, version }: Product & { version?: string },
) =>
  hasRows(db)`
    update listings set sending_chunk = ${chunkId(sender)}, sending_until = ${lease(sender)}
    where shop = ${shop} and our_id = ${ourId} and sending is not null
      and (${version ?? null}::text is null or xmin::text = ${version ?? null}) and ${holdsClaim(sender)}
      and (sending_chunk = ${chunkId(sender)}::bigint
        or ${isSenderDead(sql.ref('listings.sending_chunk'), sql.ref('listings.sending_until'))})
    returning our_id`;

type SendingRun = { importId: string; run: number; kind: RunKind | null };

/** Finds the run of a sending chunk. Null for a call outside of any chunk, for a task, and for a removed chunk. */
export async function findSendingRun(db: Db, chunk: number | null): Promise<SendingRun | null> {
  if (chunk === null) return null;
  const found = await findRow<SendingRun>(db)`
    select import_id as "importId", run, runs.kind from chunks join runs using (import_id, stage, run)
    where chunks.id = ${chunk} and stage = 'push' and chunks.kind = 'work'`;
  return found ?? null;
}

/** Ends the sending of a payload that the store lacks. No effect if another sender or claim now has the listing. */
export async function endSending(db: Db, sender: Sender, { shop, ourId }: Product): Promise<void> {
  const claim = 'chunk' in sender ? sender.chunk : null;
  const isHeld = claim
    ? sql<boolean>`exists (select 1 from chunks where id = ${claim.id} and claims = ${claim.claims})`
    : sql<boolean>`true`;
  const isOver = await hasRows(db)`
    update listings set ${sendingReset} where shop = ${shop} and our_id = ${ourId}
      and sending_chunk is not distinct from ${claim?.id ?? null}::bigint and ${isHeld} returning our_id`;
  if (isOver) await endKeyClaims(db, shop, [ourId]);
}

/** Like endSending, for products whose sender has been checked in the caller's transaction. */
export async function endSendingOfProducts(db: Db, shop: string, ourIds: readonly string[]): Promise<void> {
  if (ourIds.length === 0) return;
  await sql`
    update listings set ${sendingReset} where shop = ${shop} and our_id = any(${ourIds}::text[])`.execute(db);
  await endKeyClaims(db, shop, ourIds);
}

/** SQL assignments that end the sending of a listing. */
export const sendingReset = sql`
  sending = null, sending_hash = null, sending_source = null, sending_kind = null, sending_before = null,
  sending_kept = null, sending_at = null, sending_chunk = null, sending_until = null`;

/** Returns whether a worker may still send an import's products, because it holds a push chunk, even a dropped one. */
export const hasHeldPushChunk = (db: Db, importId: string) =>
  hasRows(db)`
    select 1 from chunks ${holderJoin}
    where chunks.import_id = ${importId} and chunks.stage = 'push' and chunks.kind = 'work'
    limit 1`;

/**
 * Returns the claims that still hold their chunks, and locks these chunks against other claims until the commit. A
 * process may have an earlier claim of a chunk and the current one at the same time.
 */
export async function lockClaims<Claim extends ChunkClaim>(
  db: Db,
  claims: readonly Claim[],
): Promise<Set<Claim>> {
  const rows = await queryRows<ChunkClaim>(db)`
    select chunks.id, chunks.claims, chunks.claim_pid from chunks
    join ${unnestRows('given', claims, { id: 'bigint', claims: 'int', claim_pid: 'int' })}
      on given.id = chunks.id and given.claims = chunks.claims and given.claim_pid = chunks.claim_pid
    order by chunks.id for share of chunks`;
  const nameOf = ({ id, claims: nth, claim_pid: pid }: ChunkClaim) => `${id} ${nth} ${pid}`;
  const held = new Set(rows.map(nameOf));
  return new Set(claims.filter((claim) => held.has(nameOf(claim))));
}

/** Maximum number of products per import. A process sends at most 160 products at once. */
const leftBehindMax = 500;

/** Lists products whose write by an import's push has no result yet. `run`: null if a task has taken over the write. */
export const listUnfinishedWrites = (db: Db, importId: string, shop: string) =>
  queryRows<{ ourId: string; run: number | null }>(db)`
    select listings.our_id as "ourId", case when chunks.kind = 'work' then chunks.run end as run
    from listings join chunks on chunks.id = listings.sending_chunk
    where listings.sending_chunk is not null and listings.sending is not null and listings.shop = ${shop}
      and chunks.import_id = ${importId} and chunks.stage = 'push'
    order by listings.our_id limit ${leftBehindMax}`;
