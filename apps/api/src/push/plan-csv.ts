import type { PlannedProduct } from '@draftshelf/contract/push/plan';
import type { Db } from '@draftshelf/core/connection/database';
import type { ImportRecord, PlanRecord } from '@draftshelf/core/connection/schema';
import { pagePlanLines } from '@draftshelf/core/push/previews/plan-lines';
import { choiceLabel } from '@draftshelf/domain/push/choice-labels';
import { toPlannedProducts } from './read-plan.ts';

/** How many lines are held in memory at a time. */
const linesAtATime = 200;

const header = [
  'Product',
  'Title',
  'Push will',
  'Reason',
  'Changes',
  'Decision',
  'Edited since',
  'Push did otherwise',
  'In the store',
];

const actions: Record<string, string> = {
  created: 'Create it',
  updated: 'Update it',
  unchanged: 'Leave it as it is',
  skipped: 'Skip it',
};

/** 'Needed', or 'Chosen: Use Ours'; '' if there is nothing to decide. */
function decisionWords({ about, choice }: PlannedProduct): string {
  if (about === null) return '';
  return choice === null ? 'Needed' : `Chosen: ${choiceLabel(about, choice)}`;
}

/** The lines of a plan as the records of a CSV file: the header, then a line for each product. */
export async function* readPlanCsv(db: Db, record: ImportRecord, plan: PlanRecord): AsyncGenerator<string[]> {
  yield header;
  for (let after = 0; ; ) {
    const lines = await pagePlanLines(db, plan, {}, { after, limit: linesAtATime });
    for (const one of await toPlannedProducts(db, record, plan, lines)) {
      yield [
        String(one.product),
        one.title ?? '',
        actions[one.outcome] ?? one.outcome,
        one.message ?? '',
        one.parts.join(', '),
        decisionWords(one),
        one.edited ? 'yes' : '',
        one.otherwise ?? '',
        one.storeUrl ?? '',
      ];
    }
    const last = lines.at(-1);
    if (!last || lines.length < linesAtATime) return;
    after = last.line;
  }
}
