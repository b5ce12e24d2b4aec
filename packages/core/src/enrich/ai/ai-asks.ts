import type {
  AskableField,
  DropCause,
  ProductAnswer,
  SentProduct,
} from '@draftshelf/domain/enrich/ai/answer';
import { sql, type UpdateObject } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { changeRows, findRow, queryRow, queryRows } from '../../connection/query-rows.ts';
import type { AiAskRecord, Schema } from '../../connection/schema.ts';
import { storableJson } from '../../connection/storable-json.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { isCallLost, workerStoppedError } from '../admission.ts';

export type NewAsk = {
  byteFrom: number;
  row: number;
  fields: AskableField[];
  sent: SentProduct;
  hash: Buffer;
};

/** Queues new, changed, failed and outdated asks, one per product. Returns their number. Leaves running asks alone. */
export async function insertAsks(db: Db, importId: string, asks: readonly NewAsk[]): Promise<number> {
  if (asks.length === 0) return 0;
  const rows = asks.map(({ sent, ...ask }) => ({ ...ask, sent: storableJson(sent) }));
  const columns = { byteFrom: 'bigint', row: 'int', fields: 'text[]', sent: 'text', hash: 'bytea' } as const;
  return changeRows(db)`
    insert into ai_asks (import_id, byte_from, row, fields, sent, hash)
    select ${importId}, byte_from, row, fields, sent::json, hash from ${unnestRows('given', rows, columns)}
    on conflict (import_id, byte_from) do update set row = excluded.row, fields = excluded.fields,
      sent = excluded.sent, hash = excluded.hash, state = 'wanted', not_before = null, error = null, attempts = 0,
      refusals = 0, call = null, outdated = false
    where ai_asks.state = 'failed' or ai_asks.state = 'answered' and ai_asks.outdated
      or ai_asks.state <> 'asking' and ai_asks.hash <> excluded.hash`;
}

export type AskCounts = { wanted: number; asking: number; answered: number; refused: number; failed: number };

export const countAsks = (db: Db, importId: string) =>
  queryRow<AskCounts>(db)`
    select ${sql.join(
      (['wanted', 'asking', 'answered', 'refused', 'failed'] as const).map(
        (state) => sql`count(*) filter (where state = ${state})::int as ${sql.ref(state)}`,
      ),
    )} from ai_asks where import_id = ${importId}`;

/** A queued product with the stored answer to its request. */
export type AnsweredAsk = AiAskRecord & { answer: ProductAnswer };

/** Locks the next queued products with stored answers, and updates the time of last use of these answers. */
export const lockAnsweredAsks = (db: Db, importId: string, max: number) =>
  queryRows<AnsweredAsk>(db)`
    with next as (
      select ai_asks.*, ai_answers.answer from ai_asks join ai_answers using (hash)
      where import_id = ${importId} and state = 'wanted' order by row limit ${max} for update of ai_asks
    ), used as (
      update ai_answers set used_at = clock_timestamp() where hash in (select hash from next)
    )
    select * from next order by row`;

/** Locks the next due products. Of products with equal content, in all imports, only one is asked about at a time. */
export const lockDueAsks = (db: Db, importId: string, max: number) =>
  queryRows<AiAskRecord>(db)`
    select * from ai_asks
    where import_id = ${importId} and state = 'wanted'
      and (not_before is null or not_before <= clock_timestamp())
      and not exists (select 1 from ai_asks other where other.hash = ai_asks.hash and other.state = 'asking')
      and not exists (select 1 from ai_asks earlier
        where earlier.import_id = ai_asks.import_id and earlier.hash = ai_asks.hash and earlier.state = 'wanted'
          and earlier.row < ai_asks.row)
    order by row limit ${max} for update skip locked`;

/** `ms`: milliseconds until the first queued product is due. `error`: the reason why that product was queued again. */
export type NextAskWait = { ms: number; error: string | null };

/** Reads when the next queued product is due. Returns undefined if no product is queued. */
export const readNextAskWait = (db: Db, importId: string) =>
  findRow<NextAskWait>(db)`
    select greatest(0, extract(epoch from not_before - clock_timestamp()) * 1000)::float8 as ms, error
    from ai_asks where import_id = ${importId} and state = 'wanted'
    order by not_before nulls first limit 1`;

export async function changeAsks(
  db: Db,
  importId: string,
  asks: readonly AiAskRecord[],
  changes: UpdateObject<Schema, 'ai_asks'>,
): Promise<void> {
  const offsets = asks.map(({ byte_from }) => byte_from);
  await db
    .updateTable('ai_asks')
    .set(changes)
    .where((eb) => eb.and({ import_id: importId, byte_from: sql<number>`any(${offsets}::bigint[])` }))
    .execute();
}

/** Requeues a call's products, due in `waitMs`. For offsets in `counted`, adds 1 to the column that `counts` names. */
export async function requeueAsks(
  db: Db,
  call: number,
  options: {
    counts: 'attempts' | 'refusals';
    counted: readonly number[];
    waitMs: number;
    error: string | null;
  },
): Promise<void> {
  const { counts, counted, waitMs, error } = options;
  const more = sql`(byte_from = any(${counted}::bigint[]))::int`;
  await sql`
    update ai_asks set state = 'wanted', call = null, error = ${error},
      ${sql.ref(counts)} = ${sql.ref(counts)} + ${more},
      not_before = clock_timestamp() + ${waitMs} * interval '1 millisecond'
    where call = ${call} and state = 'asking'`.execute(db);
}

const attemptsMax = 5;
const refusalsMax = 2;

/** Gives up queued products with too many attempts or refusals. Returns a cause for each product set to `refused`. */
export async function giveUpAsks(db: Db, importId: string): Promise<DropCause[]> {
  const rows = await queryRows<{ state: string }>(db)`
    update ai_asks set sent = null, state = case when refusals >= ${refusalsMax} then 'refused' else 'failed' end
    where import_id = ${importId} and state = 'wanted'
      and (attempts >= ${attemptsMax} or refusals >= ${refusalsMax})
    returning state`;
  return rows.flatMap(({ state }) => (state === 'refused' ? 'malformed' : []));
}

/** Deletes an import's asks in the given states. Calls made for these asks stay counted. */
export async function removeAsks(db: Db, importId: string, states: ('wanted' | 'asking')[]): Promise<void> {
  await sql`delete from ai_asks where import_id = ${importId} and state = any(${states}::text[])`.execute(db);
}

/** Requeues products whose worker was killed, and ends the calls of that worker as lost. Lost calls stay counted. */
export async function reclaimAsks(db: Db, answerMsMax: number): Promise<void> {
  await sql`
    with lost as (
      select import_id, byte_from, call from ai_asks
      where ${isCallLost(answerMsMax)} for update
    ), queued as (
      update ai_asks set state = 'wanted', call = null, attempts = attempts + 1,
        error = ${workerStoppedError}
      from lost where ai_asks.import_id = lost.import_id and ai_asks.byte_from = lost.byte_from
    )
    update ai_calls set outcome = 'lost', ended_at = clock_timestamp()
    where ended_at is null and id in (select call from lost)`.execute(db);
}

export async function saveAnswers(
  db: Db,
  answers: readonly { hash: Buffer; answer: ProductAnswer }[],
): Promise<void> {
  if (answers.length === 0) return;
  const rows = answers.map(({ hash, answer }) => ({ hash, answer: storableJson(answer) }));
  await sql`
    insert into ai_answers (hash, answer)
    select hash, answer::json from ${unnestRows('given', rows, { hash: 'bytea', answer: 'text' })}
    on conflict (hash) do update set answer = excluded.answer`.execute(db);
}
