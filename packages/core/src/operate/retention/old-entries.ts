import { finalStatuses } from '@draftshelf/domain/imports/import-status';
import { sql } from 'kysely';
import { sessionIdleMsMax } from '../../access/sessions.ts';
import { timeAgo } from '../../connection/clock.ts';
import type { OpenDatabase } from '../../connection/database.ts';
import { previewRetentionDays } from '../../push/previews/previews.ts';
import { pushedStateDays } from '../../push/pushed-states.ts';
import { isOldCorrectionsFile } from '../../review/corrections/corrections.ts';
import { deleteBatch } from '../../review/remove-rows.ts';

/** Days for which chunks of pushes are kept. The chart of the push rate needs them. */
const pushChunkDays = 90;
/** Days after its last check for which an address is kept. A recent import would check it again after 30 days. */
const imageDays = 90;
/** Days for which a claim is kept. Claims matter only to products that are sent at the same time. */
const claimDays = 1;
/** Days after their last use for which answers of an AI service are kept. */
const aiAnswerDays = 180;
/** Longer than any period in which calls of an AI service are counted. */
const aiCallDays = 400;
/** Longer than any period in which health counts are summed. */
const healthCountHours = 1;
/** Longer than any period in which failed logins are counted. */
const loginFailureHours = 24;
/** Number of kept sign-ins to OneDrive, for their messages, and of audits, for their results. */
const [signInsKept, auditsKept] = [20, 30];

const hourMs = 3_600_000;
const before = (days: number) => timeAgo(24 * hourMs * days);

/** Number of a supplier's newest lists whose versions are kept, so that the newest list can be taken back. */
const listsKept = 10;
const oldLists = sql`
  select supplier, number as list, counted_run as run, place from (
    select *, row_number() over (partition by supplier order by counted_at desc, number desc) as place
    from supplier_lists where state = 'counted'
  ) counted where place > ${sql.lit(listsKept)}`;
/** SQL condition: old versions of an item except the newest of them, or versions of lists that do not count. */
const oldVersions = sql`
  (supplier, item, list, run) in (
    select supplier, item, list, run from (
      select supplier, item, list, run, row_number() over (partition by supplier, item order by place) as nth
      from item_versions join (${oldLists}) old using (supplier, list, run)
    ) versions where nth > 1)
  or exists (select from supplier_lists lists
    where lists.supplier = item_versions.supplier and number = list
      and (state = 'not counted' or state = 'counted' and counted_run <> run))`;

/** Previews that are replaced or old. A preview that an undo carries out is included only after the undo has ended. */
const oldPreviews = sql`select id from previews
  where (replaced_at is not null
      or started_at < case kind when 'push' then ${before(previewRetentionDays.push)} else ${before(previewRetentionDays.undo)} end)
    and (kind = 'push' or run is null or ended_at is not null)`;

const ofOldCorrections = sql`corrections in (select id from corrections where ${isOldCorrectionsFile})`;

/** Tables that would grow without limit, with an SQL condition for old entries. Parts of an entry precede the entry. */
const oldEntries = [
  {
    table: 'chunks',
    which: sql`stage = 'push' and kind = 'work' and state in ('done','dropped') and ended_at < ${before(pushChunkDays)}
      and exists (select 1 from imports where imports.id = chunks.import_id and status = any(${finalStatuses}::text[]))`,
  },
  { table: 'pushed_states', which: sql`written_at < ${before(pushedStateDays)}` },
  { table: 'images', which: sql`checked_at < ${before(imageDays)}` },
  { table: 'key_claims', which: sql`claimed_at < ${before(claimDays)}` },
  { table: 'preview_lines', which: sql`preview in (${oldPreviews})` },
  {
    table: 'previews',
    which: sql`id in (${oldPreviews}) and not exists (select 1 from preview_lines where preview = previews.id)`,
  },
  { table: 'correction_cells', which: ofOldCorrections },
  { table: 'correction_rows', which: ofOldCorrections },
  { table: 'item_versions', which: oldVersions },
  { table: 'ai_answers', which: sql`used_at < ${before(aiAnswerDays)}` },
  { table: 'ai_calls', which: sql`counts_from < ${before(aiCallDays)}` },
  { table: 'health_counts', which: sql`at < ${timeAgo(healthCountHours * hourMs)}` },
  { table: 'login_failures', which: sql`failed_at < ${timeAgo(loginFailureHours * hourMs)}` },
  { table: 'sessions', which: sql`expires_at < now() or used_at < ${timeAgo(sessionIdleMsMax)}` },
  {
    table: 'sign_ins',
    which: sql`state not in ('asked', 'code')
      and id not in (select id from sign_ins order by created_at desc limit ${sql.lit(signInsKept)})`,
  },
  {
    table: 'audits',
    which: sql`id not in (select id from audits order by id desc limit ${sql.lit(auditsKept)})`,
  },
] as const;

/** Removes the next old entries, at most 20,000 of a single table. Returns the number of removed entries. */
export async function removeOldEntries({ db }: Pick<OpenDatabase, 'db'>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    for (const { table, which } of oldEntries) {
      const removed = await deleteBatch(trx, table, which);
      if (removed > 0) return removed;
    }
    return 0;
  });
}
