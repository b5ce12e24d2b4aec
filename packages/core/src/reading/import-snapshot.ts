import { type RowClass, rowClasses } from '@draftshelf/domain/review/row-rule';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { type ImportRecord, type ImportSnapshot, snapshotColumns } from '../connection/schema.ts';
import type { StorableJson } from '../connection/storable-json.ts';
import { ofRun, readRun } from '../work/runs.ts';

/** SQL value: an import's current state, for the run that is about to change it. */
export function snapshotOf(importId: string) {
  const columns = sql.join(snapshotColumns.flatMap((column) => [sql.lit(column), sql.ref(column)]));
  return sql<StorableJson>`(
    select json_build_object('status', status, 'columns', json_build_object(${columns}),
      'last_edit', (select coalesce(max(edits.id), 0) from edits where edits.import_id = imports.id))
    from imports where id = ${importId})`;
}

/** The state of an import before its re-read, which is its latest parse run. Throws when that run stored none. */
export async function readSnapshot(
  db: Db,
  { id, parse_run }: Pick<ImportRecord, 'id' | 'parse_run'>,
): Promise<ImportSnapshot> {
  const { snapshot } = await readRun(db, { import_id: id, stage: 'parse', run: parse_run }, ['snapshot']);
  if (!snapshot) throw new Error(`Run ${parse_run} of import ${id} has no snapshot`);
  return snapshot;
}

/** Adds an edit made during a re-read to the counts that the import would roll back to. */
export async function moveSnapshotCounts(
  db: Db,
  record: Pick<ImportRecord, 'id' | 'parse_run'>,
  by: Record<RowClass, number>,
): Promise<void> {
  const column = (name: RowClass) =>
    sql`${sql.lit(`${name}_products`)}, (snapshot->'columns'->>${sql.lit(`${name}_products`)})::int + ${by[name]}`;
  await sql`
    update runs set snapshot = jsonb_set(snapshot::jsonb, '{columns}',
      (snapshot->'columns')::jsonb || jsonb_build_object(${sql.join(rowClasses.map(column))}))::json
    where ${ofRun({ import_id: record.id, stage: 'parse', run: record.parse_run })} and snapshot is not null`.execute(
    db,
  );
}
