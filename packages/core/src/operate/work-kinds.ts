import { runningStatusOf, type Stage, stages } from '@draftshelf/domain/imports/stages';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { sql } from 'kysely';
import { ago } from '../connection/clock.ts';
import type { Db } from '../connection/database.ts';
import type { ChunkKind } from '../connection/schema.ts';

/** Work of imports of one kind: what runs and waits, and how much began and ended within a minute. */
export type WorkKind = {
  stage: Stage;
  kind: Exclude<ChunkKind, 'task'> | TaskKind;
  running: number;
  waiting: number;
  /** When the one was made that has waited for longest, and what it waits for. */
  waits_since: Date | null;
  waiting_for: string | null;
  begun: number;
  ended: number;
};

const minuteMs = 60_000;
/** Chunks that may have been made within a minute: an import of a million rows that is pushed has 40,000. */
const newestMax = 50_000;

/** The kinds of work of imports with something that runs, waits, or began or ended within the last minute. */
export async function listWorkKinds(db: Db): Promise<WorkKind[]> {
  const kind = sql`coalesce(task, chunks.kind)`;
  const { rows } = await sql<WorkKind>`
    with open as (
      select chunks.stage, ${kind} as kind, chunks.state = 'published' and claim_pid is not null as runs,
        chunks.created_at, chunks.waiting_for
      from chunks join imports on imports.id = import_id
      where (chunks.state = 'pending' or chunks.state = 'published')
        and (chunks.kind = 'task' or imports.status = any(${stages.map(runningStatusOf)}::text[]))
    ), counted as (
      select stage, kind, count(*) filter (where runs) as running, count(*) filter (where not runs) as waiting,
        min(created_at) filter (where not runs) as waits_since,
        (array_agg(waiting_for order by created_at) filter (where not runs))[1] as waiting_for, 0 as begun, 0 as ended
      from open group by stage, kind
      union all
      select stage, kind, 0, 0, null, null, count(*), 0 from (
        select stage, ${kind} as kind, created_at from chunks order by id desc limit ${newestMax}
      ) newest where created_at > ${ago(minuteMs)} group by stage, kind
      union all
      select stage, ${kind}, 0, 0, null, null, 0, count(*) from chunks
      where ended_at > ${ago(minuteMs)} group by 1, 2
    )
    select stage, kind, sum(running)::int as running, sum(waiting)::int as waiting, min(waits_since) as waits_since,
      min(waiting_for) as waiting_for, sum(begun)::int as begun, sum(ended)::int as ended
    from counted group by stage, kind order by stage, kind`.execute(db);
  return rows;
}
