import { type Dialect, overridableKeys, type ShownDialect } from '@draftshelf/csv/dialect';
import type { HeaderMapping, MappingOverrides } from '@draftshelf/domain/mapping/header-mapping';
import type { Stage } from '@draftshelf/domain/stages';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { type StorableJson, storableJson } from '../connection/storable-json.ts';
import type { ImportRecord, RunOptions } from '../schema.ts';

/** The column of imports that holds the current run of a stage. */
export function runColumn(stage: Stage): 'parse_run' | 'enrich_run' | 'push_run' {
  return `${stage}_run`;
}

/** The nth execution of a stage for an import. */
export type RunOfStage = { import_id: string; stage: Stage; run: number };

/** The parse run that rows belong to. */
export type RunOfRows = Omit<RunOfStage, 'stage'>;

/** SQL condition for a run or for its chunks: both tables have these columns. */
export function ofRun({ import_id, stage, run }: RunOfStage) {
  return sql<SqlBool>`import_id = ${import_id} and stage = ${stage} and run = ${run}`;
}

/** What was set for a parse run: overrides of the dialect (`overridesOf`) and of the mapping. */
export type RunOverrides = { dialect: Dialect; mappingOverrides: MappingOverrides };

/** How the rows of one parse run were read and mapped. */
export type ParseRun = { dialect: Dialect; headers: string[]; mapping: HeaderMapping };

/** The store's currency, which the rows of a run are compared with; null or absent: not known. */
type InCurrency = { currency?: string | null };

/**
 * Begins a parse run whose file has already been read, so that dialect, headers and mapping are known.
 * `mappingOverrides`: what was set of the mapping.
 */
export async function insertParseRun(
  db: Db,
  importId: string,
  run: number,
  parse: ParseRun & InCurrency & { mappingOverrides?: MappingOverrides },
): Promise<void> {
  await db
    .insertInto('runs')
    .values({
      import_id: importId,
      stage: 'parse',
      run,
      dialect: storableJson(parse.dialect),
      headers: storableJson(parse.headers),
      mapping: storableJson(parse.mapping),
      mapping_overrides: storableJson(parse.mappingOverrides ?? {}),
      currency: parse.currency ?? null,
    })
    .execute();
}

/** Begins a parse run of which only the overrides are known. Its split chunk finds headers and mapping. */
export async function insertUnsplitRun(
  db: Db,
  importId: string,
  run: number,
  begun: RunOverrides & InCurrency & { snapshot: RawBuilder<StorableJson> },
): Promise<void> {
  await db
    .insertInto('runs')
    .values({
      import_id: importId,
      stage: 'parse',
      run,
      kind: 'reread',
      dialect: storableJson(begun.dialect),
      mapping_overrides: storableJson(begun.mappingOverrides),
      snapshot: begun.snapshot,
      currency: begun.currency ?? null,
    })
    .execute();
}

/** Begins an enrich run. */
export async function insertEnrichRun(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await db.insertInto('runs').values({ import_id, stage: 'enrich', run }).execute();
}

/** Stores what a run's split chunk found. */
export async function completeParseRun(
  db: Db,
  importId: string,
  run: number,
  parse: ParseRun,
): Promise<void> {
  await db
    .updateTable('runs')
    .set({
      dialect: storableJson(parse.dialect),
      headers: storableJson(parse.headers),
      mapping: storableJson(parse.mapping),
    })
    .where(ofRun({ import_id: importId, stage: 'parse', run }))
    .execute();
}

/** The dialect of a parse run, split or not. Throws when there is no such run. */
export async function readRunDialect(db: Db, importId: string, run: number): Promise<Dialect> {
  const row = await db
    .selectFrom('runs')
    .select('dialect')
    .where(ofRun({ import_id: importId, stage: 'parse', run }))
    .executeTakeFirst();
  if (!row?.dialect) throw new Error(`Import ${importId} has no parse run ${run}`);
  return row.dialect;
}

/** What was set for a parse run, split or not. Throws when there is no such run. */
export async function readRunOverrides(db: Db, importId: string, run: number): Promise<RunOverrides> {
  const row = await db
    .selectFrom('runs')
    .select(['dialect', 'mapping_overrides'])
    .where(ofRun({ import_id: importId, stage: 'parse', run }))
    .executeTakeFirst();
  if (!row?.dialect) throw new Error(`Import ${importId} has no parse run ${run}`);
  return { dialect: row.dialect, mappingOverrides: row.mapping_overrides ?? {} };
}

/** The number of the latest parse run of an import, whatever its result. */
export async function lastParseRun(db: Db, importId: string): Promise<number> {
  const { last } = await db
    .selectFrom('runs')
    .select(({ fn }) => fn.max<number | null>('run').as('last'))
    .where('import_id', '=', importId)
    .where('stage', '=', 'parse')
    .executeTakeFirstOrThrow();
  return last ?? 0;
}

/** Whether the rows shown for an import are complete: their run has been finalized. */
export async function hasEnded(db: Db, record: Pick<ImportRecord, 'id' | 'rows_run'>): Promise<boolean> {
  const ended = await db
    .selectFrom('runs')
    .select('run')
    .where(ofRun({ import_id: record.id, stage: 'parse', run: record.rows_run }))
    .where('ended_at', 'is not', null)
    .executeTakeFirst();
  return ended !== undefined;
}

/** How a parse run reads and maps its file, and its currency. Throws when there is no such run. */
export async function readParseRun(
  db: Db,
  importId: string,
  run: number,
): Promise<ParseRun & Required<InCurrency>> {
  const row = await db
    .selectFrom('runs')
    .select(['dialect', 'headers', 'mapping', 'currency'])
    .where(ofRun({ import_id: importId, stage: 'parse', run }))
    .executeTakeFirst();
  if (!row?.dialect || !row.headers || !row.mapping) {
    throw new Error(`Import ${importId} has no parse run ${run}`);
  }
  return { dialect: row.dialect, headers: row.headers, mapping: row.mapping, currency: row.currency };
}

/** The store's currency that the rows of a parse run are compared with, or null. */
export async function readRunCurrency(db: Db, importId: string, run: number): Promise<string | null> {
  const row = await db
    .selectFrom('runs')
    .select('currency')
    .where(ofRun({ import_id: importId, stage: 'parse', run }))
    .executeTakeFirst();
  return row?.currency ?? null;
}

/** How the current rows of an import are read and mapped, and the dialect of its latest parse run, which may differ. */
export type Readings = { current?: { dialect: ShownDialect; mapping: HeaderMapping }; latest?: ShownDialect };

/** Not the column profiles: they would be most of a dialect's text. */
const shownParts = (dialect: Dialect) =>
  Object.fromEntries(overridableKeys.map((key) => [key, dialect[key]])) as ShownDialect;

/** The readings of several imports, by import id, for the queue list. */
export async function readReadings(db: Db, importIds: readonly string[]): Promise<Map<string, Readings>> {
  const readings = new Map<string, Readings>();
  if (importIds.length === 0) return readings;
  const rows = await db
    .selectFrom('runs')
    .innerJoin('imports', 'imports.id', 'runs.import_id')
    .select(['import_id', 'mapping', 'run', 'rows_run', 'parse_run', 'dialect'])
    .where('runs.stage', '=', 'parse')
    .where('import_id', 'in', importIds)
    .where(({ eb, ref }) => eb('run', 'in', [ref('rows_run'), ref('parse_run')]))
    .execute();
  for (const { import_id, mapping, dialect, run, rows_run, parse_run } of rows) {
    const reading = readings.get(import_id) ?? {};
    // Taken apart here and not in SQL, where one row that Postgres cannot read would fail all of them.
    const shown = dialect && shownParts(dialect);
    if (run === rows_run && mapping && shown) reading.current = { mapping, dialect: shown };
    if (run === parse_run && shown) reading.latest = shown;
    readings.set(import_id, reading);
  }
  return readings;
}

/** Begins a push run: over all products, or a retry with its options. `draftMode`: whether Safe Mode is on. */
export async function insertPushRun(
  db: Db,
  importId: string,
  run: number,
  { retry, draftMode }: { retry: RunOptions | null; draftMode: boolean },
): Promise<void> {
  await db
    .insertInto('runs')
    .values({
      import_id: importId,
      stage: 'push',
      run,
      kind: retry === null ? 'full' : 'retry',
      options: retry === null ? null : storableJson(retry),
      draft_mode: draftMode,
    })
    .execute();
}

/** The options of a push run, or null for a push of all products. */
export async function readRetry(db: Db, importId: string, run: number): Promise<RunOptions | null> {
  const row = await db
    .selectFrom('runs')
    .select('options')
    .where(ofRun({ import_id: importId, stage: 'push', run }))
    .where('kind', '=', 'retry')
    .executeTakeFirst();
  return row?.options ?? null;
}

/** Whether Safe Mode was on when a push run began; also true for one that began before this was kept. */
export async function readDraftMode(db: Db, importId: string, run: number): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select('draft_mode')
    .where(ofRun({ import_id: importId, stage: 'push', run }))
    .executeTakeFirst();
  return row?.draft_mode ?? true;
}

/** Marks a run as finalized. */
export async function endRun(db: Db, run: RunOfStage): Promise<void> {
  await db.updateTable('runs').set({ ended_at: sql`now()` }).where(ofRun(run)).execute();
}

/** When the current runs of an import began and ended, by stage. */
export async function readRunTimes(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run' | 'enrich_run' | 'push_run'>,
): Promise<Map<Stage, { startedAt: Date; endedAt: Date | null }>> {
  const current: Record<Stage, number> = {
    parse: record.rows_run,
    enrich: record.enrich_run,
    push: record.push_run,
  };
  const rows = await db
    .selectFrom('runs')
    .select(['stage', 'started_at as startedAt', 'ended_at as endedAt'])
    .where('import_id', '=', record.id)
    .where(({ eb, or, and }) =>
      or(
        (Object.entries(current) as [Stage, number][]).map(([stage, run]) =>
          and([eb('stage', '=', stage), eb('run', '=', run)]),
        ),
      ),
    )
    .execute();
  return new Map(rows.map(({ stage, ...times }) => [stage, times]));
}
