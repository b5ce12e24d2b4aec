import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
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
  const storable = (text: string) => text.replaceAll('\0', '\uFFFD');
  const given = new Map(
    proposals.map((proposal) => {
      const { byte_from, field, source, before } = proposal;
      const value = storable(proposal.value);
      const key = JSON.stringify([byte_from, field, source, value]);
      return [key, { ...proposal, value, before: before === null ? null : storable(before) }];
    }),
  );
  await sql`
    insert into proposals (import_id, row, byte_from, field, before, value, source, gtin, reason, attribution)
    select ${importId}, given.*
    from json_to_recordset(${JSON.stringify([...given.values()])}::json) as given (row int, byte_from bigint, field text,
      before text, value text, source text, gtin text, reason text, attribution text)
    on conflict (import_id, byte_from, field, source, value)
      do update set row = excluded.row, before = excluded.before`.execute(db);
}

/** The open proposals of an import whose rows are current, by row, after a cursor; and how many there are. */
export async function listProposals(
  db: Db,
  record: { id: string; rows_run: number },
  after = 0,
): Promise<(ProposalRecord & { title: string | null })[]> {
  const { rows } = await sql<ProposalRecord & { title: string | null }>`
    select proposals.*, rows.title from proposals
    join rows on rows.import_id = proposals.import_id and rows.run = ${record.rows_run}
      and rows.row = proposals.row and rows.byte_from = proposals.byte_from
    where proposals.import_id = ${record.id} and state = 'open' and proposals.id > ${after}
    order by proposals.id limit ${proposalsListedMax}`.execute(db);
  return rows;
}

/** How many proposals of an import are open, counted up to a limit. */
export async function countProposals(db: Db, importId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from proposals where import_id = ${importId} and state = 'open' limit ${countedMax}) open`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

const countedMax = 10_000;

/** Decides an open proposal; undefined if it is not open. */
export async function decideProposal(
  db: Db,
  { importId, id }: { importId: string; id: number },
  state: 'taken' | 'dismissed',
): Promise<ProposalRecord | undefined> {
  // First the sources, as everybody who changes them: the other way round, two such transactions could deadlock.
  await holdSources(db);
  return db
    .updateTable('proposals')
    .set({ state, decided_at: sql`now()` })
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

/** Withdraws the other open proposals for a field of a row, which now has a value. */
export async function dismissOthers(db: Db, taken: ProposalRecord): Promise<void> {
  await db
    .updateTable('proposals')
    .set({ state: 'dismissed', decided_at: sql`now()` })
    .where('import_id', '=', taken.import_id)
    .where('byte_from', '=', taken.byte_from)
    .where('field', '=', taken.field)
    .where('state', '=', 'open')
    .execute();
}
