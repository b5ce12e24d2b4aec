import { backSource } from '@draftshelf/domain/enrich/sources';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { backReason } from '@draftshelf/domain/suppliers/gone';
import { addProposals } from '../review/proposals/proposals.ts';
import { readParseRun } from '../work/runs.ts';
import { pageBack, wereAnyGone } from './back.ts';
import type { PreparedBatch } from './prepared-batch.ts';
import { readCells } from './values-to-carry.ts';

const rowsPerPart = 1_000;

/**
 * Proposes the status before of products that got another one because they were no longer listed, and are listed again.
 * A push changes it only once that is taken. Returns whether the step has ended.
 */
export async function proposeStatuses({ db, record, of, progress }: PreparedBatch): Promise<boolean> {
  if (progress.supplier.id === null || record.test_mode || !(await wereAnyGone(db))) return true;
  const back = await pageBack(db, of, { after: progress.at, limit: rowsPerPart });
  const { mapping } = await readParseRun(db, of);
  const ofRow = new Map(back.map((one) => [one.row, one]));
  const proposals = [];
  for await (const { row, cells } of readCells(db, of, [...ofRow.keys()])) {
    const found = ofRow.get(row);
    if (!found) continue;
    const { byteFrom, status, before: value } = found;
    const { status: before = null } = readRowValues(cells ?? [], mapping);
    proposals.push({
      ...({ row, byteFrom, field: 'status', before, value, source: backSource } as const),
      ...{ reason: backReason(status), groupKey: value },
    });
  }
  await addProposals(db, record.id, proposals);
  progress.at = back.at(-1)?.row ?? progress.at;
  return back.length < rowsPerPart;
}
