import type { OutcomeCode } from '../imports/outcome.ts';
import { type Decision, hasChoiceChanged } from './push-choices.ts';

export const deviations = ['edited', 'settings', 'refused', 'store', 'other'] as const;
export type Deviation = (typeof deviations)[number];

/** Numbers of products in a plan, by outcome (`created`) or by outcome and code (`skipped:drifted`). */
export type PlanSums = Record<string, number>;

export const toPlanSumKey = (outcome: string, code: string | null): string =>
  code === null ? outcome : `${outcome}:${code}`;

/** Returns the sums in no particular order. */
export function toSums(sums: PlanSums): { outcome: string; code: string | null; products: number }[] {
  return Object.entries(sums).map(([key, products]) => {
    const [outcome = '', code = null] = key.split(':');
    return { outcome, code, products };
  });
}

/** A value in the store and after the push, null where absent. `name`: its name in the part, '' for the only value. */
export type Difference = { part: string; name: string; store: string | null; push: string | null };

/** Returns the differences about which the operator is not asked. */
export const unasked = (of: Record<'asked' | 'differences', readonly Difference[]>): Difference[] =>
  of.differences.filter(({ part, name }) => !of.asked.some((one) => one.part === part && one.name === name));

/** The largest differences of a planned product, and the number of further ones. Long values are null on both sides. */
export type ShownChanges = { shown: Difference[]; more: number };

/** Codes of products that are skipped before the store is read. */
const unread: readonly (string | null)[] = [
  ...(['missing-fields', 'left-out', 'too-long', 'unknown-product', 'not-in-store'] satisfies OutcomeCode[]),
];

export function countPlannedProducts(sums: PlanSums): { all: number; inStore: number } {
  const counts = { all: 0, inStore: 0 };
  for (const { outcome, code, products } of toSums(sums)) {
    counts.all += products;
    if (outcome !== 'created' && !unread.includes(code)) counts.inStore += products;
  }
  return counts;
}

/** Settings that change the results of a push. */
export type PlanSettings = {
  draftMode: boolean;
  whenInStore: string;
  /** Absent in plans made by an older version. */
  sendNonOverlapping?: boolean;
};

export const isSamePlanSettings = (one: PlanSettings, other: PlanSettings): boolean =>
  one.draftMode === other.draftMode &&
  one.whenInStore === other.whenInStore &&
  Boolean(one.sendNonOverlapping) === Boolean(other.sendNonOverlapping);

/** Number of products pushed as planned, and of the other products by reason. */
export type PlanComparison = { asPlanned: number; otherwise: Partial<Record<Deviation, number>> };

type Foreseen = { outcome: string; code: string | null };

export type PlannedLine = Foreseen & Decision;

/** Returns why an outcome differs from the plan, or null. An outcome chosen after the plan is no deviation. */
export function findDeviation(
  planned: PlannedLine,
  done: Foreseen,
  changed: { edited: boolean; settings: boolean },
): Deviation | null {
  if (planned.outcome === done.outcome && planned.code === done.code) return null;
  if (hasChoiceChanged(planned) && isAsChosen(planned, done)) return null;
  if (changed.edited) return 'edited';
  if (done.code === 'store-refused') return 'refused';
  if (changed.settings) return 'settings';
  return isOfStore(planned) || isOfStore(done) || planned.outcome !== done.outcome ? 'store' : 'other';
}

function isAsChosen({ about, choice }: PlannedLine, { outcome, code }: Foreseen): boolean {
  if (choice === null || choice === 'skip') return outcome === 'skipped' && code === about;
  return outcome === 'created' || outcome === 'updated' || outcome === 'unchanged';
}

const codesOfStore: readonly (string | null)[] = [
  'different-content',
  'deleted-in-store',
  'drifted',
  'lost-answer',
  'in-store',
  'choice-outdated',
];
const isOfStore = ({ code }: { code: string | null }) => codesOfStore.includes(code);
