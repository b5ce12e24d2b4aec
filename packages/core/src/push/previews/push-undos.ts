import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { findRow, queryRows, queryValue } from '../../connection/query-rows.ts';
import type { GoneRecord, PushUndoRecord } from '../../connection/schema.ts';
import { pushedStateDays } from '../pushed-states.ts';

/** SQL condition: a state of a push run that was not undone. */
const ofPush = ({ importId, pushRun }: { importId: string; pushRun: number }) =>
  sql<boolean>`state.import_id = ${importId} and state.run = ${pushRun} and state.undone_at is null`;

export type UndoablePush = { run: number; shop: string; writtenAt: Date };

/** Finds the push run to undo: `run`, or the last one with states. One look-up per run: an import has few. */
export const findUndoablePush = (db: Db, importId: string, run?: number) =>
  findRow<UndoablePush>(db)`
    select runs.run, written.shop, written.written_at as "writtenAt"
    from runs cross join lateral (
      select state.shop, state.written_at from pushed_states state
      where state.import_id = runs.import_id and state.run = runs.run and state.undone_at is null
      order by state.id limit 1) written
    where runs.import_id = ${importId} and runs.stage = 'push' and (${run ?? null}::int is null or runs.run = ${run ?? null})
    order by runs.run desc limit 1`;

/** SQL condition: an undo went through a push run's products and changed some. False once that undo is removed. */
export const wasUndone = (push: {
  importId: RawBuilder<unknown>;
  run: RawBuilder<unknown>;
}) => sql<boolean>`exists (
  select 1 from previews undo where undo.import_id = ${push.importId} and undo.undoes_run = ${push.run}
    and undo.ended_at is not null
    and undo.total = (select sum(done.products::int) from json_each_text(undo.results) done (key, products))
  ) and exists (
  select 1 from pushed_states undone where undone.import_id = ${push.importId} and undone.run = ${push.run}
    and undone.undone_at is not null)`;

export async function readPushStart(db: Db, importId: string, run: number): Promise<Date | undefined> {
  const found = await db
    .selectFrom('runs')
    .select('started_at')
    .where((eb) => eb.and({ import_id: importId, stage: 'push', run }))
    .executeTakeFirst();
  return found?.started_at;
}

/** Returns when the states that an undo needs are removed. */
export const undoableUntil = ({ writtenAt }: UndoablePush): Date =>
  new Date(writtenAt.getTime() + pushedStateDays * 86_400_000);

/** Counts the products that a push run has written: at most a second for a million. */
export const countUndoable = (db: Db, push: { importId: string; pushRun: number }) =>
  queryValue<number>(db)`
    select count(distinct our_id)::int as products from pushed_states state
    where ${ofPush(push)}`;

/** Reads a run's products, newest write first. `position`: the state of a product's first write. */
export const pageUndoable = (
  db: Db,
  push: { importId: string; pushRun: number },
  { position, limit }: { position: number | null; limit: number },
) =>
  queryRows<{ ourId: string; position: number }>(db)`
    select state.our_id as "ourId", state.id as position from pushed_states state
    where ${ofPush(push)} and (${position}::bigint is null or state.id < ${position}) and not exists (
      select 1 from pushed_states earlier
      where earlier.shop = state.shop and earlier.our_id = state.our_id and earlier.id < state.id
        and earlier.import_id = state.import_id and earlier.run = state.run and earlier.undone_at is null)
    order by state.id desc limit ${limit}`;

/** Reads the preview that a push run carries out. Throws if there is none. */
export const readCarriedOut = (db: Db, importId: string, run: number) =>
  db
    .selectFrom('previews')
    .selectAll()
    .where('import_id', '=', importId)
    .where('kind', 'in', ['undo', 'gone'])
    .where('run', '=', run)
    .$castTo<PushUndoRecord | GoneRecord>()
    .executeTakeFirstOrThrow();
