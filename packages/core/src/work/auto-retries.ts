import type { Stage } from '@draftshelf/domain/imports/stages';
import { autoRetryPausesMs, nextRetryAt } from '@draftshelf/domain/work/auto-retry';
import { sql } from 'kysely';
import { readSettings } from '../access/settings.ts';
import { isInFuture } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { ImportRecord } from '../connection/schema.ts';
import { type ActionRefusal, type ActionResult, wrongStatusRefusal } from '../imports/action-result.ts';
import { changeImport, lockImport, nextVersion, readImport } from '../imports/imports.ts';
import { attemptsMax, lostClaimsMax } from './claim-chunk.ts';
import { retryImport } from './import-actions.ts';
import { belongsToRun, getRunColumn, type RunOfStage } from './runs.ts';

const dueMax = 10;

const isOutOfAttempts = sql<boolean>`exists (
  select 1 from chunks where chunks.import_id = imports.id and chunks.stage = runs.stage
    and chunks.run = runs.run and chunks.kind <> 'task' and chunks.state = 'dead'
    and (chunks.attempts >= ${attemptsMax} or chunks.claims >= ${lostClaimsMax}))`;

/** Locks imports that failed in a stage for lack of attempts, if a retry is due. Skips imports that are locked. */
const lockDueForRetry = (db: Db, stage: Stage) =>
  queryRows<RunOfStage>(db)`
    select imports.id as import_id, runs.stage, runs.run
    from imports
      join runs latest on latest.import_id = imports.id and latest.stage = 'parse' and latest.run = imports.parse_run
      join runs on runs.import_id = imports.id and runs.stage = ${stage}
        and runs.run = ${sql.ref(`imports.${getRunColumn(stage)}`)}
    where imports.status = 'failed' and latest.import_stage = ${stage}
      and (${isInFuture(sql.ref('latest.completed_at'))} or latest.completed_at <=
        now() - (${autoRetryPausesMs}::float8[])[runs.auto_retries + 1] * interval '1 millisecond')
      and runs.auto_retries < ${autoRetryPausesMs.length} and not runs.auto_retry_stopped and ${isOutOfAttempts}
    order by latest.completed_at limit ${dueMax}
    for no key update of imports skip locked`;

/** `autoRetries`: retries made so far. `nextRetryAt`: null if no retry is due. */
export type AutoRetries = { autoRetries: number; nextRetryAt: Date | null };

const runOfStage = sql`runs.import_id = imports.id and runs.stage = imports.stage and runs.run =
  case imports.stage when 'parse' then imports.parse_run when 'enrich' then imports.enrich_run else imports.push_run end`;

/** Returns the automatic retries of failed imports by import id. While the setting is off, `nextRetryAt` is null. */
export async function readAutoRetries(
  db: Db,
  records: readonly Pick<ImportRecord, 'id' | 'status' | 'completed_at'>[],
): Promise<Map<string, AutoRetries>> {
  const failed = records.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return new Map();
  const { autoRetry } = await readSettings(db);
  const ids = failed.map(({ id }) => id);
  const rows = await queryRows<{ id: string; auto_retries: number; open: boolean }>(db)`
    select imports.id, auto_retries, not auto_retry_stopped and ${isOutOfAttempts} as open
    from import_records as imports join runs on ${runOfStage} where imports.id = any(${ids}::uuid[])`;
  const failedAt = new Map(failed.map(({ id, completed_at }) => [id, completed_at]));
  return new Map(
    rows.map(({ id, auto_retries: autoRetries, open }) => {
      const at = failedAt.get(id) ?? null;
      const isDue = autoRetry && open && at !== null;
      return [id, { autoRetries, nextRetryAt: isDue ? nextRetryAt(at, autoRetries) : null }];
    }),
  );
}

const shownMax = 1_000;

/** Raises the versions of failed imports after the setting has changed, so that screens read their retries again. */
export async function bumpFailedImports(db: Db): Promise<void> {
  await sql`
    update imports set version = ${nextVersion} where id in (
      select imports.id from import_records as imports join runs on ${runOfStage}
      where imports.status = 'failed' and ${isOutOfAttempts}
      order by imports.completed_at desc limit ${shownMax})`.execute(db);
}

/** Retries the failed imports of a stage whose automatic retry is due. Does nothing while the setting is off. */
export async function retryDueImports(db: Db, stage: Stage): Promise<void> {
  const { autoRetry } = await readSettings(db);
  if (!autoRetry) return;
  for (const run of await lockDueForRetry(db, stage)) {
    await sql`update runs set auto_retries = auto_retries + 1 where ${belongsToRun(run)}`.execute(db);
    await retryImport(db, run.import_id);
  }
}

const noneDue: ActionRefusal = { ok: false, reason: 'No retry is due.' };

/** Ends the automatic retries of a failed import ('Don’t Retry') until it fails in another run. */
export async function stopAutoRetry(db: Db, id: string): Promise<ActionResult> {
  const record = await lockImport(db, id);
  if (!record) return wrongStatusRefusal;
  const retry = (await readAutoRetries(db, [record])).get(id);
  if (!retry || retry.nextRetryAt === null) return noneDue;
  const run = { import_id: id, stage: record.stage, run: record[getRunColumn(record.stage)] };
  await sql`update runs set auto_retry_stopped = true where ${belongsToRun(run)}`.execute(db);
  await changeImport(db, id, {});
  return { ok: true, import: await readImport(db, id) };
}
