import { sql } from 'kysely';
import { fromNow } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { ChunkRecord, RunKind, WriteKind } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import { type Claims, claimKeys, endClaims, isDead } from './key-claims.ts';

/** A claim of a chunk: the count of claims, and the backend of the connection that holds the claim. */
export type ClaimHolder = Pick<ChunkRecord, 'id' | 'claims' | 'claim_pid'>;

/**
 * Who sends a product: a chunk of a running import, or a call outside of any chunk, which must end within `leaseMs`.
 */
export type Sender = { chunk: ClaimHolder } | { leaseMs: number };

type Product = { shop: string; ourId: string };

/**
 * `at`: when the write was begun. `elsewhere`: another sender has it, or the listing changed since `version`.
 * `claimed`: another product has one of its keys. `stopped`: the chunk is fenced, or its import does not run.
 */
export type BeginSending = { is: 'begun'; at: Date } | { is: 'elsewhere' | 'claimed' | 'stopped' };

/** A write of a product. */
export type Write = {
  payload: object;
  payloadHash: string;
  /** Values that the payload was built from. */
  source: object | null;
  kind: WriteKind | 'undo';
  /** The product as it was read before the write; null if the write creates it. */
  before: object | null;
  /** Fields of the product that drift is measured against after the write, instead of those it has then. */
  kept?: object | null;
  /** When it was begun, if the caller repeats it: it is part of idempotency keys. */
  begunAt?: Date | null;
  /** Version of the listing that the write was decided by; null without a listing. */
  version: string | null;
  /** What no other product may be sent with at the same time. */
  claims: Claims;
};

/**
 * Sets a listing to `sending` with the payload, before the call. Only one sender sends a product at a time;
 * takeOverSending takes over what a dead one left behind. A chunk's claim and the status of its import are checked in
 * the same statement, and the chunk stays locked until it is committed, so nobody can claim it in between. Keys are
 * claimed in it as well. The product before the write is kept with it: after a lost response it cannot be read any
 * more.
 */
export async function beginSending(
  db: Db,
  sender: Sender,
  {
    shop,
    ourId,
    payload,
    payloadHash,
    source,
    kind,
    before,
    kept,
    begunAt,
    version,
    claims,
  }: Product & Write,
): Promise<BeginSending> {
  const { rows } = await sql<{ allowed: boolean; at: Date | null; claimed: number }>`
    with allowed as (${mayBegin(sender)}), begun as (
      insert into listings (shop, our_id, sending, sending_hash, sending_source, sending_kind, sending_before, sending_kept,
        sending_at, sending_chunk, sending_until)
      select ${shop}, ${ourId}, ${storableJson(payload)}::json, ${payloadHash}, ${source && storableJson(source)}::json,
        ${kind}, ${before && storableJson(before)}::json, ${kept ? storableJson(kept) : null}::json, coalesce(${begunAt ?? null}::timestamptz, clock_timestamp()), ${chunkId(sender)}::bigint, ${lease(sender)}
      from allowed
      on conflict (shop, our_id) do update set sending = excluded.sending, sending_hash = excluded.sending_hash,
        sending_source = excluded.sending_source, sending_kind = excluded.sending_kind,
        sending_before = excluded.sending_before, sending_kept = excluded.sending_kept, sending_at = excluded.sending_at,
        sending_chunk = excluded.sending_chunk, sending_until = excluded.sending_until
      where listings.xmin::text = ${version} and (listings.sending is null or listings.sending_chunk = excluded.sending_chunk)
      returning (select import_id from allowed), sending_chunk as chunk, sending_until as until, sending_at
    ), claimed as (${claimKeys(shop, ourId, claims)})
    select exists (select 1 from allowed) as allowed, (select sending_at from begun) as at,
      (select count(*)::int from claimed) as claimed`.execute(db);
  const [row] = rows;
  if (!row?.allowed) return { is: 'stopped' };
  const { at } = row;
  if (at === null) return { is: 'elsewhere' };
  if (row.claimed === claims.keys.length) return { is: 'begun', at };
  await endSending(db, sender, { shop, ourId });
  return { is: 'claimed' };
}

/**
 * Renews the claims of a product whose sender still has it, so that others wait for its next call (`claimKeys`).
 * Returns false if it has lost the product. The status of the import does not count: what has begun is completed. Keys
 * are locked in the order in which they are claimed.
 */
export async function renewSending(db: Db, sender: Sender, { shop, ourId }: Product): Promise<boolean> {
  const isHeld =
    'chunk' in sender
      ? sql`exists (
          select from chunks join pg_stat_get_activity(chunks.claim_pid) as holder
            on holder.backend_start = chunks.claim_backend_start
          where chunks.id = ${sender.chunk.id} and chunks.claims = ${sender.chunk.claims}
            and chunks.claim_pid = ${sender.chunk.claim_pid})`
      : sql`true`;
  const { rows } = await sql`
    with own as (
      select from listings
      where shop = ${shop} and our_id = ${ourId} and sending is not null
        and sending_chunk is not distinct from ${chunkId(sender)}::bigint and ${isHeld}
    ), held as (
      select kind, value from key_claims
      where shop = ${shop} and our_id = ${ourId} and ended_at is null and exists (select from own)
      order by kind, value for update
    ), renewed as (
      update key_claims set claimed_at = clock_timestamp() from held
      where shop = ${shop} and key_claims.kind = held.kind and key_claims.value = held.value
    )
    select from own`.execute(db);
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

const chunkId = (sender: Sender) => ('chunk' in sender ? sender.chunk.id : null);
const lease = (sender: Sender) => ('chunk' in sender ? sql`null::timestamptz` : fromNow(sender.leaseMs));

/**
 * Takes over a listing found `sending`. Returns true when this chunk is its sender, or when the sender is dead: a chunk
 * without a worker, or a call whose lease has ended. Returns false while another sender is alive, even if its chunk was
 * dropped or published again in the meantime. `version`: of the listing that was found; false too if it has changed.
 */
export async function takeOverSending(
  db: Db,
  sender: Sender,
  { shop, ourId, version }: Product & { version?: string },
): Promise<boolean> {
  const { rows } = await sql`
    update listings set sending_chunk = ${chunkId(sender)}, sending_until = ${lease(sender)}
    where shop = ${shop} and our_id = ${ourId} and sending is not null
      and (${version ?? null}::text is null or xmin::text = ${version ?? null})
      and (sending_chunk = ${chunkId(sender)}::bigint
        or ${isDead(sql.ref('listings.sending_chunk'), sql.ref('listings.sending_until'))})
    returning our_id`.execute(db);
  return rows.length > 0;
}

type SendingRun = { importId: string; run: number; kind: RunKind | null };

/** The run of a chunk that sends a product; null for a call outside of any chunk, a task, or a removed chunk. */
export async function findSendingRun(db: Db, chunk: number | null): Promise<SendingRun | null> {
  if (chunk === null) return null;
  const found = await db
    .selectFrom('chunks')
    .innerJoin('runs', (join) =>
      join
        .onRef('runs.import_id', '=', 'chunks.import_id')
        .onRef('runs.stage', '=', 'chunks.stage')
        .onRef('runs.run', '=', 'chunks.run'),
    )
    .select(['runs.import_id as importId', 'runs.run', 'runs.kind'])
    .where('chunks.id', '=', chunk)
    .where('chunks.stage', '=', 'push')
    .where('chunks.kind', '=', 'work')
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Records that a product is not being sent any more, and that the store does not have the payload. Does nothing when
 * another sender has begun since, also another claim of the same chunk.
 */
export async function endSending(db: Db, sender: Sender, { shop, ourId }: Product): Promise<void> {
  const claim = 'chunk' in sender ? sender.chunk : null;
  const isHeld = claim
    ? sql<boolean>`exists (select 1 from chunks where id = ${claim.id} and claims = ${claim.claims})`
    : sql<boolean>`true`;
  const { numUpdatedRows } = await db
    .updateTable('listings')
    .set(notSending)
    .where('shop', '=', shop)
    .where('our_id', '=', ourId)
    .where('sending_chunk', 'is not distinct from', claim?.id ?? null)
    .where(isHeld)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await endClaims(db, shop, [ourId]);
}

/** Like endSending, for products whose sender the caller's transaction has checked. */
export async function endSendingOf(db: Db, shop: string, ourIds: readonly string[]): Promise<void> {
  if (ourIds.length === 0) return;
  await db
    .updateTable('listings')
    .set(notSending)
    .where('shop', '=', shop)
    .where('our_id', 'in', ourIds)
    .execute();
  await endClaims(db, shop, ourIds);
}

/** The columns of a listing whose product is not being sent. */
export const notSending = {
  sending: null,
  sending_hash: null,
  sending_source: null,
  sending_kind: null,
  sending_before: null,
  sending_kept: null,
  sending_at: null,
  sending_chunk: null,
  sending_until: null,
};

/**
 * Whether a worker may still be sending products of an import: it holds a claim of one of its push chunks. Such a chunk
 * may be in any state, since those of a cancelled import are dropped during their calls.
 */
export async function hasHeldPush(db: Db, importId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from chunks join pg_stat_activity holder
      on holder.pid = chunks.claim_pid and holder.backend_start = chunks.claim_backend_start
    where chunks.import_id = ${importId} and chunks.stage = 'push' and chunks.kind = 'work' limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * The ids of the chunks that are still held by these claims. Locks the chunks until this transaction ends, so that no
 * other worker claims one in between.
 */
export async function lockClaims(db: Db, claims: readonly ClaimHolder[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select chunks.id from chunks
    join ${unnestRows('given', claims, { id: 'bigint', claims: 'int', claim_pid: 'int' })}
      on given.id = chunks.id and given.claims = chunks.claims and given.claim_pid = chunks.claim_pid
    order by chunks.id for share of chunks`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** Of an import, so many at a time: a process sends at most 160 products at once. */
const leftBehindMax = 500;

/** A product that a push of an import was sending, and that run; `run` null: a task has taken it over since. */
type LeftBehind = { ourId: string; run: number | null };

/** Products of a shop whose write by a push of an import has no result. */
export async function listLeftBehind(db: Db, importId: string, shop: string): Promise<LeftBehind[]> {
  const { rows } = await sql<LeftBehind>`
    select listings.our_id as "ourId", case when chunks.kind = 'work' then chunks.run end as run
    from listings join chunks on chunks.id = listings.sending_chunk
    where listings.sending_chunk is not null and listings.sending is not null and listings.shop = ${shop}
      and chunks.import_id = ${importId} and chunks.stage = 'push'
    order by listings.our_id limit ${leftBehindMax}`.execute(db);
  return rows;
}
