import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { ofRun, type RunOfRows } from '../../work/runs.ts';

/** The use of the search texts is written down once a day. */
const noteUseEvery = sql`now() - interval '1 day'`;

/** Whether a run has its search texts; `noteUse`: their use has not been written down today. */
export async function readSearchUse(
  db: Db,
  { import_id, run }: RunOfRows,
): Promise<{ searchable: boolean; noteUse: boolean }> {
  const found = await db
    .selectFrom('runs')
    .select(['searchable', sql<boolean>`coalesce(searched_at < ${noteUseEvery}, true)`.as('noteUse')])
    .where(ofRun({ import_id, stage: 'parse', run }))
    .executeTakeFirst();
  return found ?? { searchable: true, noteUse: false };
}

/** Notes that the search texts of a run were used. Locks the run, so that one of many searches fills them. */
export async function noteSearchUse(db: Db, { import_id, run }: RunOfRows): Promise<{ searchable: boolean }> {
  const noted = await db
    .updateTable('runs')
    .set({ searched_at: sql`now()` })
    .where(ofRun({ import_id, stage: 'parse', run }))
    .returning('searchable')
    .executeTakeFirst();
  return noted ?? { searchable: true };
}

/** Lets searches read the rows instead of the search texts, which are about to be removed. */
export async function endSearchUse(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await db
    .updateTable('runs')
    .set({ searchable: false, codes_searchable: false })
    .where(ofRun({ import_id, stage: 'parse', run }))
    .execute();
}
