import { changeImport } from '@draftshelf/core/imports/imports';
import { addProposals, type NewProposal } from '@draftshelf/core/review/proposals/proposals';
import { lockRows } from '@draftshelf/core/review/rows-lock';
import type { Fixture } from './fixture.ts';

/** A proposal for a row by its number. */
export type RowProposal = Omit<NewProposal, 'byteFrom'>;

/** Gives rows of an import proposals, as a task would. */
export async function propose(
  { database: { db, pool } }: Pick<Fixture, 'database'>,
  id: string,
  proposals: readonly RowProposal[],
): Promise<void> {
  const { rows } = await pool.query<{ row: number; byte_from: number }>(
    'select rows.row, byte_from from rows join imports on imports.id = import_id and rows_run = run where import_id = $1',
    [id],
  );
  const byteFrom = new Map(rows.map((row) => [row.row, row.byte_from]));
  await db.transaction().execute(async (trx) => {
    await lockRows(trx, id);
    await addProposals(
      trx,
      id,
      proposals.map((one) => ({ ...one, byteFrom: byteFrom.get(one.row) ?? -1 })),
    );
    await changeImport(trx, id, {});
  });
}
