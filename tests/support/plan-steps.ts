import type { PlanLineRecord, PlanRecord } from '@draftshelf/core/connection/schema';
import { beginPlan } from '@draftshelf/core/push/plan/plan';
import { findPreview } from '@draftshelf/core/push/previews/previews';
import { expect } from 'vitest';
import { until } from './fixture.ts';
import { pushSteps } from './push-steps.ts';
import type { Stack } from './stack.ts';

/** Steps of tests of plans on the imports of a stack, which may be started after this call. */
export function planSteps(stack: () => Stack) {
  const { push, reach, outcomes } = pushSteps(stack);

  const readPlan = async (id: string): Promise<PlanRecord> => {
    const plan = await findPreview(stack().database.db, id, 'push');
    if (!plan) throw new Error('The import has no plan');
    return plan;
  };
  const linesOf = async ({ id }: PlanRecord) =>
    stack()
      .database.db.selectFrom('preview_lines')
      .selectAll()
      .select(['line as product', 'action as outcome'])
      .where('preview', '=', id)
      .orderBy('line')
      .$castTo<PlanLineRecord & { product: number; outcome: string; live: object | null }>()
      .execute();
  /** Plans the push of an import, in place of its earlier plan. */
  const plan = async (id: string) => {
    const { db } = stack().database;
    expect(await db.transaction().execute((trx) => beginPlan(trx, id))).toMatchObject({ ok: true });
    await until('the plan is made', async () => (await readPlan(id)).previewed_at !== null);
    const made = await readPlan(id);
    return { plan: made, lines: await linesOf(made) };
  };
  /** Expects of each product what was planned. */
  const expectAsPlanned = async (id: string) => {
    const { lines } = await plan(id);
    await push(id);
    await reach(id, 'completed', 'failed', 'queued', 'processed');
    const planned = lines.map(({ product, outcome, code, message }) => ({ product, outcome, code, message }));
    expect(await outcomes(id)).toEqual(planned);
    expect((await readPlan(id)).compared).toEqual({ asPlanned: lines.length, otherwise: {} });
    return planned;
  };
  return { plan, readPlan, linesOf, expectAsPlanned };
}
