import type { AutoProcessMode } from '../access/settings.ts';
import { type CanonicalField, fieldSpecs } from '../base/canonical-fields.ts';
import { countOf, formatCount } from '../base/format.ts';
import type { ImportStatus } from '../imports/import-status.ts';
import { certainConfidenceMin } from '../reading/mapping/certainty.ts';
import { isKnownName } from '../reading/mapping/header-candidates.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';
import { type GuardFinding, guardLimitText, notComparedText } from './guard-findings.ts';
import { cutOffSentence, explainIncompleteList, type ListFacts, notRepeatedSentence } from './list-facts.ts';

export type ColumnCertainty = 'certain' | 'unsure' | 'none';

export type AutoPushFacts = {
  isStoreConnected: boolean;
  title: ColumnCertainty;
  price: ColumnCertainty;
  /** Questions about columns that only the operator can answer, as sentences. */
  questions: readonly string[];
  /** The store's currency when the file was read. Null if it was unknown. */
  storeCurrency: string | null;
  /** The currency of the store that is connected now. Null if it is unknown. */
  currencyNow: string | null;
  /** Other currencies of the file's amounts that the operator has not agreed to send unconverted. */
  otherCurrencies: readonly string[];
  products: number;
  validProducts: number;
  rows: number;
  /** Rows with cells that may be in the wrong columns. */
  shiftedRows: number;
  /** Rows that may contain several rows of the file, because of unmatched quotes. */
  joinedRows: number;
  productsMax: number;
  /** Products in the operator's largest push of this layout. Null if the operator has pushed no file of this layout. */
  pushedBefore: number | null;
  /** Products that are in our copy of the store. `priceJumps`: products whose price would change by more than half. */
  matched: number;
  priceJumps: number;
  list: ListFacts;
  guards: readonly GuardFinding[];
  isCheckingGuards: boolean;
  haveGuardsFailed: boolean;
  isApplyingRules: boolean;
  haveRulesFailed: boolean;
  /** Whether recipes of earlier lists are being applied to the import. */
  isRepeating: boolean;
  isTakingPictures: boolean;
  havePicturesFailed: boolean;
  /** Whether look-ups or picture checks are in progress. */
  isLookingUp: boolean;
  sinceReadMs: number;
};

export type AutoPushDecision = { is: 'push' } | { is: 'wait' } | { is: 'held'; sentence: string };

/** Maximum share of products that need a person, or of rows that may be shifted. A larger share holds the import. */
const problemShareMax = 0.05;
/** Factor by which an import may exceed the largest earlier push without being unusually large. */
const growthMax = 2;
/** Number of products up to which an import is never unusually large. */
const usualProductsMin = 50;
/** Maximum share of known products whose price changes by more than half. A larger share holds the import. */
const priceJumpShareMax = 0.2;
export const lookUpWaitMsMax = 10 * 60_000;

const them = (count: number | null) => (count === 1 ? 'it' : 'them');

/** Returns '21 of 400 rows are empty. Check them, then push.' if the share of `part` exceeds `shareMax`, else false. */
const moreThan = (shareMax: number, part: number, whole: number, one: string, fault: string) =>
  whole > 0 &&
  part / whole > shareMax &&
  `${formatCount(part)} of ${countOf(whole, one)} ${fault}. Check ${them(part)}, then push.`;

function columnFault(field: CanonicalField, certainty: ColumnCertainty): string | false {
  if (certainty === 'certain') return false;
  const { label } = fieldSpecs[field];
  const fault =
    certainty === 'none' ? `${label} had no column` : `it wasn’t clear which column is for ${label}`;
  return `${fault}. Check the columns, then push.`;
}

/** Returns the number of products above which an import is unusually large. */
function usualProducts({ productsMax, pushedBefore }: AutoPushFacts): number {
  if (pushedBefore === null) return productsMax;
  return Math.min(productsMax, Math.max(usualProductsMin, pushedBefore * growthMax));
}

/** Returns words such as '18 prices were below cost × 1.3.' */
function guardWords(finding: GuardFinding): string {
  const { issue, rows } = finding;
  if (rows === null) return notComparedText(finding);
  const verb = issue === 'guard-change' ? '' : rows === 1 ? 'was ' : 'were ';
  return `${countOf(rows, 'price')} ${verb}${guardLimitText(finding)}.`;
}

/** A function that returns why an import is not pushed, or false if it may be pushed. */
type Gate = (facts: AutoPushFacts) => string | false;

/** The gates of full auto, in order. The first gate that holds the import gives the reason. */
const gates = {
  store: ({ isStoreConnected }) => !isStoreConnected && 'the store wasn’t connected. Connect it, then push.',
  title: ({ title }) => columnFault('title', title),
  price: ({ price }) => columnFault('price', price),
  'column question': ({ questions: [first] }) =>
    first !== undefined && `${first} Choose an answer, then push.`,
  'store currency': ({ storeCurrency }) =>
    storeCurrency === null &&
    'the store’s currency wasn’t known when the file was read. Check the prices, then push.',
  'other store': ({ storeCurrency, currencyNow }) => {
    if (storeCurrency === null || currencyNow === storeCurrency) return false;
    return currencyNow === null
      ? 'the currency of the connected store wasn’t known. Check the prices, then push.'
      : `prices were checked in ${storeCurrency}, but the store that is connected uses ${currencyNow}. Check the prices, then push.`;
  },
  'other currency': ({ otherCurrencies, storeCurrency }) =>
    otherCurrencies.length > 0 &&
    `prices were in ${otherCurrencies.join(', ')}, but the store uses ${storeCurrency}. Answer the question about prices, then push.`,
  supplier: ({ list }) =>
    list.isAsked && 'it wasn’t clear whose list this is. Choose the supplier, then push.',
  'late list': ({ list: { findings } }) =>
    findings.late !== undefined &&
    `the list looked older than ${findings.late.filename}. Check the list, then push.`,
  'cut-off list': ({ list: { findings } }) =>
    findings.cutOff !== undefined && `${cutOffSentence(findings.cutOff)} Check it, then push.`,
  'part of a list': ({ list }) => {
    const fault = explainIncompleteList(list);
    return fault !== false && `${fault} Check it, then push.`;
  },
  recipes: ({ list: { recipes }, isRepeating }) =>
    recipes.length > 0 && !isRepeating && `${notRepeatedSentence(recipes)} Check it, then push.`,
  'to decide': ({ list: { undecided } }) =>
    undecided > 0 &&
    `the supplier changed ${countOf(undecided, 'price or quantity', 'prices or quantities')} that you had changed. Decide, then push.`,
  problems: ({ products, validProducts }) =>
    products === 0
      ? 'the file had no products.'
      : moreThan(problemShareMax, products - validProducts, products, 'product', 'needed you'),
  'shifted rows': ({ rows, shiftedRows }) =>
    moreThan(problemShareMax, shiftedRows, rows, 'row', 'may have values in the wrong columns'),
  'joined rows': ({ joinedRows }) =>
    joinedRows > 0 &&
    `${countOf(joinedRows, 'row may be', 'rows may each be')} several lines of the file. Check ${them(joinedRows)}, then push.`,
  size(facts) {
    const [products, usual] = [facts.products, usualProducts(facts)];
    if (products <= usual) return false;
    return `the file had ${formatCount(products)} products, more than the usual ${formatCount(usual)}. Check the file, then push.`;
  },
  prices: ({ matched, priceJumps }) =>
    moreThan(priceJumpShareMax, priceJumps, matched, 'price', 'changed by more than 50 %'),
  guards: ({ guards: [first] }) =>
    first !== undefined && `${guardWords(first)} Check ${them(first.rows)}, then push.`,
  'unchecked guards': ({ haveGuardsFailed }) =>
    haveGuardsFailed && 'the supplier’s guards couldn’t be checked. Check the prices, then push.',
  'first updates': ({ list: { firstUpdates } }) =>
    firstUpdates > 0 &&
    `a push would update ${countOf(firstUpdates, 'product')} of an earlier list for the first time. Check ${them(firstUpdates)}, then push.`,
  rules: ({ haveRulesFailed }) =>
    haveRulesFailed &&
    'your rules couldn’t be applied to all products. Apply the rules again, check the products, then push.',
  pictures: ({ havePicturesFailed }) =>
    havePicturesFailed && 'the pictures in the file couldn’t be read. Check them, then push.',
} as const satisfies Record<string, Gate>;

export const autoPushGates = Object.keys(gates) as (keyof typeof gates)[];

/** Decides whether full auto pushes an import, waits for changes in progress, or leaves it to a person, and why. */
export function decideAutoPush(facts: AutoPushFacts): AutoPushDecision {
  for (const gate of Object.values<Gate>(gates)) {
    const reason = gate(facts);
    if (reason !== false) return { is: 'held', sentence: `Not pushed: ${reason}` };
  }
  const { isApplyingRules, isTakingPictures, isRepeating, isCheckingGuards } = facts;
  if (isApplyingRules || isTakingPictures || isRepeating || isCheckingGuards) return { is: 'wait' };
  return facts.isLookingUp && facts.sinceReadMs < lookUpWaitMsMax ? { is: 'wait' } : { is: 'push' };
}

/** Rates a field's column. A known header is certain even if few values fit. `isKnownLayout`: layout pushed before. */
export function rateColumn(
  mapping: HeaderMapping,
  field: CanonicalField,
  isKnownLayout: boolean,
): ColumnCertainty {
  const column = mapping.columns[mapping.sources[field]?.[0] ?? -1];
  if (!column) return 'none';
  const { header, setBy, confidence } = column;
  const isCertain = isKnownLayout || setBy !== undefined || confidence >= certainConfidenceMin;
  return isCertain || isKnownName(header, field) ? 'certain' : 'unsure';
}

export function isPriceJump(before: number, after: number): boolean {
  if (before === 0) return after !== 0;
  return Math.abs(after - before) > before / 2;
}

/** Further reasons, besides those of the gates, for leaving an import to a person. */
export const heldSentences = {
  stopped: 'Not pushed: you stopped it. Push it when it’s ready.',
  changed: 'Not pushed: the import was changed after it was read. Push it when it’s ready.',
  reread: 'Not pushed: the file was re-read with other settings. Push it when it’s ready.',
  paused: 'Not pushed: it was paused. Push it when it’s ready.',
  newer: 'Not pushed: a newer version of this file arrived. Push that one.',
  notItself: 'Not pushed: full auto has ended for this supplier. Push it when it’s ready.',
  tables: 'Not pushed: several sheets look like product lists. Choose one, then push.',
  unreadable: 'Not pushed: its data couldn’t be checked. Review it, then push.',
} as const;

type HeldFacts = {
  auto_mode: AutoProcessMode | null;
  auto_held: string | null;
  status: ImportStatus;
  push_run: number;
};

/** Returns why full auto holds an import. Null if it does not hold the import, or if the import was pushed since. */
export function findHeldSentence({ auto_mode, auto_held, status, push_run }: HeldFacts): string | null {
  const isOpen = (status === 'queued' || status === 'processed') && push_run === 0;
  return isOpen && auto_mode === 'full-auto' ? auto_held : null;
}
