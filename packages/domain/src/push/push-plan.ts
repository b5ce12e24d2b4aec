import type { OutcomeCode } from '../imports/outcome.ts';
import { isDecidedSince } from './decided-since.ts';
import type { PushChoice } from './push-choices.ts';

/** Why a push did something else than its plan said. */
export const deviations = ['edited', 'settings', 'refused', 'store', 'other'] as const;
export type Deviation = (typeof deviations)[number];

/** How many products of a plan have an outcome: under `created`, or under `skipped:drifted` with a code. */
export type PlanSums = Record<string, number>;

export const sumKey = (outcome: string, code: string | null): string =>
  code === null ? outcome : `${outcome}:${code}`;

/** The sums of a plan as a list, without their order. */
export function sumsOf(sums: PlanSums): { outcome: string; code: string | null; products: number }[] {
  return Object.entries(sums).map(([key, products]) => {
    const [outcome = '', code = null] = key.split(':');
    return { outcome, code, products };
  });
}

/** Products of these are skipped before anything is read of them. */
const unread: readonly (string | null)[] = [
  ...(['missing-fields', 'left-out', 'too-long', 'unknown-product', 'not-in-store'] satisfies OutcomeCode[]),
];

/** The products of a plan, and those of them that the store had. */
export function productsOf(sums: PlanSums): { all: number; inStore: number } {
  const counts = { all: 0, inStore: 0 };
  for (const { outcome, code, products } of sumsOf(sums)) {
    counts.all += products;
    if (outcome !== 'created' && !unread.includes(code)) counts.inStore += products;
  }
  return counts;
}

/** The settings of a push that change what it does. */
export type PlanSettings = {
  draftMode: boolean;
  whenInStore: string;
  /** Absent in a plan of an older version. */
  sendNonOverlapping?: boolean;
};

/** Whether two pushes with these settings do the same. */
export const isSameSettings = (one: PlanSettings, other: PlanSettings): boolean =>
  one.draftMode === other.draftMode &&
  one.whenInStore === other.whenInStore &&
  Boolean(one.sendNonOverlapping) === Boolean(other.sendNonOverlapping);

/** How a push went compared with its plan: products as planned, and others by reason. */
export type PlanComparison = { asPlanned: number; otherwise: Partial<Record<Deviation, number>> };

type Foreseen = { outcome: string; code: string | null };

/** A line of a plan: the choice that it was made with, and the one that was made since. */
export type PlannedLine = Foreseen & {
  about: string | null;
  plannedChoice: PushChoice | null;
  choice: PushChoice | null;
};

/** Why the outcome of a product differs from its plan. A choice since the plan that was carried out is as planned. */
export function deviationOf(
  planned: PlannedLine,
  done: Foreseen,
  changed: { edited: boolean; settings: boolean },
): Deviation | null {
  if (planned.outcome === done.outcome && planned.code === done.code) return null;
  if (isDecidedSince(planned) && isAsChosen(planned, done)) return null;
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
