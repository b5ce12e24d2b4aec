import type { Outcome, OutcomeCode } from '@draftshelf/domain/imports/outcome';
import { choiceSubjects } from '@draftshelf/domain/push/push-choices';
import { sql } from 'kysely';
import type { Db } from '../connection/database.ts';
import { queryRows, queryValue } from '../connection/query-rows.ts';
import { isTextArray } from '../review/stored-cells.ts';
import type { RunOfRows } from '../work/runs.ts';

/** SQL condition, equal to the condition of the partial index outcomes_missed. */
const missed = sql`outcome in ('skipped','failed')`;

/** Maximum number of products to group. Grouping 50,000 of a million failed products takes 0.3 s (7,000 causes). */
const readProductsMax = 50_000;
const causesMax = 20;
const examplesMax = 3;
/** Maximum characters of a message. Longer messages are cut, because reports group by messages and send them. */
const causeCharsMax = 500;

export type MissedProductGroup = {
  outcome: Extract<Outcome, 'skipped' | 'failed'>;
  code: OutcomeCode | null;
  message: string | null;
  products: number;
  examples: number[];
};

/** Groups the first 50,000 skipped or failed products by cause: at most 20 causes, most frequent first. */
export const groupMissedByCause = (db: Db, of: RunOfRows) =>
  queryRows<MissedProductGroup>(db)`
    with sought as (
      select product, outcome, code, left(message, ${causeCharsMax}) as message from outcomes
      where import_id = ${of.import_id} and rows_run = ${of.run} and ${missed}
      order by product limit ${readProductsMax}
    )
    select outcome, code, message, count(*)::int as products,
      (array_agg(product order by product))[1:${sql.lit(examplesMax)}] as examples
    from sought group by outcome, code, message
    order by count(*) desc, min(product) limit ${causesMax}`;

/** Limit of the count, because the operator does not need larger numbers. */
const undecidedMax = 10_000;

/**
 * Counts products that the last push skipped for a decision that is still open, up to 10,000 of the first 50,000
 * missed products. Any choice made after the skip counts as the decision, because outcomes do not store the question.
 * Products that are in the store under another id are not counted: a setting decides about them.
 */
export async function countUndecidedProducts(db: Db, of: RunOfRows, shop: string): Promise<number> {
  const abouts = [...choiceSubjects.filter((about) => about !== 'in-store'), 'choice-outdated'];
  return queryValue<number>(db)`
    select count(*)::int as products from (
      select 1 from (
        select our_id, outcome, code, decided_at from outcomes
        where import_id = ${of.import_id} and rows_run = ${of.run} and ${missed}
        order by product limit ${readProductsMax}
      ) sought
      where outcome = 'skipped' and code = any(${abouts}::text[])
        and not exists (select 1 from push_choices
          where shop = ${shop} and push_choices.our_id = sought.our_id
            and (about = code or created_at > decided_at))
      limit ${undecidedMax}
    ) undecided`;
}

export type MissedProduct = {
  product: number;
  outcome: MissedProductGroup['outcome'];
  message: string | null;
};

/** Reads the next skipped or failed products after product number `after`. */
export async function readMissedProducts(db: Db, of: RunOfRows, page: { after: number; limit: number }) {
  return queryRows<MissedProduct>(db)`
    select product, outcome, message from outcomes
    where import_id = ${of.import_id} and rows_run = ${of.run} and ${missed} and product > ${page.after}
    order by product limit ${page.limit}`;
}

/** Reads the cells of rows, with repaired separators. Damaged rows have no cells. */
export async function readRowCells(db: Db, of: RunOfRows, numbers: readonly number[]) {
  const rows = await queryRows<{ row: number; product: number; cells: string[] }>(db)`
    select row, product, cells from rows
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${numbers}::int[]) order by row`;
  return rows.map((row) => (isTextArray(row.cells) ? row : { ...row, cells: [] }));
}
