import { sql } from 'kysely';
import { carryOffsets, renumberOutcomes } from './carry-over.ts';
import { countChunks, insertWorkChunks } from './chunks.ts';
import { markDone } from './claims.ts';
import type { Db } from './connect.ts';
import { findDuplicates } from './duplicates.ts';
import { faultSentence, returnToEarlier } from './earlier-state.ts';
import { applyEdits } from './edits.ts';
import { failImport, lockRunning } from './hand-over.ts';
import { moveStatus, nextVersion, statusByCounts } from './imports.ts';
import { joinGroups } from './join-groups.ts';
import { countFacets, moveDuplicates } from './row-facets.ts';
import { endRun, obsoleteRuns } from './runs.ts';
import type { ChunkRecord, ImportRecord } from './schema.ts';

const enrichRowsPerChunk = 5_000;

/**
 * The last step of a parse run, in one transaction: joins groups whose rows stand apart, makes the run's rows
 * current, applies edits, finds duplicates among what then holds, and bears the enrich chunks or, where nothing lacks, ends the processing.
 */
export async function settleParse(db: Db, chunk: ChunkRecord): Promise<void> {
  const record = await lockRunning(db, chunk);
  await markDone(db, chunk);
  const { undone, dead, causes, faults } = await countChunks(db, chunk);
  if (undone > 0) return; // revived meanwhile: the next time the count reaches nought settles
  if (dead > 0) {
    const sentence =
      faults > 0 ? faultSentence : `The file could not be read like this: ${causesOf(causes)}.`;
    if (await returnToEarlier(db, record, { sentence })) return;
    await failImport(db, chunk.import_id, 'parse', deadSentence(dead, causes));
    return;
  }
  const joined = await joinGroups(db, chunk);
  await carryOffsets(db, record, chunk.run);
  const current = await db
    .updateTable('imports')
    .set({ rows_run: chunk.run, version: nextVersion })
    .where('id', '=', chunk.import_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (record.rows_run !== chunk.run) await renumberOutcomes(db, current);
  await applyEdits(db, current);
  const duplicates = await findDuplicates(db, chunk);
  if (joined > 0) await countFacets(db, chunk);
  else if (duplicates > 0) await moveDuplicates(db, chunk);
  await endRun(db, chunk);
  await obsoleteRuns(db, chunk);
  if ((await bearEnrich(db, current)) === 0) await endProcessing(db, chunk.import_id);
}

/** One plain sentence for parts that could not be done, with the first causes. */
export function deadSentence(dead: number, causes: readonly string[]): string {
  const parts = dead === 1 ? '1 part of the work' : `${dead} parts of the work`;
  return `${parts} could not be done: ${causesOf(causes)}. Retry takes up only what is missing.`;
}

const causesOf = (causes: readonly string[]): string =>
  causes.map((cause) => cause.replace(/\.$/, '')).join('; ') || 'the cause was not recorded';

/** Row ranges of a run, with the rows in them that lack something that could be found. */
async function bearEnrich(db: Db, current: ImportRecord): Promise<number> {
  const { rows: ranges } = await sql<{ first_row: number; rows: number; enrichable: number }>`
    select min(row) as first_row, max(row) - min(row) + 1 as rows, count(*)::int as enrichable
    from rows where import_id = ${current.id} and run = ${current.rows_run} and enrichable
    group by row / ${sql.lit(enrichRowsPerChunk)} order by 1`.execute(db);
  const total = ranges.reduce((sum, range) => sum + range.enrichable, 0);
  await db
    .updateTable('imports')
    .set({
      stage: ranges.length > 0 ? 'enrich' : 'parse',
      enrich_run: current.enrich_run + 1,
      enrich_rows: total,
      enriched_rows: 0,
      open_chunks: ranges.length,
      version: nextVersion,
    })
    .where('id', '=', current.id)
    .execute();
  if (ranges.length > 0) {
    const run = { import_id: current.id, stage: 'enrich' as const, run: current.enrich_run + 1 };
    await db.insertInto('runs').values(run).execute();
    await insertWorkChunks(
      db,
      run,
      ranges.map(({ first_row, rows }) => ({ first_row, rows })),
    );
  }
  return ranges.length;
}

/** Moves an import that has been processed to `processed` when every product is valid, else to `queued`. */
export async function endProcessing(db: Db, importId: string): Promise<void> {
  await moveStatus(db, importId, {
    from: ['processing'],
    to: await statusByCounts(db, importId),
    set: {
      failed_in: null,
      error_message: null,
      waiting_for: null,
      waiting_until: null,
      completed_at: sql`now()`,
    },
  });
}
