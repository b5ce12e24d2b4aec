import type { Stage } from '@draftshelf/domain/stages';
import { sql } from 'kysely';
import { attemptsMax, claimsMax } from '../chunks/claim-chunk.ts';
import { ofRun, type RunOfStage, runColumn } from '../chunks/runs.ts';
import { isAhead } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';

/** Limit of imports that one sweep retries. */
const dueMax = 10;

/**
 * Failed imports of a stage with chunks that are out of attempts, whose next automatic retry is due, locked; except
 * those that others hold. `pausesMs`: how long after a failure the first, second … retry is due; there are no more.
 */
export async function lockDueForRetry(
  db: Db,
  stage: Stage,
  pausesMs: readonly number[],
): Promise<RunOfStage[]> {
  const run = sql.ref(`imports.${runColumn(stage)}`);
  const { rows } = await sql<RunOfStage>`
    select imports.id as import_id, runs.stage, runs.run
    from imports join runs on runs.import_id = imports.id and runs.stage = ${stage} and runs.run = ${run}
    where imports.status = 'failed' and imports.stage = ${stage}
      and (${isAhead(sql.ref('imports.completed_at'))}
        or imports.completed_at <= now() - (${pausesMs}::float8[])[runs.auto_retries + 1] * interval '1 millisecond')
      and runs.auto_retries < ${pausesMs.length}
      and exists (
        select 1 from chunks where chunks.import_id = imports.id and chunks.stage = ${stage}
          and chunks.run = runs.run and chunks.kind <> 'task' and chunks.state = 'dead'
          and (chunks.attempts >= ${attemptsMax} or chunks.claims >= ${claimsMax}))
    order by imports.completed_at limit ${dueMax}
    for no key update of imports skip locked`.execute(db);
  return rows;
}

/** Counts an automatic retry of a run. */
export async function countAutoRetry(db: Db, run: RunOfStage): Promise<void> {
  await db.updateTable('runs').set({ auto_retries: sql`auto_retries + 1` }).where(ofRun(run)).execute();
}
