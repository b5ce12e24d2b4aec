import { runningStatusOf, type Stage, stages } from '@draftshelf/domain/imports/stages';
import type { TaskKind } from '@draftshelf/domain/work/task-catalog';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { ChunkKind } from '../connection/schema.ts';

/** Numbers of chunks of a kind of work by state. `added` and `done` are those of the last minute. */
export type WorkCounts = {
  stage: Stage;
  kind: Exclude<ChunkKind, 'task'> | TaskKind;
  running: number;
  waiting: number;
  /** Creation time of the oldest waiting chunk, and the reason why one of the waiting chunks waits. */
  oldest_at: Date | null;
  waiting_for: string | null;
  added: number;
  done: number;
};

/** SQL: chunks of running imports in a state. Joined by `union all`, so that each state can use its own index. */
const openWork = (state: 'pending' | 'published', isTask: boolean) => sql`
  select chunks.stage, coalesce(task, chunks.kind) as kind, ${state === 'published'} and claim_pid is not null as runs,
    chunks.created_at, chunks.waiting_for
  from chunks join imports on imports.id = import_id
  where chunks.state = ${sql.lit(state)} and ${isTask ? sql`chunks.kind = 'task'` : sql`chunks.kind <> 'task'`}
    and (chunks.kind = 'task' or imports.status = any(${stages.map(runningStatusOf)}::text[]))`;

const openArms = (['pending', 'published'] as const).flatMap((state) => [
  openWork(state, false),
  openWork(state, true),
]);

/** SQL: the time a minute ago, by `now()`, which is constant within a statement, so that an index can be used. */
const minuteAgo = sql`(now() - interval '1 minute')`;

/** Lists kinds of work with chunks that run, wait, or were added or done within the last minute. */
export const listWorkKinds = (db: Db) =>
  queryRows<WorkCounts>(db)`
    with open as (${sql.join(openArms, sql` union all `)}), counted as (
      select stage, kind, count(*) filter (where runs) as running, count(*) filter (where not runs) as waiting,
        min(created_at) filter (where not runs) as oldest_at, min(waiting_for) filter (where not runs) as waiting_for,
        0 as added, 0 as done
      from open group by stage, kind
      union all
      select stage, coalesce(task, kind), 0, 0, null, null, count(*), 0 from chunks
      where subject is null and id > coalesce((
        select id from chunks where coalesce(created_at, '-infinity') <= ${minuteAgo} order by id desc limit 1), 0)
      group by 1, 2
      union all
      select stage, coalesce(task, kind), 0, 0, null, null, 0, count(*) from chunks
      where state = 'done' and ended_at > ${minuteAgo} group by 1, 2
    )
    select stage, kind, sum(running)::int as running, sum(waiting)::int as waiting, min(oldest_at) as oldest_at,
      min(waiting_for) as waiting_for, sum(added)::int as added, sum(done)::int as done
    from counted group by stage, kind order by stage, kind`;
