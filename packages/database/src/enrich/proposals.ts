import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import { aiSource, ruleSource } from '@draftshelf/domain/sources';
import { storableText } from '@draftshelf/domain/storable-text';
import { type RawBuilder, sql } from 'kysely';
import type { RunOfRows } from '../chunks/runs.ts';
import type { Db } from '../connection/database.ts';
import { storableJson } from '../connection/storable-json.ts';
import { unnestRows } from '../connection/unnest-rows.ts';
import type { ProposalRecord } from '../schema.ts';
import { holdSources } from './sources.ts';

/** A value for a field of the record that begins at `byteFrom`, which now has the number `row`. */
export type NewProposal = {
  row: number;
  byteFrom: number;
  field: CanonicalField;
  /** The field's value now, null for none. A bulk decision takes the proposal only while it is the same. */
  before: string | null;
  value: string;
  /** A source of look-ups, `ruleSource` or `aiSource`. */
  source: string;
  /** A code of the domain's ProposalReason, or a sentence for the operator. */
  reason: string;
  /** The words of the row that the value rests on. */
  evidence?: string | null;
  /** What proposals of a group have in common, as shown: 'Wall Art'. Null: it is in no group. */
  groupKey?: string | null;
  /** The GTIN that was looked up; null if the value does not follow from one. */
  gtin?: string | null;
  attribution?: string | null;
};

/** Sources of which a field of a row has one open proposal: a newer one replaces it. */
const replacing: readonly string[] = [ruleSource, aiSource];

/**
 * Stores proposals; the caller holds the lock of the import's rows. One that was taken or dismissed before stays so;
 * one of a renumbered row moves with it. A proposal of rules or AI replaces their open one for the field. `before` of a
 * field that was edited stays the value that the first proposal was about, so that a bulk decision leaves the edit.
 */
export async function addProposals(
  db: Db,
  importId: string,
  proposals: readonly NewProposal[],
): Promise<void> {
  if (proposals.length === 0) return;
  const given = new Map(
    proposals.map((proposal) => {
      const { byteFrom, field, source } = proposal;
      const value = storableText(proposal.value);
      const key = storableJson([byteFrom, field, source, replacing.includes(source) ? '' : value]);
      const { evidence = null, gtin = null, attribution = null } = proposal;
      const groupKey = isShort(proposal.groupKey) ? proposal.groupKey : null;
      return [key, { ...proposal, value, evidence, groupKey, gtin, attribution }];
    }),
  );
  const rows = [...given.values()];
  await removeReplaced(
    db,
    importId,
    rows.filter(({ source }) => replacing.includes(source)),
  );
  await sql`
    insert into proposals
      (import_id, row, byte_from, field, before, value, source, reason, evidence, group_key, gtin, attribution)
    select ${importId}, added.* from ${unnestRows('added', rows, proposalColumns)}
    on conflict (import_id, byte_from, field, source, md5(value)) do update set row = excluded.row,
      reason = excluded.reason, evidence = excluded.evidence, group_key = excluded.group_key,
      before = case when exists (
        select 1 from edits
        where edits.import_id = proposals.import_id and edits.byte_from = proposals.byte_from
          and edits.field = proposals.field) then proposals.before else excluded.before end`.execute(db);
}

/** A longer text names no group that could be shown in one line. */
const groupKeyCharsMax = 255;

const isShort = (text: string | null | undefined): text is string =>
  typeof text === 'string' && text.length <= groupKeyCharsMax;

const proposalColumns = {
  row: 'int',
  byteFrom: 'bigint',
  field: 'text',
  before: 'text',
  value: 'text',
  source: 'text',
  reason: 'text',
  evidence: 'text',
  groupKey: 'text',
  gtin: 'text',
  attribution: 'text',
} as const;

/** Removes the open proposals that have another value than these of the same field and source. */
async function removeReplaced(
  db: Db,
  importId: string,
  rows: readonly { byteFrom: number; field: string; source: string; value: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  const { byteFrom, field, source, value } = proposalColumns;
  await sql`
    delete from proposals using ${unnestRows('newer', rows, { byteFrom, field, source, value })}
    where import_id = ${importId} and state = 'open' and proposals.byte_from = newer.byte_from
      and proposals.field = newer.field and proposals.source = newer.source
      and proposals.value <> newer.value`.execute(db);
}

/** At most this many open proposals of an import are listed at once. */
export const proposalsListedMax = 50;

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
  await reopen(
    db,
    importId,
    sql`(byte_from, field) in (${pairsOf(cells)}) and (taken_by is not null or passed_over_by is not null)`,
  );
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
  const decided = sql`(byte_from, field) in (${pairsOf(cells)}) and ${command} in (taken_by, passed_over_by)`;
  if (direction === 'undo') return reopen(db, importId, decided);
  await sql`
    update proposals set decided_at = now(),
      state = case when taken_by = ${command} then 'taken' else 'dismissed' end
    where import_id = ${importId} and ${decided}`.execute(db);
}

/** Reopens decided proposals. Of rules and AI only the newest for a field, and none while a newer one is open. */
async function reopen(db: Db, importId: string, decided: RawBuilder<unknown>): Promise<void> {
  const isReplacing = sql`source in (${sql.join(replacing.map((source) => sql.lit(source)))})`;
  const kind = sql`case when ${isReplacing} then source else id::text end`;
  await sql`
    update proposals set state = 'open', decided_at = null where id in (
      select distinct on (byte_from, field, kind) id from (
        select id, byte_from, field, ${kind} as kind from proposals decided
        where import_id = ${importId} and state <> 'open' and ${decided}
          and not (${isReplacing} and exists (
            select 1 from proposals newer
            where newer.import_id = decided.import_id and newer.byte_from = decided.byte_from
              and newer.field = decided.field and newer.source = decided.source and newer.state = 'open'))
      ) reopened
      order by byte_from, field, kind, id desc)`.execute(db);
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
      and proposals.gtin is not null and proposals.gtin is distinct from now_is.gtin`.execute(db);
}
