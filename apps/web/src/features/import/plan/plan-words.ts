import type { Plan, PlannedProduct } from '@draftshelf/contract/push/plan';
import {
  type ChoiceSubject,
  choiceLabel,
  choiceSubjects,
  type PushChoice,
} from '@draftshelf/domain/push/push-choices';
import { capitalize, countOf, formatCount, formatListBritish } from '../../../lib/intl.ts';
import type { PlanFilter } from './plan-api.ts';

type Outcome = PlannedProduct['outcome'];
type Sums = Plan['sums'];

export const plannedOutcomes = [
  'created',
  'updated',
  'unchanged',
  'skipped',
] as const satisfies readonly Outcome[];

export const plannedOutcomeWords: Record<Outcome, string> = {
  created: 'Create',
  updated: 'Update',
  unchanged: 'Leave as is',
  skipped: 'Skip',
  failed: 'Refused',
};

const codeWords: Record<string, string> = {
  'missing-fields': 'without a title or price',
  'unknown-product': 'not in an earlier list',
  'not-in-store': 'not in the store from an earlier push',
  'left-out': 'left out by you',
  'too-long': 'with a text that is too long',
  'different-content': 'with other content under one of our IDs',
  'deleted-in-store': 'deleted in the store',
  drifted: 'changed in the store',
  'lost-answer': 'changed while a response was lost',
  'in-store': 'already in the store',
  duplicate: 'the same product of the store as another row',
  blocked: 'with a list that can’t be merged',
  'not-sent': 'with changes that can’t be sent',
  'store-refused': 'refused by the store',
  'choice-outdated': 'changed since you decided',
};

/** Returns unknown codes unchanged, because a newer server may send them. */
export const codeLabel = (code: string): string => codeWords[code] ?? code;

type Deviation = NonNullable<PlannedProduct['otherwise']>;

export const deviationWords: Record<Deviation, string> = {
  edited: 'edited since',
  settings: 'settings changed',
  refused: 'refused by the store',
  store: 'different in the store',
  other: 'for another reason',
};

export const sumOutcome = (sums: Sums, outcome: Outcome): number =>
  sums.reduce((all, sum) => (sum.outcome === outcome ? all + sum.products : all), 0);

/** Returns the words after the number of skipped products. Example: '1 of them needs your decision'. */
export function describeOpenDecisions(open: number, skipped: number): string {
  if (open < skipped) return countOf(open, 'of them needs your decision', 'of them need your decision');
  return open === 1 ? 'it needs your decision' : 'all need your decision';
}

export const listOutcomeCodes = (sums: Sums, outcome: Outcome): { code: string; products: number }[] =>
  sums
    .flatMap(({ outcome: of, code, products }) =>
      of === outcome && code !== null ? [{ code, products }] : [],
    )
    .sort((a, b) => b.products - a.products);

export const planEstimateWords = (estimate: Plan['estimate']): string =>
  estimate === null
    ? 'Shows what a push would do with each product, and writes nothing.'
    : `Takes about ${durationWords(estimate.seconds)}, and writes nothing.`;

const durationWords = (seconds: number): string =>
  seconds < 90 ? countOf(Math.max(1, seconds), 'second') : countOf(Math.round(seconds / 60), 'minute');

export const planProgressWords = ({ done, total }: Pick<Plan, 'done' | 'total'>): string =>
  `${formatCount(done)} of ${countOf(total, 'product')} planned`;

/** Example: 'before 14 rows were edited'. Null if nothing has changed since the plan. */
export function outdatedWords({ rows, settings, store, editedRows }: Plan['outdated']): string | null {
  if (rows) return 'before the file was re-read';
  const changes = [
    editedRows === 0 ? '' : `${editedCount(editedRows)} ${editedRows === 1 ? 'was' : 'were'} edited`,
    settings ? 'the settings changed' : '',
    store ? 'products were changed in the store' : '',
  ].filter((change) => change !== '');
  return changes.length === 0 ? null : `before ${changes.join(' and ')}`;
}

export const editedSinceWords = ({ editedRows }: Plan['outdated']): string | null =>
  editedRows === 0 ? null : `${editedCount(editedRows)} edited since.`;

/** The server counts edited rows up to this number. */
const editedMax = 10_000;

const editedCount = (rows: number): string =>
  rows >= editedMax ? `${formatCount(editedMax)} rows or more` : countOf(rows, 'row');

export const decisionsView = 'decisions';

/** Parses `all`, `skipped:drifted`, `otherwise:edited`, `decisions` and `decisions:drifted`. */
export function parsePlanView(view: string): PlanFilter {
  const [head = '', tail] = view.split(':');
  if (head === decisionsView) {
    const about = choiceSubjects.find((word) => word === tail);
    return about === undefined ? { open: 'true' } : { about };
  }
  if (head === 'otherwise') return { otherwise: isDeviation(tail) ? tail : 'true' };
  if (!(plannedOutcomes as readonly string[]).includes(head)) return {};
  const action = head as Outcome;
  return tail === undefined ? { action } : { action, code: tail };
}

const isDeviation = (word: string | undefined): word is Deviation =>
  word !== undefined && Object.hasOwn(deviationWords, word);

export const planFailureWords = ({ message }: Pick<Plan, 'message'>): string =>
  message === null ? 'Couldn’t plan the push.' : `Couldn’t plan the push: ${message}`;

export function announcePlanState(plan: Pick<Plan, 'state' | 'message'>): string {
  if (plan.state === 'running') return 'The push is being planned.';
  if (plan.state === 'failed') return planFailureWords(plan);
  return plan.state === 'ready' ? 'The push is planned.' : '';
}

/** Labels of the product parts whose label differs from their name. */
const labels: Record<string, string> = { vendor: 'brand', type: 'product type' };

const label = (part: string): string => labels[part] ?? part;
export const partsWords = (parts: readonly string[]): string => formatListBritish(parts.map(label));

export function valueLabel({ part, name }: { part: string; name: string }): string {
  if (name === '') return capitalize(label(part));
  return part === 'variants' ? capitalize(name) : `${capitalize(label(part))} ${name}`;
}

/** Text, a link to a list, a time, or a warning. */
export type SentencePiece = string | { words: string; view: string } | { time: string } | { warning: string };

export const outcomeVerbs = {
  created: 'create',
  updated: 'update',
  unchanged: 'leave',
  skipped: 'skip',
} as const;

export const countOutcomes = (sums: Sums) =>
  plannedOutcomes.map((kind) => ({ kind, count: sumOutcome(sums, kind) })).filter(({ count }) => count > 0);

/**
 * Example: 'A push would create 2,940 products, update 48, leave 12 as they are and skip 31 (2 of them need your
 * decision).' `isHeld`: held back because of the currency. If decisions were made since the plan, the open ones get a
 * sentence of their own, because their products may not be among the skipped ones.
 */
export function plannedSentence(plan: Plan, isHeld: boolean): SentencePiece[] {
  const { sums, needDecision, decided, decidedSince } = plan;
  const isAmongSkipped = needDecision > 0 && decidedSince === 0;
  const outcomes = countOutcomes(sums);
  const pieces = outcomes.flatMap(({ kind, count }, at): SentencePiece[] => [
    `${at === 0 ? ' ' : at === outcomes.length - 1 ? ' and ' : ', '}${outcomeVerbs[kind]} `,
    { words: at === 0 ? countOf(count, 'product') : formatCount(count), view: kind },
    ...(kind === 'unchanged' ? [count === 1 ? ' as it is' : ' as they are'] : []),
    ...(kind === 'skipped' && isAmongSkipped
      ? [' (', { words: describeOpenDecisions(needDecision, count), view: decisionsView }, ')']
      : []),
  ]);
  const needed = countOf(needDecision, 'needs your decision', 'need your decision');
  return [
    ...beginningOf(plan, isHeld),
    ...pieces,
    '.',
    ...(needDecision > 0 && !isAmongSkipped ? [' ', { words: needed, view: decisionsView }, '.'] : []),
    ...(decided > 0 ? [' ', { words: `${formatCount(decided)} decided`, view: decisionsView }, '.'] : []),
    ...(decidedSince > 0 ? [' To count your newer decisions, compare again.'] : []),
  ];
}

/** Returns the beginning of the sentence. For an outdated plan, this is the plan's time and the reason. */
function beginningOf({ outdated, endedAt }: Plan, isHeld: boolean): SentencePiece[] {
  const before = outdatedWords(outdated);
  if (before !== null) {
    const plan = isHeld ? 'Held back. Plan' : 'Plan';
    return [plan, ...(endedAt === null ? [] : [' of ', { time: endedAt }]), ', ', { warning: before }, ':'];
  }
  return [isHeld ? 'Held back. If you send its prices as they are, a push would' : 'A push would'];
}

/** Example: 'Creates 2,940, updates 48, skips 31', or the result after a push. Null if there is nothing to show. */
export function planHeadPieces(plan: Plan): SentencePiece[] | null {
  if (plan.state === 'running') return [planProgressWords(plan)];
  if (plan.state === 'failed') return [{ warning: planFailureWords(plan) }];
  if (plan.state !== 'ready') return null;
  if (plan.push !== null) return isPlanComparable(plan) ? wentPieces(plan.push) : null;
  const outcomes = countOutcomes(plan.sums);
  if (outcomes.length === 0) return null;
  const sums = outcomes.flatMap(({ kind, count }, at): SentencePiece[] => [
    `${at === 0 ? '' : ', '}${outcomeVerbs[kind]}s `,
    { words: formatCount(count), view: kind },
  ]);
  return isPlanWrong(plan)
    ? [{ warning: 'Updating the plan…' }, ' (was: ', ...sums, ')']
    : ['A push ', ...sums];
}

type Push = NonNullable<Plan['push']>;

type PlanAge = Pick<Plan, 'push' | 'outdated' | 'decidedSince'>;

/** True before a push if the push would differ from the plan, and after a push if rows have changed since. */
export const isPlanWrong = ({ push, outdated, decidedSince }: PlanAge): boolean =>
  push === null
    ? decidedSince > 0 || outdatedWords(outdated) !== null
    : outdated.rows || outdated.editedRows > 0;

/** True if the plan can be compared with its push: the push is the last, was not undone, and the plan is not wrong. */
export const isPlanComparable = (plan: PlanAge): boolean =>
  plan.push?.isLast === true && !plan.push.isUndone && !isPlanWrong(plan);

const otherwiseOf = (otherwise: Push['otherwise']): number =>
  otherwise.reduce((sum, { products }) => sum + products, 0);

/** Example: '50 as planned, 3 not as planned' or '90 not as planned: different in the store'. */
function wentPieces({ asPlanned, otherwise }: Push): SentencePiece[] {
  const others = otherwiseOf(otherwise);
  const [first, second] = otherwise;
  return [
    ...(asPlanned > 0 || others === 0
      ? [{ words: `${formatCount(asPlanned)} as planned`, view: 'all' }]
      : []),
    ...(asPlanned > 0 && others > 0 ? [', '] : []),
    ...(others > 0 ? [{ words: `${formatCount(others)} not as planned`, view: 'otherwise' }] : []),
    ...(first && !second ? [`: ${deviationWords[first.reason]}`] : []),
  ];
}

/** Example: 'The push went: 3,024 products as planned, 7 not as planned: 5 different in the store, 2 edited since.' */
export function comparisonSentence({ asPlanned, otherwise }: Push): SentencePiece[] {
  const others = otherwiseOf(otherwise);
  const reasons = otherwise.flatMap(({ reason, products }, at): SentencePiece[] => [
    at === 0 ? ': ' : ', ',
    { words: `${formatCount(products)} ${deviationWords[reason]}`, view: `otherwise:${reason}` },
  ]);
  return [
    'The push went: ',
    { words: `${asPlanned === 0 ? 'no product' : countOf(asPlanned, 'product')} as planned`, view: 'all' },
    ...(others > 0
      ? [', ', { words: `${formatCount(others)} not as planned`, view: 'otherwise' }, ...reasons]
      : []),
    '.',
  ];
}

const general: Record<PushChoice, string> = {
  skip: 'The push leaves the product as it is.',
  'keep-store': 'The push keeps what was changed in the store, and sends Draftshelf’s other changes.',
  'use-ours': 'The push sends Draftshelf’s values, even where the product was changed in the store.',
  create: 'The push creates the product.',
  update: 'The push updates the store’s product with the values of the file.',
  record: 'The push counts the store’s product as sent, and writes nothing.',
  'send-again': 'The push sends Draftshelf’s values again.',
  'send-without': 'The push sends the product without the values that can’t be sent.',
};

const special: Partial<Record<ChoiceSubject, Partial<Record<PushChoice, string>>>> = {
  drifted: { skip: 'The push sends nothing of the product, not even Draftshelf’s other changes.' },
  'deleted-in-store': {
    create: 'The push creates the product again.',
    skip: 'The push leaves the product out.',
  },
  'different-content': { update: 'The push gives the store’s product the values of the file.' },
  'in-store': { create: 'The store then has two products with the same SKU or UPC.' },
  blocked: { 'use-ours': 'The push renames the option values of the variants in the store.' },
};

export const describeChoice = (about: ChoiceSubject, choice: PushChoice): string =>
  special[about]?.[choice] ?? general[choice];

/** Example: 'Use Ours', 'Use Ours for All 31' or 'Send the Rest for 5 of 12'. */
export function decideAllLabel(
  about: ChoiceSubject,
  { choice, allowed, open }: { choice: PushChoice; allowed: number; open: number },
): string {
  const label = choiceLabel(about, choice);
  if (allowed < open) return `${label} for ${formatCount(allowed)} of ${formatCount(open)}`;
  return open === 1 ? label : `${label} for All ${formatCount(open)}`;
}

/** True if only one product needs a decision. Its own line has the buttons, so the buttons for all are not shown. */
export function hasOneOpenProduct(decisions: readonly Plan['decisions'][number][]): boolean {
  const [only, ...others] = decisions;
  if (only === undefined || others.length > 0) return false;
  return only.open === 1 && only.choices.every(({ decided }) => decided === 0);
}
