import type { LineFacts } from '@draftshelf/domain/push/line-facts-schema';
import { countDecisions } from '@draftshelf/domain/push/plan-decisions';
import type { ChoiceSubject, PushChoice } from '@draftshelf/domain/push/push-choices';
import { type Deviation, deviations, type PlannedLine, toSums } from '@draftshelf/domain/push/push-plan';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { PlanLineRecord, PlanRecord } from '../../connection/schema.ts';
import { unnestRows } from '../../connection/unnest-rows.ts';
import { cellsWithOtherValues, type EditRange } from '../../review/commands/edits-since.ts';
import { findRowsOfProducts } from '../../review/effective-rows.ts';
import type { RunOfRows } from '../../work/runs.ts';
import { insertPreviewLines, listedLineColumns, parseLines, readPreviewLines } from './preview-lines.ts';

/** `live`: the store's product as read. Null if a listing already has this state, or if the store has no product. */
export type NewPlanLine = {
  product: number;
  outcome: string;
  code: string | null;
  message: string | null;
  changeRank: number;
  storeProductId: string | null;
  live: object | null;
  facts: LineFacts['push'];
  /** `ourId`: the id under which the choice is stored. */
  question: {
    ourId: string;
    about: ChoiceSubject;
    basis: string;
    choices: readonly PushChoice[];
    choice: PushChoice | null;
  } | null;
};

export async function insertPlanLines(db: Db, plan: number, lines: readonly NewPlanLine[]): Promise<void> {
  await insertPreviewLines(
    db,
    { id: plan, kind: 'push' },
    lines.map(({ product, outcome, question, ...line }) => ({
      ...line,
      ...{ line: product, action: outcome },
      ...(question && { ...question, choices: question.choices.join(','), plannedChoice: question.choice }),
    })),
  );
}

/** `open`: only lines that wait for a decision. `otherwise`: only lines not pushed as planned ('true': any reason). */
export type PlanFilter = {
  outcome?: string | undefined;
  code?: string | undefined;
  about?: ChoiceSubject | undefined;
  open?: boolean | undefined;
  otherwise?: Deviation | 'true' | undefined;
};

type CountedPlan = Pick<PlanRecord, 'id' | 'sums' | 'decisions'>;

/** Reads the next lines after a product's line, largest changes first. The caller read `plan` in the same snapshot. */
export async function readPlanByChange(
  db: Db,
  plan: CountedPlan,
  filter: PlanFilter,
  page: { after: number; limit: number },
): Promise<PlanLineRecord[]> {
  const { after } = page;
  const rank = sql`(select change_rank from preview_lines where preview = ${plan.id} and line = ${after})`;
  const isNext = after === 0 ? sql`true` : sql`(change_rank, line) > (${rank}, ${after})`;
  // One query per index range, because a single statement would sort or search a million lines.
  const lists = listsOf(plan, filter).map(
    (list) => sql`(
      select ${listedLineColumns} from preview_lines where ${list.condition} and ${isNext}
      order by ${list.order} limit ${page.limit})`,
  );
  if (lists.length === 0) return [];
  const lines = await queryRows<{ facts: unknown }>(db)`
    select * from (${sql.join(lists, sql` union all `)}) lines
    order by ${byChange} limit ${page.limit}`;
  return parseLines('push', lines);
}

/** A range of an index. `order` repeats columns of the condition, because `is null` is no constant for the planner. */
type LineList = { condition: RawBuilder<unknown>; order: RawBuilder<unknown> };

/** Returns the index ranges that contain the lines of a filter. Some of these ranges may be empty. */
function listsOf({ id, sums, decisions }: CountedPlan, filter: PlanFilter): LineList[] {
  const { outcome, code, about, open, otherwise } = filter;
  if (otherwise !== undefined) {
    const reasons = deviations.filter((one) => otherwise === 'true' || otherwise === one);
    return reasons.map((one) => ({
      condition: sql`${isLineOfPlan(id)} and otherwise = ${one} and ${conditionOf(filter)}`,
      order: byChange,
    }));
  }
  const outcomes = toSums(sums).filter(
    (one) => one.products > 0 && (outcome ?? one.outcome) === one.outcome && (code ?? one.code) === one.code,
  );
  const asked = countDecisions(decisions).flatMap((one) => [
    ...(one.open > 0 ? [{ about: one.about, choice: null }] : []),
    ...one.choices.flatMap(({ choice, decided }) => (decided > 0 ? [{ about: one.about, choice }] : [])),
  ]);
  const choices = [{ about: null, choice: null }, ...asked].filter(
    (one) => (about ?? one.about) === one.about && (!open || (one.about !== null && one.choice === null)),
  );
  return choices.flatMap((one) =>
    outcomes.map((of) => ({
      condition: sql`${isLineOfPlan(id)} and ${allEqual({ ...one, action: of.outcome, code: of.code })}`,
      order: byList,
    })),
  );
}

/** SQL condition: a line of a plan. `+ 0` rules out the primary key, with which the planner would sort all lines. */
export const isLineOfPlan = (plan: number): RawBuilder<boolean> =>
  sql<boolean>`preview + 0 = ${plan} and change_rank is not null`;

const byChange = sql`change_rank, line`;
const byList = sql`about, choice, action, code, change_rank, line`;

function conditionOf({ outcome, code, about, open }: PlanFilter): RawBuilder<unknown> {
  const given = Object.entries({ action: outcome, code, about }).filter(([, value]) => value !== undefined);
  const isOpen = open ? sql`about is not null and choice is null` : sql`true`;
  return sql.join([allEqual(Object.fromEntries(given)), isOpen], sql` and `);
}

function allEqual(values: Record<string, string | null | undefined>): RawBuilder<unknown> {
  const conditions = Object.entries(values).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  );
  return sql.join([sql`true`, ...conditions], sql` and `);
}

/** Reads the next lines after a product number, in the order of products. */
export const readPlanByProduct = (
  db: Db,
  plan: number,
  { after, limit }: { after: number; limit: number },
): Promise<PlanLineRecord[]> => readPreviewLines(db, { id: plan, kind: 'push' }, sql`line > ${after}`, limit);

/** Finds a product's line, with the store's product if the plan has read it. */
export async function findPlanLine(
  db: Db,
  plan: number,
  product: number,
): Promise<(PlanLineRecord & { live: object | null }) | undefined> {
  const lines = await queryRows<{ facts: unknown; live: object | null }>(db)`
    select ${listedLineColumns}, live from preview_lines where preview = ${plan} and line = ${product}`;
  return parseLines('push', lines)[0];
}

/** Finds products with rows whose values have been changed by edits after `since`. */
export async function findEditedProducts(
  db: Db,
  of: RunOfRows,
  products: readonly number[],
  since: EditRange,
): Promise<Set<number>> {
  const found = await findRowsOfProducts(db, of, products);
  const numbers = found.flatMap(({ rows }) => rows);
  if (numbers.length === 0) return new Set();
  const ofRows = sql`(
    select edits.* from rows join edits on edits.import_id = rows.import_id and edits.byte_from = rows.byte_from
    where rows.import_id = ${of.import_id} and run = ${of.run} and rows.row = any(${numbers}::int[])
      and edits.id > ${since.after})`;
  const rows = await queryRows<{ product: number }>(db)`
    select distinct product from rows
    where import_id = ${of.import_id} and run = ${of.run} and row = any(${numbers}::int[])
      and byte_from in (select byte_from from (${cellsWithOtherValues(ofRows, since.unsureUntil)}) changed)`;
  return new Set(rows.map(({ product }) => product));
}

export type ComparedLine = PlannedLine & { product: number; done: string; doneCode: string | null };

/** Reads the next planned products after a product number, with their outcomes in a push run. */
export const readOutcomesOfPlan = (
  db: Db,
  { plan, rows, pushRun }: { plan: number; rows: RunOfRows; pushRun: number },
  { after, limit }: { after: number; limit: number },
) =>
  queryRows<ComparedLine>(db)`
    select outcomes.product, outcomes.outcome as done, outcomes.code as "doneCode", lines.action as outcome, lines.code,
      lines.about, lines.planned_choice as "plannedChoice", lines.choice
    from outcomes join preview_lines lines on lines.preview = ${plan} and lines.line = outcomes.product
    where outcomes.import_id = ${rows.import_id} and outcomes.rows_run = ${rows.run} and outcomes.run = ${pushRun}
      and outcomes.product > ${after}
    order by outcomes.product limit ${limit}`;

/** Stores why the push of products differs from the plan. */
export async function storeDeviations(
  db: Db,
  plan: number,
  lines: readonly { product: number; otherwise: Deviation }[],
): Promise<void> {
  if (lines.length === 0) return;
  await sql`
    update preview_lines set otherwise = given.otherwise
    from ${unnestRows('given', lines, { product: 'int', otherwise: 'text' })}
    where preview = ${plan} and preview_lines.line = given.product`.execute(db);
}
