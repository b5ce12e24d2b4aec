import { randomUUID } from 'node:crypto';
import {
  insertPlanLines,
  type PlanFilter,
  readPlanByChange,
  storeDeviations,
} from '@draftshelf/core/push/previews/plan-lines';
import { addPreviewCounts } from '@draftshelf/core/push/previews/previews';
import { setLineChoices } from '@draftshelf/core/push/previews/push-choices';
import { toDecisionKey } from '@draftshelf/domain/push/plan-decisions';
import { choicesBySubject, type PushChoice } from '@draftshelf/domain/push/push-choices';
import type { Deviation } from '@draftshelf/domain/push/push-plan';
import { toPlanSumKey } from '@draftshelf/domain/push/push-plan';
import { expect } from 'vitest';
import { productCsv } from '../../support/fixture.ts';
import { planSteps } from '../../support/plan-steps.ts';
import { pushSteps } from '../../support/push-steps.ts';
import { pushers, stack, testOnWorkers } from '../../support/test.ts';

const it = testOnWorkers(pushers);
const { importOf } = pushSteps(() => stack);
const { plan, readPlan } = planSteps(() => stack);

const asked = (choice: PushChoice | null, choices: readonly PushChoice[] = choicesBySubject.drifted) => ({
  question: { ourId: 'any', about: 'drifted' as const, basis: 'any', choices, choice },
});
const none = { question: null };
const kinds = [
  { outcome: 'created', code: null, ...none },
  { outcome: 'updated', code: null, ...none },
  // Decided before the plan, and taken back after it.
  { outcome: 'updated', code: null, ...asked('use-ours') },
  { outcome: 'updated', code: null, ...asked(null) },
  { outcome: 'skipped', code: 'left-out', ...none },
  { outcome: 'skipped', code: 'drifted', ...asked(null) },
  { outcome: 'skipped', code: 'drifted', ...asked(null, ['use-ours', 'skip']) },
  { outcome: 'skipped', code: 'drifted', ...asked('skip') },
  { outcome: 'skipped', code: 'choice-outdated', ...asked(null) },
];
const deviating: (Deviation | null)[] = [null, 'edited', null, 'store'];
const filters: PlanFilter[] = [
  {},
  ...[{ outcome: 'skipped' }, { outcome: 'updated' }, { outcome: 'unchanged' }, { code: 'drifted' }],
  ...[{ outcome: 'skipped', code: 'drifted' }, { about: 'drifted' as const }, { about: 'blocked' as const }],
  ...[{ open: true }, { about: 'drifted' as const, open: true }, { outcome: 'skipped', open: true }],
  ...[{ otherwise: 'true' as const }, { otherwise: 'store' as const }],
  ...[{ otherwise: 'edited' as const, outcome: 'skipped', about: 'drifted' as const, open: true }],
];

it('each list of a plan has the lines of its filter, page by page, those with the largest change first', async () => {
  const { db, pool } = stack.database;
  const { id } = await importOf(productCsv(1), 'e'.repeat(64));
  const { plan: made } = await plan(id);
  await pool.query(`delete from preview_lines where preview = $1`, [made.id]);
  await pool.query(`update previews set sums = '{}' where id = $1`, [made.id]);
  const lines = Array.from({ length: 100 }, (_, at) => {
    const kind = kinds[at % kinds.length] as (typeof kinds)[number];
    return {
      product: at + 1,
      changeRank: at % 5,
      ...{ message: null, storeProductId: null, live: null, facts: {} },
      ...kind,
      otherwise: deviating[at % deviating.length] ?? null,
    };
  });
  await insertPlanLines(db, made.id, lines);
  await storeDeviations(
    db,
    made.id,
    lines.flatMap(({ product, otherwise }) => (otherwise ? [{ product, otherwise }] : [])),
  );
  const counted = (keys: readonly string[]) =>
    Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, of]) => [key, of.length]));
  await addPreviewCounts(db, made.id, {
    counts: {
      sums: counted(lines.map(({ outcome, code }) => toPlanSumKey(outcome, code))),
      decisions: counted(lines.flatMap(({ question }) => (question ? toDecisionKey(question) : []))),
    },
  });
  const counts = await readPlan(id);
  for (const filter of filters) {
    const { outcome, code, about, open, otherwise } = filter;
    const expected = lines.filter(
      (line) =>
        (outcome ?? line.outcome) === line.outcome &&
        (code ?? line.code) === line.code &&
        (about === undefined || about === line.question?.about) &&
        (!open || line.question?.choice === null) &&
        (otherwise === undefined || (otherwise === 'true' ? line.otherwise : otherwise === line.otherwise)),
    );
    const listed: number[] = [];
    for (;;) {
      const page = await readPlanByChange(db, counts, filter, { after: listed.at(-1) ?? 0, limit: 7 });
      listed.push(...page.map(({ line }) => line));
      if (page.length < 7) break;
    }
    const sorted = expected.toSorted((a, b) => a.changeRank - b.changeRank || a.product - b.product);
    expect([filter, listed]).toEqual([filter, sorted.map(({ product }) => product)]);
  }
});

it('the lists of a plan are never searched by its primary key', async () => {
  const { db } = stack.database;
  const question = toDecisionKey(asked(null).question);
  const id = 1_000_000;
  const counts = { id, sums: { created: 1, 'skipped:drifted': 1 }, decisions: { [question]: 1 } };
  const undone = new Error('undone');
  const searched = db.transaction().execute(async (trx) => {
    // Without their indexes, what else would serve the lists is used.
    await trx.schema.dropIndex('preview_lines_listed').execute();
    await trx.schema.dropIndex('preview_lines_deviating').execute();
    const lines = Array.from({ length: 20_000 }, (_, at) => ({ preview: id + (at % 20), line: at + 1 }));
    await trx
      .insertInto('preview_lines')
      .values(lines.map((line) => ({ ...line, change_rank: 0 })))
      .execute();
    const searches = () =>
      trx
        .withTables<{ pg_stat_xact_user_tables: { relname: string; idx_scan: number } }>()
        .selectFrom('pg_stat_xact_user_tables')
        .select('idx_scan')
        .where('relname', '=', 'preview_lines')
        .executeTakeFirst();
    const before = await searches();
    for (const list of filters) await readPlanByChange(trx, counts, list, { after: 0, limit: 7 });
    await setLineChoices(
      trx,
      { id, import_id: randomUUID(), shop: 'any' },
      { about: 'drifted', choice: 'skip' },
    );
    expect(await searches()).toEqual(before);
    throw undone;
  });
  await expect(searched).rejects.toBe(undone);
});
