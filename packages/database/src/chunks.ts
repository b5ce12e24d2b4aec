import { runningStatusOf, type Stage } from '@draftshelf/domain/import-status';
import { type Insertable, sql } from 'kysely';
import { announceChunks } from './channels.ts';
import { attemptsMax } from './claims.ts';
import type { Db } from './connect.ts';
import { ofRun, type RunOfStage, runColumn } from './runs.ts';
import type { ChunkRecord, ChunksTable } from './schema.ts';

/** Published chunks per stage; so a pause is quick and a small import does not wait behind a huge one. */
export const publishedMax = 64;

/** What the relay hands to the queue. */
export type PublishableChunk = Pick<
  ChunkRecord,
  | 'id'
  | 'publication'
  | 'import_id'
  | 'stage'
  | 'run'
  | 'kind'
  | 'first_row'
  | 'rows'
  | 'first_product'
  | 'products'
> & { filename: string };

type NewWork = Omit<Insertable<ChunksTable>, 'kind' | 'import_id' | 'stage' | 'run' | 'sequence'>;

const insertMax = 1000;

/** Gives birth to the work chunks of a run, unpublished, in order, and wakes the stage's relay. */
export async function insertWorkChunks(db: Db, run: RunOfStage, chunks: readonly NewWork[]): Promise<void> {
  for (let from = 0; from < chunks.length; from += insertMax) {
    await db
      .insertInto('chunks')
      .values(
        chunks.slice(from, from + insertMax).map((chunk, i) => ({
          ...chunk,
          ...run,
          kind: 'work' as const,
          sequence: from + i,
        })),
      )
      .execute();
  }
  await announceChunks(db, run.stage);
}

/** Gives birth to the cut of a parse run over the stored file. */
export async function bearCut(db: Db, run: { import_id: string; run: number }): Promise<void> {
  await db
    .insertInto('chunks')
    .values({ ...run, stage: 'parse', kind: 'cut', sequence: -1 })
    .execute();
  await announceChunks(db, 'parse');
}

/** Gives birth to the run's one settle chunk, or publishes it anew when the run has reached its end again. */
export async function bearSettle(db: Db, run: RunOfStage): Promise<void> {
  await db
    .insertInto('chunks')
    .values({ ...run, kind: 'settle', sequence: -1 })
    .onConflict((conflict) =>
      conflict.columns(['import_id', 'stage', 'run']).where('kind', '=', 'settle').doUpdateSet({
        state: 'born',
        publication: sql`chunks.publication + 1`,
        attempts: 0,
        claims: 0,
        not_before: null,
        error: null,
        ended_at: null,
      }),
    )
    .execute();
  await announceChunks(db, run.stage);
}

/**
 * Locks up to `publishedMax` less the published chunks of a stage that may be published now, round-robin over
 * imports. For use in the relay's transaction, which publishes them and then calls markPublished.
 */
export async function lockPublishable(db: Db, stage: Stage): Promise<PublishableChunk[]> {
  const { rows } = await sql<PublishableChunk>`
    with room as (
      select greatest(0, ${publishedMax} - count(*)) as free from chunks where stage = ${stage} and state = 'published'
    ), candidates as (
      select waiting.id, row_number() over (partition by waiting.import_id order by waiting.sequence, waiting.id) as turn
      from imports
      cross join lateral (
        select id, import_id, sequence from chunks
        where stage = ${stage} and import_id = imports.id and run = ${runOf(stage)} and state = 'born'
          and (not_before is null or not_before <= clock_timestamp())
        order by sequence, id limit (select free from room)
      ) waiting
      where imports.status = ${runningStatusOf(stage)}
    ), chosen as (
      select id from candidates order by turn, id limit (select free from room)
    )
    select chunks.id, publication, import_id, chunks.stage, run, kind, first_row, chunks.rows, first_product,
      products, imports.filename
    from chunks join imports on imports.id = chunks.import_id
    where chunks.id in (select id from chosen) and chunks.state = 'born'
    order by chunks.sequence, chunks.id
    for update of chunks skip locked`.execute(db);
  return rows;
}

/** Marks chunks as published; the same transaction as lockPublishable. */
export async function markPublished(db: Db, ids: readonly number[]): Promise<void> {
  await db.updateTable('chunks').set({ state: 'published' }).where('id', 'in', ids).execute();
}

/** The published chunks of a stage, at most `publishedMax` of them, for the sweep to compare with the queue. */
export async function listPublished(
  db: Db,
  stage: Stage,
): Promise<Pick<ChunkRecord, 'id' | 'publication'>[]> {
  return db
    .selectFrom('chunks')
    .select(['id', 'publication'])
    .where('stage', '=', stage)
    .where('state', '=', 'published')
    .execute();
}

/**
 * Takes a chunk out of the queue's hands: the next publication has another number, so the old job finds nothing. The
 * claim stays: a worker that still works for the old publication is ended by the next claim.
 */
export async function unpublish(db: Db, chunk: { id: number; publication: number }): Promise<boolean> {
  const result = await db
    .updateTable('chunks')
    .set({ state: 'born', publication: sql`publication + 1` })
    .where('id', '=', chunk.id)
    .where('publication', '=', chunk.publication)
    .where('state', '=', 'published')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

const runOf = (stage: Stage) => sql.ref(`imports.${runColumn(stage)}`);

/**
 * Drops what is not done of imports that were cancelled, and of runs that another has replaced or that were given up;
 * what a worker holds now is left to that worker. Each of the two states has an index, which `in` would not use: of
 * 325,000 chunks it read all, every two seconds, for 35 ms instead of 0.5.
 */
export async function dropUnwanted(db: Db, stage: Stage): Promise<void> {
  await sql`
    update chunks set state = 'dropped', ended_at = now() where id in (
      select chunks.id from chunks join imports on imports.id = chunks.import_id
      where chunks.stage = ${stage} and (chunks.state = 'born' or chunks.state = 'published')
        and (imports.status = 'cancelled' or chunks.run <> ${runOf(stage)})
      for update of chunks skip locked limit 10000)`.execute(db);
}

/** Revives the dead work chunks of a run (bearSettle revives its settle); answers how many live again. */
export async function reviveDead(db: Db, run: RunOfStage): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('chunks')
    .set({
      state: 'born',
      publication: sql`publication + 1`,
      attempts: 0,
      claims: 0,
      waits: 0,
      not_before: null,
      error: null,
      ended_at: null,
    })
    .where(ofRun(run))
    .where('kind', '<>', 'settle')
    .where('state', '=', 'dead')
    .executeTakeFirst();
  await announceChunks(db, run.stage);
  return Number(numUpdatedRows);
}

/**
 * How many chunks of a run stand in each state, with the first causes of the dead. `faults`: of the dead, those that were
 * tried again and again; of the others the cause is known, and a plain sentence.
 */
export async function countChunks(
  db: Db,
  run: RunOfStage,
): Promise<{ undone: number; dead: number; causes: string[]; faults: number }> {
  const row = await db
    .selectFrom('chunks')
    .select([
      sql<number>`count(*) filter (where state in ('born','published') and kind <> 'settle')::int`.as(
        'undone',
      ),
      sql<number>`count(*) filter (where state = 'dead' and kind <> 'settle')::int`.as('dead'),
      sql<
        string[] | null
      >`(array_agg(distinct error) filter (where state = 'dead' and error is not null))[1:10]`.as('causes'),
      sql<number>`count(*) filter (where state = 'dead' and kind <> 'settle' and attempts >= ${attemptsMax})::int`.as(
        'faults',
      ),
    ])
    .where(ofRun(run))
    .executeTakeFirstOrThrow();
  return { ...row, causes: row.causes ?? [] };
}
