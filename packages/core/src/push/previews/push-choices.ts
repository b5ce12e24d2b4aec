import { type DecisionCounts, toDecisionKey } from '@draftshelf/domain/push/plan-decisions';
import { type ChoiceSubject, hasChoiceChanged, type PushChoice } from '@draftshelf/domain/push/push-choices';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../connection/database.ts';
import { queryRows } from '../../connection/query-rows.ts';
import type { PlanRecord } from '../../connection/schema.ts';
import { isLineOfPlan } from './plan-lines.ts';
import { addPreviewCounts } from './previews.ts';

/** `basis`: the state of the product for which the choice was made. */
export type StoredChoice = { basis: string; choice: PushChoice };
export type ProductChoices = ReadonlyMap<ChoiceSubject, StoredChoice>;

/** Finds the choices about products of a shop, by our id. */
export async function findChoices(
  db: Db,
  shop: string,
  ourIds: readonly string[],
): Promise<Map<string, ProductChoices>> {
  if (ourIds.length === 0) return new Map();
  const rows = await queryRows<StoredChoice & { our_id: string; about: ChoiceSubject }>(db)`
    select our_id, about, basis, choice from push_choices where shop = ${shop} and our_id = any(${ourIds}::text[])`;
  const byId = Map.groupBy(rows, ({ our_id }) => our_id);
  return new Map([...byId].map(([ourId, made]) => [ourId, new Map(made.map((one) => [one.about, one]))]));
}

/** Removes choices about written products. Choices to leave a part unsent stay, because that part still differs. */
export async function removeDoneChoices(db: Db, shop: string, ourIds: readonly string[]): Promise<void> {
  if (ourIds.length === 0) return;
  await sql`
    delete from push_choices where (shop, our_id, about) in (
      select shop, our_id, about from push_choices
      where shop = ${shop} and our_id = any(${ourIds}::text[]) and about not in ('blocked', 'not-sent')
      order by our_id, about for update)`.execute(db);
}

/** Lines per statement, which takes about 200 ms. */
const linesMax = 10_000;

export type LineChoice = {
  about: ChoiceSubject;
  choice: PushChoice | null;
  /** Undefined: all products that wait for a choice or, if `choice` is null, all products that have one. */
  product?: number | undefined;
};

/** Stores a choice for up to 10,000 planned products that allow it. Needs its own transaction. */
export async function setLineChoices(
  db: Db,
  plan: Pick<PlanRecord, 'id' | 'import_id'> & { shop: string },
  of: LineChoice,
): Promise<{ decided: number; more: boolean }> {
  const { about, choice } = of;
  // The lock allows one call at a time, which is cheaper than a lock on each line.
  await sql`select from previews where id = ${plan.id} for update`.execute(db);
  const picked = await queryRows<Picked>(db)`
    with picked as materialized (
      -- In the order of preview_lines_listed.
      select line, choices, choice, planned_choice from preview_lines where ${wantedLines(plan.id, of)}
      order by choice, action, code, change_rank, line limit ${linesMax}
    ), marked as (
      -- An array: without statistics, a join compares each of 10,000 lines with each.
      update preview_lines set choice = ${choice}
      where preview = ${plan.id} and line = any(array(select line from picked))
      returning line, our_id, basis
    ), stored as (${choice === null ? removal(plan.shop, about) : insertion(plan, about, choice)})
    select choices, choice, planned_choice, count(*)::int as products from picked
    group by choices, choice, planned_choice`;
  const decided = picked.reduce((sum, { products }) => sum + products, 0);
  if (decided === 0) return { decided, more: false };
  await moveDecisions(db, plan.id, of, picked);
  return { decided, more: decided === linesMax && of.product === undefined };
}

/** Number of picked lines by allowed choices, earlier choice and planned choice. */
type Picked = {
  choices: string;
  choice: PushChoice | null;
  planned_choice: PushChoice | null;
  products: number;
};

async function moveDecisions(
  db: Db,
  plan: number,
  { about, choice }: LineChoice,
  picked: readonly Picked[],
): Promise<void> {
  let decidedSince = 0;
  for (const { planned_choice: plannedChoice, products, ...line } of picked) {
    if (hasChoiceChanged({ about, plannedChoice, choice })) decidedSince += products;
    if (hasChoiceChanged({ about, plannedChoice, choice: line.choice })) decidedSince -= products;
  }
  await addPreviewCounts(db, plan, {
    counters: { decided_since: decidedSince },
    counts: { decisions: movedTo(choice, about, picked) },
  });
}

function movedTo(choice: PushChoice | null, about: ChoiceSubject, picked: readonly Picked[]): DecisionCounts {
  const moved: DecisionCounts = {};
  const add = (key: string, products: number) => {
    moved[key] = (moved[key] ?? 0) + products;
  };
  for (const { choice: before, products, ...line } of picked) {
    const choices = line.choices.split(',') as PushChoice[];
    add(toDecisionKey({ about, choices, choice: before }), -products);
    add(toDecisionKey({ about, choices, choice }), products);
  }
  return moved;
}

function wantedLines(plan: number, { about, choice, product }: LineChoice): RawBuilder<boolean> {
  const allowing = choice === null ? sql`true` : sql`${choice} = any(string_to_array(choices, ','))`;
  const of = sql<boolean>`about = ${about} and ${allowing}`;
  if (product !== undefined) {
    return sql`preview = ${plan} and line = ${product} and ${of} and choice is distinct from ${choice}`;
  }
  return sql`${isLineOfPlan(plan)} and ${of} and ${choice === null ? sql`choice is not null` : sql`choice is null`}`;
}

/** Inserts in the order of our ids, so that two calls about the same products do not deadlock. */
const insertion = (
  plan: Pick<PlanRecord, 'import_id'> & { shop: string },
  about: ChoiceSubject,
  choice: PushChoice,
) => sql`
  insert into push_choices (shop, our_id, about, basis, choice, import_id)
  select distinct on (our_id) ${plan.shop}, our_id, ${about}, basis, ${choice}, ${plan.import_id}::uuid from marked
  order by our_id, line
  on conflict (shop, our_id, about) do update set basis = excluded.basis, choice = excluded.choice,
    import_id = excluded.import_id, created_at = excluded.created_at`;

const removal = (shop: string, about: ChoiceSubject) => sql`
  delete from push_choices where shop = ${shop} and about = ${about}
    and our_id = any(array(select our_id from marked))`;
