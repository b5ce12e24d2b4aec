import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Db } from '../connection/database.ts';
import * as start from './0001-start.ts';
import * as overlappingChoice from './0080-overlapping-choice.ts';
import * as deaths from './0081-deaths.ts';
import * as columnReadings from './0085-column-readings.ts';
import * as chunkDeaths from './0086-chunk-deaths.ts';
import * as oneVersion from './0090-one-version.ts';
import * as suppliersOfAnswers from './0091-suppliers-of-answers.ts';
import * as valuesOnRows from './0093-values-on-rows.ts';
import * as columnsOfValues from './0094-columns-of-values.ts';
import * as facetsOfRuns from './0095-facets-of-runs.ts';
import * as stateOfRuns from './0096-state-of-runs.ts';
import * as progressOfFinalize from './0097-progress-of-finalize.ts';
import * as bitsOfCarried from './0098-bits-of-carried.ts';
import * as itemsHaveIds from './0099-items-have-ids.ts';
import * as valuesUnderRecipes from './0100-values-under-recipes.ts';
import * as timesOfValues from './0101-times-of-values.ts';
import * as keptAt from './0102-kept-at.ts';
import * as versionsOfItems from './0103-versions-of-items.ts';
import * as causesOfFailures from './0104-causes-of-failures.ts';
import * as timesOfRestoredValues from './0105-times-of-restored-values.ts';
import * as runsThatSettle from './0106-runs-that-settle.ts';
import * as processesWithoutTasks from './0107-processes-without-tasks.ts';
import * as valuesOfLists from './0108-values-of-lists.ts';
import * as fewerSingletons from './0109-fewer-singletons.ts';
import * as tasksAreChunks from './0110-tasks-are-chunks.ts';
import * as changesOfLines from './0111-changes-of-lines.ts';
import * as factsOfLines from './0112-facts-of-lines.ts';
import * as feeds from './0113-feeds.ts';
import * as furtherValues from './0114-further-values.ts';
import * as fetchesWithoutBytes from './0115-fetches-without-bytes.ts';
import * as finalizeWithoutOwnIds from './0116-finalize-without-own-ids.ts';
import * as noOrphans from './0117-no-orphans.ts';
import * as valuesOfCurrentRows from './0118-values-of-current-rows.ts';
import * as noUnusedColumns from './0119-no-unused-columns.ts';
import { partsOfStart } from './parts-of-start.ts';
import { appliedMigrations, ownMigrations, schemaProblem } from './schema-gate.ts';

/** The migrations with a file, by name. */
export const migrations: Readonly<Record<string, { up(db: Kysely<unknown>): Promise<void> }>> = {
  '0001-start': start,
  '0080-overlapping-choice': overlappingChoice,
  '0081-deaths': deaths,
  '0085-column-readings': columnReadings,
  '0086-chunk-deaths': chunkDeaths,
  '0090-one-version': oneVersion,
  '0091-suppliers-of-answers': suppliersOfAnswers,
  '0093-values-on-rows': valuesOnRows,
  '0094-columns-of-values': columnsOfValues,
  '0095-facets-of-runs': facetsOfRuns,
  '0096-state-of-runs': stateOfRuns,
  '0097-progress-of-finalize': progressOfFinalize,
  '0098-bits-of-carried': bitsOfCarried,
  '0099-items-have-ids': itemsHaveIds,
  '0100-values-under-recipes': valuesUnderRecipes,
  '0101-times-of-values': timesOfValues,
  '0102-kept-at': keptAt,
  '0103-versions-of-items': versionsOfItems,
  '0104-causes-of-failures': causesOfFailures,
  '0105-times-of-restored-values': timesOfRestoredValues,
  '0106-runs-that-settle': runsThatSettle,
  '0107-processes-without-tasks': processesWithoutTasks,
  '0108-values-of-lists': valuesOfLists,
  '0109-fewer-singletons': fewerSingletons,
  '0110-tasks-are-chunks': tasksAreChunks,
  '0111-changes-of-lines': changesOfLines,
  '0112-facts-of-lines': factsOfLines,
  '0113-feeds': feeds,
  '0114-further-values': furtherValues,
  '0115-fetches-without-bytes': fetchesWithoutBytes,
  '0116-finalize-without-own-ids': finalizeWithoutOwnIds,
  '0117-no-orphans': noOrphans,
  '0118-values-of-current-rows': valuesOfCurrentRows,
  '0119-no-unused-columns': noUnusedColumns,
};

/**
 * Brings the schema up to date, or up to the migration `last`, as one transaction; safe to call from several processes
 * at once (Kysely takes a lock). Throws where this version cannot migrate the schema, or when a migration fails; then
 * nothing is changed.
 */
export async function migrate({ db }: { db: Db }, last?: string): Promise<string[]> {
  const problem = schemaProblem(await appliedMigrations(db));
  if (problem?.is === 'newer' || problem?.is === 'older') throw new Error(problem.sentence);
  const provided: Record<string, Migration> = { ...migrations };
  for (const name of partsOfStart) provided[name] = { up: async () => {} };
  const migrator = new Migrator({ db, provider: { getMigrations: async () => provided } });
  const { error, results = [] } = await migrator.migrateTo(last ?? (ownMigrations().at(-1) as string));
  if (error) throw error;
  return results.map(({ migrationName }) => migrationName);
}
