import { sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { duplicatesOf, moveDuplicateFacets } from '../duplicates.ts';
import { readFindings } from '../row-findings.ts';
import type { TargetOfRun } from './command-targets.ts';

const ofCommand = ({ import_id, run, command }: TargetOfRun) =>
  sql<boolean>`import_id = ${import_id} and run = ${run} and command = ${command}`;

/**
 * Compares which rows are duplicates with what is stored, for `moveNextFindings`. It reads all rows of the run and
 * locks none: 1.4 s of a million. Nothing else may change SKUs and UPCs before the differences are stored.
 */
export async function compareDuplicates(db: Db, target: TargetOfRun): Promise<void> {
  const { import_id, run, command } = target;
  await sql`delete from command_findings where ${ofCommand(target)}`.execute(db);
  await sql`
    insert into command_findings (import_id, run, command, row, field, first_row)
    select ${import_id}, ${run}, ${command}, row, field, found.first_row
    from (${duplicatesOf(target)}) found
    full join (
      select row, field, first_row from row_findings
      where import_id = ${import_id} and run = ${run} and code = 'duplicate'
    ) stored using (row, field)
    where found.first_row is distinct from stored.first_row`.execute(db);
}

/**
 * Stores the next differences between duplicates, at most of `limit` findings, with the facets. Returns whether there
 * were any. The caller holds the lock of the import's rows.
 */
export async function moveNextFindings(db: Db, target: TargetOfRun, limit: number): Promise<boolean> {
  const { import_id, run } = target;
  const { rows: next } = await sql<{ row: number; field: string; first_row: number | null }>`
    delete from command_findings where ctid = any(array(
      select ctid from command_findings where ${ofCommand(target)} order by row, field limit ${limit}))
    returning row, field, first_row`.execute(db);
  if (next.length === 0) return false;
  const numbers = [...new Set(next.map(({ row }) => row))];
  const duplicatesNow = async () => new Set((await readFindings(db, target, numbers)).map(({ row }) => row));
  const before = await duplicatesNow();
  for (const field of new Set(next.map((one) => one.field))) {
    const ofField = next.filter((one) => one.field === field);
    const gone = ofField.flatMap(({ row, first_row }) => (first_row === null ? [row] : []));
    await sql`
      delete from row_findings
      where import_id = ${import_id} and run = ${run} and code = 'duplicate' and field = ${field}
        and row = any(${gone}::int[])`.execute(db);
    const found = ofField.filter(({ first_row }) => first_row !== null);
    await sql`
      insert into row_findings (import_id, run, row, code, field, first_row)
      select ${import_id}, ${run}, row, 'duplicate', ${field}, first_row
      from unnest(${found.map(({ row }) => row)}::int[], ${found.map((one) => one.first_row)}::int[])
        as found (row, first_row)
      on conflict (import_id, run, row, code, field) do update set first_row = excluded.first_row`.execute(
      db,
    );
  }
  const after = await duplicatesNow();
  await moveDuplicateFacets(db, target, { rows: numbers, before, after });
  return true;
}
