import { countOf } from '@draftshelf/domain/base/format';
import { importActions } from '@draftshelf/domain/imports/import-status';
import { heldSentences } from '@draftshelf/domain/push/auto-push';
import { type Kysely, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { prepared } from '../connection/prepared.ts';
import { hasRows, queryRow, queryRows } from '../connection/query-rows.ts';
import type { Schema } from '../connection/schema.ts';
import { moveStatus } from '../imports/imports.ts';
import { holdAutoPush } from '../push/auto-push.ts';
import { beginPlan } from '../push/plan/plan.ts';

/** SQL: fetches joined with imports. Includes only imports that are neither replaced nor compared with a plan yet. */
const open = sql`feed_fetches fetches join imports on imports.id = fetches.import_id
  and fetches.result = 'taken' and not fetches.replaced and fetches.agreed is null`;

const waits = sql<boolean>`(imports.push_run = 0 and imports.status = any(${importActions.review}::text[]))`;

/** SQL condition: no person has edited the import, answered a question about it, or marked it as ready. */
const isUntouched = sql<boolean>`(not exists (
    select from edit_commands where import_id = imports.id and author is not null)
  and not exists (select from supplier_lists where import_id = imports.id and answers::text <> '{}')
  and not exists (select from import_records where id = imports.id and marked_ready))`;

/** SQL condition: a later list of the address has been read completely. */
const hasNewer = sql<boolean>`exists (
  select from feed_fetches newer join imports later on later.id = newer.import_id
  where newer.feed = fetches.feed and newer.id > fetches.id and newer.result = 'taken'
    and later.status in ('queued', 'processed', 'uploading', 'completed')
    and not exists (select from supplier_lists where import_id = later.id and findings -> 'cutOff' is not null))`;

const isToReplace = sql<boolean>`(${waits} and ${hasNewer} and ${isUntouched})`;
const isToPlan = sql<boolean>`(${waits} and not fetches.planned and exists (select from shops))`;
const isToCompare = sql<boolean>`(imports.push_run > 0 and imports.status = 'completed')`;

/** SQL: addresses for which full auto has to end, with the reason. */
const toTakeBack = sql`
  select feeds.id, case when auto_held is null then 'A push was undone.' else auto_held end as because
  from feeds join feed_fetches on feed = feeds.id join imports on imports.id = feed_fetches.import_id
  where runs_itself and feed_fetches.at > itself_at and ((auto_held is not null and auto_held <> ${heldSentences.newer})
    or exists (select from runs where import_id = imports.id and stage = 'push' and kind = 'undo'))`;

/** Whether a list from an address has to be replaced, planned or compared, or full auto has to end for an address. */
export const hasFeedImportsToProcess = (db: Db) =>
  hasRows(db)`${prepared}
    select 1 from ${open} where ${isToReplace} or ${isToPlan} or ${isToCompare}
    union all select 1 from (${toTakeBack}) ended limit 1`;

/** Replaces untouched lists by newer ones, plans new lists, compares pushes with plans. Uses a transaction for each. */
export async function processFeedImports(db: Kysely<Schema>): Promise<void> {
  await db.transaction().execute(takeBack);
  const steps = [
    [isToReplace, replace],
    [isToPlan, plan],
    [isToCompare, compare],
  ] as const;
  for (const [condition, step] of steps) {
    const found = await queryRows<OpenFetch>(db)`
      select fetches.id, import_id as "importId" from ${open} where ${condition} order by fetches.id limit ${atOnceMax}`;
    for (const one of found) await db.transaction().execute((trx) => step(trx, one));
  }
}

const atOnceMax = 20;

type OpenFetch = { id: number; importId: string };

async function plan(trx: Db, { id, importId }: OpenFetch): Promise<void> {
  await beginPlan(trx, importId);
  await sql`update feed_fetches set planned = true where id = ${id}`.execute(trx);
}

/** Ends full auto for the addresses in `toTakeBack`, and holds their waiting imports for a person. */
async function takeBack(trx: Db): Promise<void> {
  const ended = await queryRows<{ id: string }>(trx)`
    update feeds set runs_itself = false, itself_at = clock_timestamp(), itself_ended = because
    from (select distinct on (id) * from (${toTakeBack}) found order by id) ended where feeds.id = ended.id
    returning feeds.id`;
  for (const { id } of ended) {
    const waiting = await queryRows<{ id: string }>(trx)`
      select imports.id from feed_fetches join imports on imports.id = import_id
      where feed = ${id} and auto_mode = 'full-auto' and auto_held is null and push_run = 0
        and status in ('processing', 'paused', 'processed', 'queued')
      order by imports.id for no key update of imports`;
    for (const one of waiting) await holdAutoPush(trx, one.id, heldSentences.notItself);
  }
}

async function replace(trx: Db, { id, importId }: OpenFetch): Promise<void> {
  await sql`select from imports where id = ${importId} for no key update`.execute(trx);
  const isStill = await hasRows(trx)`select 1 from ${open} where fetches.id = ${id} and ${isToReplace}`;
  if (!isStill) return;
  const moved = await moveStatus(trx, importId, {
    from: importActions.review,
    to: 'cancelled',
    event: 'replaced',
    set: { failed_in: null, auto_push_at: null, completed_at: sql`now()` },
  });
  if (moved) await sql`update feed_fetches set replaced = true where id = ${id}`.execute(trx);
}

/** Stores whether a push did what was planned. Differences that only the store caused do not count. */
async function compare(trx: Db, { id, importId }: OpenFetch): Promise<void> {
  const push = await queryRow<ComparedPush>(trx)`
    select compared, coalesce(previews.decided_since, 0)::int as decided, imports.rows_run > 1 as reread,
      (select count(*)::int from edit_commands where import_id = imports.id and author is not null) as edited
    from imports left join previews on previews.import_id = imports.id and kind = 'push' and replaced_at is null
    where imports.id = ${importId}`;
  const sentence = differenceOf(push);
  const agreed = sentence !== null ? 'different' : push.compared === null ? 'unknown' : 'equal';
  await sql`update feed_fetches set agreed = ${agreed}, sentence = ${sentence} where id = ${id}`.execute(trx);
}

/** A push with its plan. `compared` is null if there was no plan or the plan was not compared. */
type ComparedPush = {
  compared: { otherwise: Record<string, number> } | null;
  /** Numbers of decisions about the push and of row edits, both made by a person. */
  decided: number;
  edited: number;
  reread: boolean;
};

/** Returns a sentence on a difference between push and plan that the store did not cause. Null: none known. */
function differenceOf({ compared, decided, edited, reread }: ComparedPush): string | null {
  if (reread) return 'Pushed after the file was re-read with other settings.';
  if (edited > 0) return `Pushed after you made ${countOf(edited, 'change')}.`;
  if (decided > 0) return `Pushed after you made ${countOf(decided, 'decision')}.`;
  const { store: _, ...others } = compared?.otherwise ?? {};
  const products = Object.values(others).reduce((sum, count) => sum + count, 0);
  return products === 0 ? null : `${countOf(products, 'product')} pushed differently than planned.`;
}
