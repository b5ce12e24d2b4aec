import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';

/** A product before one of our writes; `before` is null if the write created it. */
export type StateBefore = {
  ourId: string;
  importId: string | null;
  run: number | null;
  before: object | null;
};

/** Keeps the products as they were before our writes. What they are after them is read later. */
export async function insertStatesBefore(
  db: Db,
  shop: string,
  states: readonly StateBefore[],
): Promise<void> {
  if (states.length === 0) return;
  await db
    .insertInto('pushed_states')
    .values(
      states.map(({ ourId, importId, run, before }) => ({
        shop,
        our_id: ourId,
        import_id: importId,
        run,
        before: before && storableJson(before),
      })),
    )
    .execute();
}

/** Completes the kept states of products with what was read after the write. */
export async function recordStatesAfter(
  db: Db,
  shop: string,
  read: readonly { ourId: string; baseline: object }[],
): Promise<void> {
  if (read.length === 0) return;
  await sql`
    update pushed_states set after = given.after::json
    from unnest(${read.map((one) => one.ourId)}::text[], ${read.map((one) => storableJson(one.baseline))}::text[])
      as given (our_id, after)
    where pushed_states.shop = ${shop} and pushed_states.our_id = given.our_id and pushed_states.after is null`.execute(
    db,
  );
}
