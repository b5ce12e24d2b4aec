import { runningStatusOf, type Stage, stages } from '@draftshelf/domain/imports/stages';
import type { FactWindows } from '@draftshelf/domain/operate/conditions';
import type { HealthFacts } from '@draftshelf/domain/operate/find-signs';
import { sql } from 'kysely';
import { countLoginFailures } from '../../access/sessions.ts';
import { isRecent, timeAgo } from '../../connection/clock.ts';
import type { Db } from '../../connection/database.ts';
import { prepared } from '../../connection/prepared.ts';
import { queryRow, queryRows, queryValue, queryValues } from '../../connection/query-rows.ts';
import { listLateSuppliers } from '../../suppliers/feeds.ts';
import { readTaskError } from '../../work/background-tasks.ts';
import { isChunkDue } from '../../work/claim-chunk.ts';
import { countDeadWork } from '../../work/dead-work.ts';
import { sumHealthCounts } from '../../work/health-counts.ts';
import { isAlive, isProcessConnected, sumLiveSlots } from '../../work/processes.ts';
import { getRunColumn } from '../../work/runs.ts';
import { readRestoreFacts } from '../backup/kept-backups.ts';

export async function readHealthFacts(
  db: Db,
  windows: FactWindows,
): Promise<Omit<HealthFacts, 'freeShare' | 'fullInMs' | 'missingMigrations'>> {
  const { claimsMs, repairsMs, databaseMs, storageMs, storeMs, failuresMs, slowMs, listsMs } = windows;
  const found: HealthFacts['stages'][number][] = [];
  for (const stage of stages) found.push(await readStage(db, stage, windows.standsMs));
  return {
    stages: found,
    ...(await readOneLine(db)),
    crashes: await readCrashes(db, windows.crashesMs),
    blocked: await readBlocked(db),
    repeated: await namesOfRepeated(db),
    dead: await countDeadWork(db, { withinMs: windows.deadMs }),
    counts: await sumHealthCounts(db, {
      'claims-repeated': claimsMs,
      'queue-repairs': repairsMs,
      'database-refusals': databaseMs,
      'storage-errors': storageMs,
      ...{ 'store-calls': storeMs, 'store-throttled': storeMs, 'store-refusals': storeMs },
      'store-versions': storeMs,
      ...{ 'http-requests': failuresMs, 'http-failures': failuresMs },
      ...{ 'http-timed': slowMs, 'http-slow': slowMs },
    }),
    backup: await readBackupAge(db, windows.backupMs),
    backupProblem: await readTaskError(db, 'back-up'),
    proof: await readRestoreFacts(db, windows.proofMs),
    audit: await readAuditFacts(db, windows.auditMs),
    loginFailures: await countLoginFailures(db, null, windows.loginsMs),
    lateLists: await listLateSuppliers(db, listsMs, namesMax),
  };
}

/** Reads numbers of imports with work for the stage: pending chunks that are due, or published chunks. */
async function readStage(db: Db, stage: Stage, standsMs: number): Promise<HealthFacts['stages'][number]> {
  const currentRun = sql.ref(`imports.${getRunColumn(stage)}`);
  const row = await queryRow<Omit<HealthFacts['stages'][number], 'stage'>>(db)`${prepared}
    with running as (
      select imports.id,
        exists (
          select 1 from runs where runs.import_id = imports.id and runs.stage = ${stage}
            and runs.run = ${currentRun} and started_at < ${timeAgo(standsMs)}
        ) as old,
        exists (
          select 1 from chunks where chunks.import_id = imports.id and chunks.stage = ${stage}
            and chunks.kind <> 'task' and ended_at > ${timeAgo(standsMs)}
        ) as moves,
        exists (
          select 1 from chunks cross join lateral pg_stat_get_activity(coalesce(claim_pid, -1)) as holder
          where chunks.import_id = imports.id and chunks.stage = ${stage} and chunks.state = 'published'
            and holder.backend_start = claim_backend_start
        ) as held
      from imports
      where imports.status = ${runningStatusOf(stage)} and exists (
        select 1 from chunks where import_id = imports.id and stage = ${stage} and kind <> 'task'
          and run = ${currentRun}
          and (state = 'published' or (state = 'pending' and ${isChunkDue})))
    )
    select count(*)::int as due, count(*) filter (where old)::int as old,
      count(*) filter (where old and not moves and not held)::int as standing,
      coalesce(bool_or(moves), false) as moves, ${sumLiveSlots(`${stage}-worker`)} as slots,
      exists (select from processes where kind = ${`${stage}-worker`} and not ${isAlive} and ${isProcessConnected}) as "isBlocked"
    from running`;
  return { stage, ...row };
}

const readOneLine = (db: Db) =>
  queryRow<Pick<HealthFacts, 'lockedImports' | 'clockSkewMs' | 'versions'>>(db)`
    select
      (select count(*)::int from imports
        where store_refuses_since is not null and status in ('uploading', 'paused')) as "lockedImports",
      (select coalesce(max(clock_skew_ms), 0) from processes where ${isAlive}) as "clockSkewMs",
      array(select distinct version from processes where ${isAlive} order by version) as versions`;

/** Counts, by kind of process, the minutes in which a process died without being asked to stop. */
const readCrashes = (db: Db, ms: number) =>
  queryRows<HealthFacts['crashes'][number]>(db)`
    select kind as program, count(distinct date_trunc('minute', died_at))::int as minutes
    from processes where died_at > ${timeAgo(ms)} group by kind order by kind`;

const blockedMs = 30_000;
const namesMax = 3;

/** Lists kinds of processes that are connected but send no heartbeat, and imports whose chunks they claimed. */
const readBlocked = (db: Db) =>
  queryRows<HealthFacts['blocked'][number]>(db)`
    select distinct kind as program, array(
      select distinct filename from chunks join imports on imports.id = chunks.import_id
      where chunks.state = 'published' and chunks.claim_pid is not null and chunks.stage || '-worker' = processes.kind
      order by filename limit ${namesMax}) as imports
    from processes where seen_at < ${timeAgo(blockedMs)} and ${isProcessConnected}
    order by kind`;

/** Lists the filenames of imports with a chunk that was claimed three times and never ended. */
const namesOfRepeated = (db: Db) =>
  queryValues<string>(db)`
    select distinct filename from chunks join imports on imports.id = chunks.import_id
    where chunks.state = 'published' and claims - claims_with_progress - attempts >= 3
    order by filename limit ${namesMax}`;

const readBackupAge = (db: Db, recentMs: number) =>
  queryValue<HealthFacts['backup']>(db)`
    select case when not exists (select 1 from outside_access where real_store) then 'unneeded'
      when count(*) = 0 then 'never' when bool_or(${isRecent(sql.ref('taken_at'), recentMs)}) then 'recent'
      else 'old' end as age from backups`;

/** Reads the newest audits. An audit is overdue if it has been open for longer than `openMsMax`. */
export const readAuditFacts = (db: Db, openMsMax: number) =>
  queryRow<HealthFacts['audit']>(db)`
    select
      coalesce((select difference_count from audits
        where ended_at is not null and problem is null order by id desc limit 1), 0) as differences,
      coalesce((select problem is not null from audits
        where ended_at is not null order by id desc limit 1), false) as "brokeOff",
      exists (select 1 from audits where ended_at is null and started_at < ${timeAgo(openMsMax)}) as "isOverdue"`;
