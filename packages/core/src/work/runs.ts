import type { Dialect, ScannedTable } from '@draftshelf/csv/dialect';
import type { Stage } from '@draftshelf/domain/imports/stages';
import type { Guards } from '@draftshelf/domain/products/guards';
import type { HeaderMapping, MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import { type FileRules, rulesOf } from '@draftshelf/domain/review/validate-row';
import { type InsertObject, type SqlBool, sql, type UpdateObject } from 'kysely';
import type { Db } from '../connection/database.ts';
import { findRow, queryRows, queryValue } from '../connection/query-rows.ts';
import type { ImportRecord, RowFacet, RunRecord, Schema, SharedTitles } from '../connection/schema.ts';
import { storableJson } from '../connection/storable-json.ts';
import { changeParseRun, splitImportColumns } from '../imports/imports.ts';
import { addDefinitions } from '../push/store/metafield-definitions.ts';

export function getRunColumn(stage: Stage): 'parse_run' | 'enrich_run' | 'push_run' {
  return `${stage}_run`;
}

/** The nth execution of a stage for an import. */
export type RunOfStage = { import_id: string; stage: Stage; run: number };

/** The parse run to which rows belong. */
export type RunOfRows = Omit<RunOfStage, 'stage'>;

export const currentRows = ({ id, rows_run }: Pick<ImportRecord, 'id' | 'rows_run'>): RunOfRows => ({
  import_id: id,
  run: rows_run,
});

/** SQL condition on `runs` or `chunks`: a row belongs to this run. */
export function belongsToRun({ import_id, stage, run }: RunOfStage) {
  return sql<SqlBool>`import_id = ${import_id} and stage = ${stage} and run = ${run}`;
}

export const toParseRun = ({ import_id, run }: RunOfRows): RunOfStage => ({
  import_id,
  stage: 'parse',
  run,
});

export type RunOverrides = { dialect: Dialect; mappingOverrides: MappingOverrides };

export type ParseRun = { dialect: Dialect; headers: string[]; mapping: HeaderMapping };

/** The store's currency, with which the currencies of rows are compared. */
type InCurrency = { currency?: string | null };

/** The supplier that the operator chose: an existing one, a new one by name ('' for a suggested name), or none. */
export type ChosenSupplier = { supplier: number } | { name: string } | { supplier: null };

type OfSupplier = { chosen?: ChosenSupplier | undefined };

const chosenColumns = (chosen: ChosenSupplier | undefined) =>
  chosen && {
    supplier: 'name' in chosen ? null : chosen.supplier,
    supplier_name: 'name' in chosen ? chosen.name : null,
    supplier_by: 'operator' as const,
  };

export type NewParseRun = ParseRun & InCurrency & OfSupplier & { mappingOverrides?: MappingOverrides };

/** Begins a parse run whose file has been read already. */
export async function insertParseRun(
  db: Db,
  of: RunOfRows,
  parse: NewParseRun,
  state: Partial<InsertObject<Schema, 'runs'>> = {},
): Promise<void> {
  await db
    .insertInto('runs')
    .values({
      ...toParseRun(of),
      ...state,
      dialect: storableJson(parse.dialect),
      headers: storableJson(parse.headers),
      mapping: storableJson(await addDefinitions(db, parse.mapping)),
      mapping_overrides: storableJson(parse.mappingOverrides ?? {}),
      currency: parse.currency ?? null,
      ...chosenColumns(parse.chosen),
    })
    .execute();
}

/** Stores a new import with its first parse run, whose file has been read already. */
export async function insertImport(
  db: Db,
  values: InsertObject<Schema, 'import_records'>,
  parse: NewParseRun,
): Promise<ImportRecord> {
  const { ofImport, ofRun: belongsToRun } = splitImportColumns(values);
  const { id } = await db
    .insertInto('imports')
    .values(ofImport as InsertObject<Schema, 'imports'>)
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertParseRun(db, { import_id: id, run: 1 }, parse, belongsToRun);
  return db.selectFrom('import_records').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Inserts a parse run for a locked import. Until the file is split, the run has the counters of the earlier run. */
export async function insertUnsplitRun(
  db: Db,
  record: ImportRecord,
  run: number,
  begun: RunOverrides & InCurrency & OfSupplier & { lastEdit: number },
): Promise<void> {
  const { total_rows, total_products, product_numbers, edits_without_row } = record;
  await db
    .insertInto('runs')
    .values({
      ...toParseRun({ import_id: record.id, run }),
      kind: 'reread',
      dialect: storableJson(begun.dialect),
      mapping_overrides: storableJson(begun.mappingOverrides),
      ...{ status_before: record.status, edit_before: begun.lastEdit },
      ...{ total_rows, total_products, product_numbers, edits_without_row },
      ...{ open_chunks: 1, import_started_at: sql`now()` },
      currency: begun.currency ?? null,
      ...chosenColumns(begun.chosen),
    })
    .execute();
}

export async function insertEnrichRun(db: Db, { import_id, run }: RunOfRows): Promise<void> {
  await sql`insert into runs (import_id, stage, run) values (${import_id}, 'enrich', ${run})`.execute(db);
}

export async function completeParseRun(
  db: Db,
  of: RunOfRows,
  { dialect, headers, mapping }: ParseRun,
  state: UpdateObject<Schema, 'runs'>,
): Promise<void> {
  await changeParseRun(db, of, {
    ...state,
    dialect: storableJson(dialect),
    headers: storableJson(headers),
    mapping: storableJson(await addDefinitions(db, mapping)),
  });
}

/** Returns the number of the latest parse run, even if that run failed or was rolled back. */
export const readLastParseRun = (db: Db, importId: string) =>
  queryValue<number>(db)`
    select coalesce(max(run), 0) as last from runs where import_id = ${importId} and stage = 'parse'`;

/** Returns some columns of a run. Throws when there is no such run. */
export async function readRun<Column extends keyof RunRecord>(
  db: Db,
  run: RunOfStage,
  columns: readonly Column[],
): Promise<Pick<RunRecord, Column>> {
  const row = await db.selectFrom('runs').select(columns).where(belongsToRun(run)).executeTakeFirst();
  if (!row) throw new Error(`Import ${run.import_id} has no ${run.stage} run ${run.run}`);
  return row as unknown as Pick<RunRecord, Column>;
}

/** Stores whether rows of a run may lack values that are derived from their cells, found values and edits. */
export async function setMayLackValues(db: Db, of: RunOfRows, lacks: boolean): Promise<void> {
  await changeParseRun(db, of, { lacks_values: lacks });
}

export async function readRunOverrides(db: Db, of: RunOfRows): Promise<RunOverrides> {
  const { dialect, mapping_overrides } = await readRun(db, toParseRun(of), ['dialect', 'mapping_overrides']);
  if (!dialect) throw new Error(`Parse run ${of.run} of import ${of.import_id} has no dialect`);
  return { dialect, mappingOverrides: mapping_overrides ?? {} };
}

/** Returns the supplier that the operator chose for a parse run, or undefined without a choice. */
export async function readChosenSupplier(db: Db, of: RunOfRows): Promise<ChosenSupplier | undefined> {
  const columns = ['supplier', 'supplier_by', 'supplier_name'] as const;
  const { supplier, supplier_by, supplier_name } = await readRun(db, toParseRun(of), columns);
  if (supplier_by !== 'operator') return undefined;
  return supplier === null && supplier_name !== null ? { name: supplier_name } : { supplier };
}

export async function storeChosenSupplier(db: Db, of: RunOfRows, chosen: ChosenSupplier): Promise<void> {
  await changeParseRun(db, of, { ...chosenColumns(chosen) });
}

/** `isPartial`: the file is a list of prices and stock of a known supplier. */
export type SplitParseRun = ParseRun & Required<InCurrency> & { isPartial: boolean; facets: RowFacet[] };

/** Returns dialect, headers, mapping, currency and facets of a parse run. Throws if the file has not been split yet. */
export async function readParseRun(db: Db, of: RunOfRows): Promise<SplitParseRun> {
  const columns = ['dialect', 'headers', 'mapping', 'currency', 'is_partial', 'facets'] as const;
  const { dialect, headers, mapping, currency, is_partial, facets } = await readRun(
    db,
    toParseRun(of),
    columns,
  );
  if (!dialect || !headers || !mapping) {
    throw new Error(`Parse run ${of.run} of import ${of.import_id} is not split`);
  }
  return { dialect, headers, mapping, currency, isPartial: is_partial === true, facets };
}

/** Returns headers and mapping by import id. Skips imports that are not lists of prices and stock. */
export async function readPartialRuns(
  db: Db,
  records: readonly ImportRecord[],
): Promise<Map<string, Pick<ParseRun, 'headers' | 'mapping'>>> {
  if (records.length === 0) return new Map();
  const rows = await queryRows<Pick<ParseRun, 'headers' | 'mapping'> & { import_id: string }>(db)`
    select import_id, headers, mapping from runs
    join unnest(${records.map(({ id }) => id)}::uuid[], ${records.map(({ rows_run }) => rows_run)}::int[])
      current(id, rows_run) on import_id = id and run = rows_run
    where stage = 'parse' and is_partial and ended_at is not null`;
  return new Map(rows.map(({ import_id, ...file }) => [import_id, file]));
}

export type RowRules = FileRules & { mapping: HeaderMapping | null; guards: Guards | null };

export async function readRowRules(db: Db, of: RunOfRows): Promise<RowRules> {
  const columns = ['currency', 'mapping', 'is_partial', 'guards'] as const;
  const { currency, mapping, is_partial, guards } = await readRun(db, toParseRun(of), columns);
  const ofMapping = mapping === null ? { hasParents: false } : rulesOf(mapping);
  return { currency, ...ofMapping, isPartial: is_partial === true, mapping, guards };
}

/** Stores the guards that the next checks of the rows use. */
export async function setRunGuards(db: Db, of: RunOfRows, guards: Guards | null): Promise<void> {
  await changeParseRun(db, of, { guards: guards && storableJson(guards) });
}

/** Returns whether a parse run has been finalized. */
export async function hasRunEnded(db: Db, of: RunOfRows): Promise<boolean> {
  return (await readRun(db, toParseRun(of), ['ended_at'])).ended_at !== null;
}

/** `sharedTitles`: null if no products share a title, or if no columns distinguish products that share one. */
type EndedRun = Pick<RunRecord, 'guards'> & {
  endedAt: Date;
  isPartial: boolean;
  sharedTitles: SharedTitles | null;
};

/** Returns a finalized parse run. */
export const findEndedRun = (db: Db, of: RunOfRows) =>
  findRow<EndedRun>(db)`
    select ended_at as "endedAt", is_partial is true as "isPartial", shared_titles as "sharedTitles", guards
    from runs where ${belongsToRun(toParseRun(of))} and ended_at is not null`;

type ShownDialect = Pick<Dialect, 'encoding' | 'delimiter' | 'quote' | 'headerRecord' | 'sheetRows'> & {
  table: Pick<ScannedTable, 'name' | 'kind'> | null;
};

/** The dialect of the current rows and that of the latest parse run, which may differ. */
export type FileDialects = {
  current?: { dialect: ShownDialect; mapping: HeaderMapping };
  latest?: ShownDialect;
};

/** Returns a dialect without its column profiles, which are most of its text. */
export function toShownDialect(dialect: Dialect): ShownDialect {
  const { encoding, delimiter, quote, headerRecord, table, sheetRows } = dialect;
  const shown = table ? { name: table.name, kind: table.kind } : null;
  const rows = sheetRows && { sheetRows };
  return { encoding, delimiter, quote, headerRecord, ...rows, table: shown };
}

export async function readFileDialects(
  db: Db,
  importIds: readonly string[],
): Promise<Map<string, FileDialects>> {
  const readings = new Map<string, FileDialects>();
  if (importIds.length === 0) return readings;
  type Reading = Pick<RunRecord, 'import_id' | 'mapping' | 'dialect' | 'run'> &
    Pick<ImportRecord, 'rows_run' | 'parse_run'>;
  const rows = await queryRows<Reading>(db)`
    select import_id, mapping, run, rows_run, parse_run, dialect
    from runs join imports on imports.id = import_id and run in (rows_run, parse_run)
    where runs.stage = 'parse' and import_id = any(${importIds}::uuid[])`;
  for (const { import_id, mapping, dialect, run, rows_run, parse_run } of rows) {
    const reading = readings.get(import_id) ?? {};
    // The dialect is reduced here instead of in SQL, where one unreadable dialect would fail the whole statement.
    const shown = dialect && toShownDialect(dialect);
    if (run === rows_run && mapping && shown) reading.current = { mapping, dialect: shown };
    if (run === parse_run && shown) reading.latest = shown;
    readings.set(import_id, reading);
  }
  return readings;
}

export async function endRun(db: Db, run: RunOfStage): Promise<void> {
  await db.updateTable('runs').set({ ended_at: sql`now()` }).where(belongsToRun(run)).execute();
}

/** Returns start and end of an import's current runs, by stage. */
export async function readRunTimes(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'rows_run' | 'enrich_run' | 'push_run'>,
): Promise<Map<Stage, { startedAt: Date; endedAt: Date | null }>> {
  const rows = await queryRows<{ stage: Stage; startedAt: Date; endedAt: Date | null }>(db)`
    select stage, started_at as "startedAt", ended_at as "endedAt" from runs
    where import_id = ${record.id} and (stage, run) in (
      ('parse', ${record.rows_run}::int), ('enrich', ${record.enrich_run}::int), ('push', ${record.push_run}::int))`;
  return new Map(rows.map(({ stage, ...times }) => [stage, times]));
}

const timedRunsMax = 40;

/** Returns the newest runs of an import in the order of their starts. */
export async function listRunTimes(db: Db, importId: string) {
  const newest = await queryRows<Pick<RunRecord, 'stage' | 'kind' | 'started_at' | 'ended_at'>>(db)`
    select stage, kind, started_at, ended_at from runs where import_id = ${importId}
    order by started_at desc, run desc limit ${timedRunsMax}`;
  return newest.reverse();
}
