import { type Stage, stages } from '@draftshelf/domain/imports/stages';
import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import type { ChunkKind, ChunkState } from '../../connection/schema.ts';
import { isMissed } from '../../work/dead-work.ts';

export type OpenChunks = { stage: Stage; kind: ChunkKind; state: ChunkState; count: number };

/**
 * How many chunks are pending, published, or dead and missed, of work also if there are none. Each state has an index,
 * unlike the chunks that are done.
 */
export async function countOpenChunks(db: Db): Promise<OpenChunks[]> {
  const { rows } = await sql<OpenChunks>`
    select stage, kind, state, (count(*) - count(*) filter (where is_zero))::int as count from (
      select stage, 'work' as kind, state, true as is_zero
        from unnest(${[...stages]}::text[]) as stage, unnest(array['pending','published','dead']) as state
      union all select stage, kind, state, false from chunks where state = 'pending' and kind <> 'task'
      union all select stage, kind, state, false from chunks where state = 'pending' and kind = 'task'
      union all select stage, kind, state, false from chunks where state = 'published'
      union all select chunks.stage, chunks.kind, chunks.state, false
        from chunks join imports on imports.id = chunks.import_id where chunks.state = 'dead' and ${isMissed}
    ) open group by stage, kind, state`.execute(db);
  return rows;
}
