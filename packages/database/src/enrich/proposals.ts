import { storableText } from '@draftshelf/domain/storable-text';
import { sql } from 'kysely';
import type { RunOfRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { ProposalRecord } from '../schema.ts';
import { holdSources } from './sources.ts';

export type NewProposal = Pick<
  ProposalRecord,
  'row' | 'byte_from' | 'field' | 'before' | 'value' | 'source' | 'gtin' | 'reason' | 'attribution'
>;

/** At most this many open proposals of an import are listed at once. */
export const proposalsListedMax = 50;

/** Stores proposals. One that was taken or dismissed before stays so; one of a renumbered row moves with it. */
export async function insertProposals(
  db: Db,
  importId: string,
  proposals: readonly NewProposal[],
): Promise<void> {
  if (proposals.length === 0) return;
  const given = new Map(
    proposals.map((proposal) => {
      const { byte_from, field, source } = proposal;
      const value = storableText(proposal.value);
      const key = storableJson([byte_from, field, source, value]);
      return [key, { ...proposal, value }];
    }),
  );
  await sql`
    insert into proposals (import_id, row, byte_from, field, before, value, source, gtin, reason, attribution)
    select ${importId}, given.*
    from json_to_recordset(${storableJson([...given.values()])}::json) as given (row int, byte_from bigint, field text,
      before text, value text, source text, gtin text, reason text, attribution text)
    on conflict (import_id, byte_from, field, source, value)
      do update set row = excluded.row, before = excluded.before`.execute(db);
}

/** The open proposals of rows that the import has now: after a re-read, a row may be gone or be another record. */
const openNow = ({ import_id, run }: RunOfRows) => sql`
  proposals join rows on rows.import_id = proposals.import_id and rows.run = ${run}
    and rows.row = proposals.row and rows.byte_from = proposals.byte_from
  where proposals.import_id = ${import_id} and proposals.state = 'open'`;

/** The open proposals of an import whose rows are current, by row, after a cursor. */
export async function listProposals(
  db: Db,
  of: RunOfRows,
  after = 0,
): Promise<(ProposalRecord & { title: string | null })[]> {
  const { rows } = await sql<ProposalRecord & { title: string | null }>`
    select proposals.*, rows.title from ${openNow(of)} and proposals.id > ${after}
    order by proposals.id limit ${proposalsListedMax}`.execute(db);
  return rows;
}

/** Number of proposals in `listProposals`, counted up to a limit. */
export async function countProposals(db: Db, of: RunOfRows): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from ${openNow(of)} limit ${countedMax}) open`.execute(db);
  return rows[0]?.count ?? 0;
}

const countedMax = 10_000;

/** Decides an open proposal; undefined if it is not open. */
export async function decideProposal(
  db: Db,
  { importId, id }: { importId: string; id: number },
  state: 'taken' | 'dismissed',
): Promise<ProposalRecord | undefined> {
  // Locks the sources first, like all that remove open proposals: another order could deadlock.
  await holdSources(db);
  return db
    .updateTable('proposals')
    .set({ state, decided_at: sql`now()`, taken_by: null, passed_over_by: null })
    .where('import_id', '=', importId)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst();
}

/** Removes the open proposals of some sources from all imports. */
export async function removeOpenProposalsOf(db: Db, sources: readonly string[]): Promise<void> {
  await db.deleteFrom('proposals').where('source', 'in', sources).where('state', '=', 'open').execute();
}

/** Records the command that took a proposal, and withdraws the other open ones for the same field of the row. */
export async function recordTaking(db: Db, taken: ProposalRecord, command: string): Promise<void> {
  await db
    .updateTable('proposals')
    .set({ taken_by: command })
    .where('import_id', '=', taken.import_id)
    .where('id', '=', taken.id)
    .execute();
  await db
    .updateTable('proposals')
    .set({ state: 'dismissed', decided_at: sql`now()`, passed_over_by: command })
    .where('import_id', '=', taken.import_id)
    .where('byte_from', '=', taken.byte_from)
    .where('field', '=', taken.field)
    .where('state', '=', 'open')
    .execute();
}

/** A field of the record that begins at this offset. */
type CellOf = { byte_from: number; field: string };

/** Reopens the proposals that were decided by taking one for these fields, whose edits have been removed. */
export async function reopenProposals(db: Db, importId: string, cells: readonly CellOf[]): Promise<void> {
  if (cells.length === 0) return;
  await sql`
    update proposals set state = 'open', decided_at = null
    where import_id = ${importId} and (byte_from, field) in (${pairsOf(cells)})
      and (taken_by is not null or passed_over_by is not null) and state <> 'open'`.execute(db);
}

/** After the undo of a command, reopens the proposals that it decided; after its redo, decides them again. */
export async function followCommand(
  db: Db,
  importId: string,
  command: string,
  cells: readonly CellOf[],
  direction: 'undo' | 'redo',
): Promise<void> {
  if (cells.length === 0) return;
  const isUndo = direction === 'undo';
  await sql`
    update proposals set decided_at = case when ${isUndo} then null else now() end,
      state = case when ${isUndo} then 'open' when taken_by = ${command} then 'taken' else 'dismissed' end
    where import_id = ${importId} and (byte_from, field) in (${pairsOf(cells)})
      and ${command} in (taken_by, passed_over_by)`.execute(db);
}

const pairsOf = (cells: readonly CellOf[]) =>
  sql`select * from ${unnestRows('cells', cells, { byte_from: 'bigint', field: 'text' })}`;

/** Removes open proposals that were found by a GTIN that their product no longer has. */
export async function removeStaleProposals(
  db: Db,
  importId: string,
  current: readonly { byteFrom: number; gtin: string | null }[],
): Promise<void> {
  await sql`
    delete from proposals
      using ${unnestRows('now_is', current, { byteFrom: 'bigint', gtin: 'text' })}
    where import_id = ${importId} and state = 'open' and proposals.byte_from = now_is.byte_from
      and proposals.gtin is distinct from now_is.gtin`.execute(db);
}
