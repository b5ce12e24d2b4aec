import { supplierSource } from '@draftshelf/domain/enrich/sources';
import { canDo } from '@draftshelf/domain/imports/import-status';
import { type BaseCommand, isCarriedCommand } from '@draftshelf/domain/review/operations/carried-command';
import { operationsSentence } from '@draftshelf/domain/review/operations/operations-sentence';
import type { ListCommand } from '@draftshelf/domain/suppliers/list';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import type { EditCommandRecord, ImportRecord } from '../connection/schema.ts';
import { countProposals } from '../review/proposals/listed-proposals.ts';
import type { RunOfRows } from '../work/runs.ts';

/** Fields in which an undecided change of the supplier holds a push without a person. */
const decidedFirst = ['price', 'compareAtPrice', 'cost', 'quantity'] as const;

/** How many changes of the supplier in prices and quantities are undecided, of up to 10,000 for each field. */
export async function countUndecidedPrices(db: Db, of: RunOfRows): Promise<number> {
  let count = 0;
  for (const field of decidedFirst) count += await countProposals(db, of, { source: supplierSource, field });
  return count;
}

/** How many changes of their suppliers in prices and quantities are undecided in some imports, by import. */
export async function countPricesToDecide(
  db: Db,
  records: readonly Pick<ImportRecord, 'id' | 'supplier' | 'status'>[],
): Promise<Map<string, number>> {
  const lists = records.filter(({ supplier, status }) => supplier !== null && canDo('review', status));
  if (lists.length === 0) return new Map();
  const { rows } = await sql<{ import_id: string; count: number }>`
    select import_id, count(*)::int as count from proposals
    where import_id = any(${lists.map(({ id }) => id)}::uuid[]) and state = 'open'
      and source = ${supplierSource} and field = any(${[...decidedFirst]}::text[])
    group by import_id`.execute(db);
  return new Map(rows.map(({ import_id, count }) => [import_id, count]));
}

/** Commands of an import that are looked at, at most. */
const commandsReadMax = 1_000;

/**
 * The commands in effect that were done to an import and are not carried into the next list, the oldest first. Those
 * that were done to an earlier upload of the same file, of which edits were copied, have no id.
 */
export async function readUncarriedCommands(
  db: Db,
  importId: string,
): Promise<(ListCommand & { id: string | null })[]> {
  const { rows: commands } = await sql<
    BaseCommand & Pick<EditCommandRecord, 'id' | 'rows' | 'copied' | 'steps'>
  >`
    select id, kind, operations, ${targets}, rows, copied, steps from edit_commands
    where import_id = ${importId} and (kind in ('bulk', 'recipes') or copied is not null) and state = 'applied' and rows > 0
    order by created_at desc, id desc limit ${sql.lit(commandsReadMax)}`.execute(db);
  return commands.toReversed().flatMap((command): (ListCommand & { id: string | null })[] => {
    const { id, operations, rows, copied, steps } = command;
    if (copied) return copied.map((earlier) => ({ ...earlier, id: null }));
    if (steps)
      return steps.map((step) => ({ id, sentence: operationsSentence(step.operations), rows: step.rows }));
    return isCarriedCommand(command) ? [] : [{ id, sentence: operationsSentence(operations ?? []), rows }];
  });
}

/** SQL column: what a command chose its rows by. */
export const targets = sql`
  case when target is null then null when target -> 'rows' is null then 'filter' else 'rows' end as targets`;
