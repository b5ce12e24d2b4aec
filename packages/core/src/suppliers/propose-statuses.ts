import { relistedSource } from '@draftshelf/domain/enrich/sources';
import { readRowValues } from '@draftshelf/domain/reading/row-values';
import { relistedReason } from '@draftshelf/domain/suppliers/gone';
import type { Db } from '../connection/database.ts';
import { queryFreshRows } from '../connection/planner.ts';
import { hasRows } from '../connection/query-rows.ts';
import { addProposals } from '../review/proposals/proposals.ts';
import { type RunOfRows, readParseRun } from '../work/runs.ts';
import type { PreparedBatch, StepState } from './prepared-batch.ts';
import { readCellsOfRows } from './values-to-carry.ts';

const rowsPerPart = 1_000;

/** Proposes the former status for gone products that are listed again. Only an accepted proposal changes the store. */
export async function proposeStatuses({ db, record, of, progress }: PreparedBatch): Promise<StepState> {
  if (progress.supplier.id === null || record.test_mode) return {};
  if (!(await hasRows(db)`select 1 from runs where kind = 'gone' limit 1`)) return {};
  const back = await pageBack(db, of, progress.at);
  const { mapping } = await readParseRun(db, of);
  const ofRow = new Map(back.map((one) => [one.row, one]));
  const proposals = [];
  for await (const { row, cells } of readCellsOfRows(db, of, [...ofRow.keys()])) {
    const found = ofRow.get(row);
    if (!found) continue;
    const { byteFrom, status, before: value } = found;
    const { status: before = null } = readRowValues(cells ?? [], mapping);
    proposals.push({
      ...({ row, byteFrom, field: 'status', before, value, source: relistedSource } as const),
      ...{ reason: relistedReason(status), groupKey: value },
    });
  }
  await addProposals(db, record.id, proposals);
  const last = back.at(-1);
  return last && back.length === rowsPerPart ? { at: last.row } : {};
}

/** Reads rows of products whose status was changed by a push of kind 'gone' that no later push or undo followed. */
async function pageBack(db: Db, { import_id, run }: RunOfRows, after: number) {
  return queryFreshRows<{ row: number; byteFrom: number; status: string; before: string }>(db)`
    with gone as materialized (
      select distinct on (our_id) listings.our_id, sent->>'status' as status,
        lower(states.before->>'status') as before
      from runs join pushed_states states on states.import_id = runs.import_id and states.run = runs.run
        join listings on listings.shop = states.shop and listings.our_id = states.our_id
      where runs.kind = 'gone' and runs.stage = 'push' and undone_at is null
        -- A quantity or a tag leaves the store's status, whatever was sent at creation.
        and lower(baseline->>'status') = sent->>'status'
        and lower(states.before->>'status') <> sent->>'status'
        and not exists (
          select from pushed_states later
            left join runs others on others.import_id = later.import_id and others.run = later.run
              and others.stage = 'push'
          where later.shop = states.shop and later.our_id = states.our_id and later.id > states.id
            and later.undone_at is null and others.kind is distinct from 'gone'
        )
      order by our_id, states.id desc
    )
    select distinct on (row) row, byte_from as "byteFrom", status, before
    from gone join row_items using (our_id) cross join lateral (
      select byte_from from rows
      where rows.import_id = row_items.import_id and rows.run = row_items.run and rows.row = row_items.row offset 0
    ) of_file
    where import_id = ${import_id} and run = ${run} and row > ${after}
    order by row limit ${rowsPerPart}`;
}
