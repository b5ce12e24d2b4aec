import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { type BaseCommand, isCarriedCommand } from '@draftshelf/domain/review/operations/carried-command';
import { describeOperations } from '@draftshelf/domain/review/operations/operations-sentence';
import type { ListCommand } from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows } from '../connection/query-rows.ts';
import type { EditCommandRecord, ImportRecord } from '../connection/schema.ts';
import { countProposals } from '../review/proposals/listed-proposals.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Fields in which a supplier's change stops full auto until the operator decides on it. */
const decidedFirst = ['price', 'compareAtPrice', 'cost', 'quantity'] as const;

/** Counts undecided changes by the supplier in prices and quantities, up to 10,000 per field. */
export async function countUndecidedPrices(db: Db, of: RunOfRows): Promise<number> {
  let count = 0;
  for (const field of decidedFirst) count += await countProposals(db, of, { source: supplierSource, field });
  return count;
}

/** Counts undecided changes by suppliers in prices and quantities, by import. */
export async function countPricesToDecide(
  db: Db,
  records: readonly Pick<ImportRecord, 'id' | 'supplier' | 'status'>[],
): Promise<Map<string, number>> {
  const lists = records.filter(({ supplier, status }) => supplier !== null && canDo('review', status));
  if (lists.length === 0) return new Map();
  const rows = await queryRows<{ import_id: string; count: number }>(db)`
    select import_id, count(*)::int as count from proposals
    where import_id = any(${lists.map(({ id }) => id)}::uuid[]) and state = 'open'
      and source = ${supplierSource} and field = any(${[...decidedFirst]}::text[])
    group by import_id`;
  return new Map(rows.map(({ import_id, count }) => [import_id, count]));
}

const commandsReadMax = 1_000;

/** Reads the applied commands that next lists do not get, oldest first. `id`: null for commands of earlier uploads. */
export async function readUncarriedCommands(db: Db, importId: string) {
  type DoneCommand = BaseCommand & Pick<EditCommandRecord, 'id' | 'rows' | 'copied' | 'steps'>;
  const commands = await queryRows<DoneCommand>(db)`
    select id, kind, operations, ${targetsColumn}, rows, copied, steps from edit_commands
    where import_id = ${importId} and (kind in ('bulk', 'recipes') or copied is not null) and state = 'applied' and rows > 0
    order by created_at desc, id desc limit ${sql.lit(commandsReadMax)}`;
  return commands.toReversed().flatMap((command): (ListCommand & { id: string | null })[] => {
    const { id, operations, rows, copied, steps } = command;
    if (copied) return copied.map((earlier) => ({ ...earlier, id: null }));
    if (steps)
      return steps.map((step) => ({ id, sentence: describeOperations(step.operations), rows: step.rows }));
    return isCarriedCommand(command) ? [] : [{ id, sentence: describeOperations(operations ?? []), rows }];
  });
}

/** SQL column: 'rows' or 'filter', by which a command's rows were chosen, or null if it has no target. */
export const targetsColumn = sql`
  case when target is null then null when target -> 'rows' is null then 'filter' else 'rows' end as targets`;
