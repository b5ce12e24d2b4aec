import type { AutoProcessMode } from '../access/settings.ts';
import { type CanonicalField, fieldSpecs } from '../base/canonical-fields.ts';
import type { ImportStatus } from '../imports/import-status.ts';
import { certainFrom } from '../reading/mapping/certainty.ts';
import { isKnownName } from '../reading/mapping/header-candidates.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';
import { beyondWords, type GuardFinding, notComparedWords } from './guard-findings.ts';
import { cutOffSentence, type ListFacts, notDoneSentence } from './list-facts.ts';

export type ColumnCertainty = 'certain' | 'unsure' | 'none';

export type AutoPushFacts = {
  isStoreConnected: boolean;
  title: ColumnCertainty;
  price: ColumnCertainty;
  /** Questions about columns that only the operator can answer, as sentences. */
  questions: readonly string[];
  /** When the file was read. */
  storeCurrency: string | null;
  /** Of the connected store. */
  currencyNow: string | null;
  /** Other currencies of the file's amounts that the operator has not agreed to send unconverted. */
  otherCurrencies: readonly string[];
  products: number;
  validProducts: number;
  rows: number;
  /** Rows with cells that may be in the wrong columns. */
  shiftedRows: number;
  /** Rows that may be several rows of the file, because of quotes that do not match. */
  joinedRows: number;
  productsMax: number;
  /** The largest earlier push of the layout by an operator. */
  pushedBefore: number | null;
  /** Products in the copy of the store, and those of them whose price would change by more than half. */
  matched: number;
  priceJumps: number;
  list: ListFacts;
  guards: readonly GuardFinding[];
  isCheckingGuards: boolean;
  haveGuardsFailed: boolean;
  isApplyingRules: boolean;
  haveRulesFailed: boolean;
  /** Whether recipes of earlier lists are being applied to it. */
  isRepeating: boolean;
  isTakingPictures: boolean;
  havePicturesFailed: boolean;
  /** Look-ups or picture checks. */
  isLookingUp: boolean;
  sinceReadMs: number;
};

export type AutoPushDecision = { is: 'push' } | { is: 'wait' } | { is: 'held'; sentence: string };

/** A larger share of products that need a person, or of rows that may be shifted, holds the import. */
const problemShareMax = 0.05;
/** An import may have this many times the products of the largest earlier push, */
const growthMax = 2;
/** unless it is this small. */
const usualProductsMin = 50;
/** A larger share of known products whose price changes by more than half holds the import. */
const priceJumpShareMax = 0.2;
export const lookUpMsMax = 10 * 60_000;

const countFormat = new Intl.NumberFormat('en-US');
const grouped = (count: number) => countFormat.format(count);
/** 'Not pushed: 21 of 400 rows are empty. Check them, then push.' */
const partSentence = (part: number, whole: number, one: string, fault: string) =>
  `Not pushed: ${grouped(part)} of ${grouped(whole)} ${whole === 1 ? one : `${one}s`} ${fault}. Check ${part === 1 ? 'it' : 'them'}, then push.`;
const shareOf = (part: number, of: number) => (of === 0 ? 0 : part / of);

const columnSentence = (field: CanonicalField, certainty: ColumnCertainty): string => {
  const { label } = fieldSpecs[field];
  return certainty === 'none'
    ? `Not pushed: ${label} had no column. Check the columns, then push.`
    : `Not pushed: the column for ${label} wasn’t sure. Check the columns, then push.`;
};

/** Above this many products an import is unusually large. */
function usualProducts({ productsMax, pushedBefore }: AutoPushFacts): number {
  if (pushedBefore === null) return productsMax;
  return Math.min(productsMax, Math.max(usualProductsMin, pushedBefore * growthMax));
}

/** '18 prices were below cost × 1.3.' */
function guardWords(finding: GuardFinding): string {
  const { issue, rows } = finding;
  if (rows === null) return notComparedWords(finding);
  const verb = issue === 'guard-change' ? '' : rows === 1 ? 'was ' : 'were ';
  return `${grouped(rows)} ${rows === 1 ? 'price' : 'prices'} ${verb}${beyondWords(finding)}.`;
}

type Gate = { holds(facts: AutoPushFacts): boolean; sentence(facts: AutoPushFacts): string };

/** The gates of full-auto, in order. The first one that holds the import is the reason. */
const gates = {
  store: {
    holds: ({ isStoreConnected }) => !isStoreConnected,
    sentence: () => 'Not pushed: the store wasn’t connected. Connect it, then push.',
  },
  title: {
    holds: ({ title }) => title !== 'certain',
    sentence: ({ title }) => columnSentence('title', title),
  },
  price: {
    holds: ({ price }) => price !== 'certain',
    sentence: ({ price }) => columnSentence('price', price),
  },
  'column question': {
    holds: ({ questions }) => questions.length > 0,
    sentence: ({ questions: [first] }) => `Not pushed: ${first} Answer that, then push.`,
  },
  'store currency': {
    holds: ({ storeCurrency }) => storeCurrency === null,
    sentence: () =>
      'Not pushed: the store’s currency wasn’t known when the file was read. Check the prices, then push.',
  },
  'other store': {
    holds: ({ storeCurrency, currencyNow }) => storeCurrency !== null && currencyNow !== storeCurrency,
    sentence: ({ storeCurrency, currencyNow }) =>
      currencyNow === null
        ? 'Not pushed: the currency of the connected store wasn’t known. Check the prices, then push.'
        : `Not pushed: prices were checked in ${storeCurrency}, but the store that is connected uses ${currencyNow}. Check the prices, then push.`,
  },
  'other currency': {
    holds: ({ otherCurrencies }) => otherCurrencies.length > 0,
    sentence: ({ otherCurrencies, storeCurrency }) =>
      `Not pushed: prices were in ${otherCurrencies.join(', ')}, but the store uses ${storeCurrency}. Answer the question about prices, then push.`,
  },
  supplier: {
    holds: ({ list }) => list.isAsked,
    sentence: () => 'Not pushed: it wasn’t clear whose list this is. Answer that, then push.',
  },
  'late list': {
    holds: ({ list }) => list.findings.late !== undefined,
    sentence: ({ list: { findings } }) =>
      `Not pushed: it looked older than ${findings.late?.filename}. Check it, then push.`,
  },
  'cut-off list': {
    holds: ({ list }) => list.findings.cutOff !== undefined,
    sentence: ({ list: { findings } }) =>
      `Not pushed: ${findings.cutOff ? cutOffSentence(findings.cutOff) : ''} Check it, then push.`,
  },
  recipes: {
    holds: ({ list, isRepeating }) => list.recipes.length > 0 && !isRepeating,
    sentence: ({ list }) => `Not pushed: ${notDoneSentence(list.recipes)} Check it, then push.`,
  },
  'to decide': {
    holds: ({ list }) => list.undecided > 0,
    sentence: ({ list: { undecided } }) =>
      `Not pushed: the supplier changed ${grouped(undecided)} ${undecided === 1 ? 'price or quantity' : 'prices or quantities'} that you had changed. Decide, then push.`,
  },
  problems: {
    holds: ({ products, validProducts }) =>
      products === 0 || shareOf(products - validProducts, products) > problemShareMax,
    sentence: ({ products, validProducts }) =>
      products === 0
        ? 'Not pushed: the file had no products.'
        : partSentence(products - validProducts, products, 'product', 'needed you'),
  },
  'shifted rows': {
    holds: ({ rows, shiftedRows }) => shareOf(shiftedRows, rows) > problemShareMax,
    sentence: ({ rows, shiftedRows }) =>
      partSentence(shiftedRows, rows, 'row', 'may have values in the wrong columns'),
  },
  'joined rows': {
    holds: ({ joinedRows }) => joinedRows > 0,
    sentence: ({ joinedRows }) =>
      joinedRows === 1
        ? 'Not pushed: 1 row may be several lines of the file in one. Check it, then push.'
        : `Not pushed: ${grouped(joinedRows)} rows may be several lines of the file in one. Check them, then push.`,
  },
  size: {
    holds: (facts) => facts.products > usualProducts(facts),
    sentence: (facts) =>
      `Not pushed: ${grouped(facts.products)} products were more than usual (${grouped(usualProducts(facts))}). Check the file, then push.`,
  },
  prices: {
    holds: ({ matched, priceJumps }) => shareOf(priceJumps, matched) > priceJumpShareMax,
    sentence: ({ matched, priceJumps }) =>
      partSentence(priceJumps, matched, 'price', 'changed by more than 50 %'),
  },
  guards: {
    holds: ({ guards }) => guards.length > 0,
    sentence: ({ guards: [first] }) =>
      `Not pushed: ${first ? guardWords(first) : ''} Check ${first?.rows === 1 ? 'it' : 'them'}, then push.`,
  },
  'unchecked guards': {
    holds: ({ haveGuardsFailed }) => haveGuardsFailed,
    sentence: () => 'Not pushed: the supplier’s guards couldn’t be checked. Check the prices, then push.',
  },
  'first updates': {
    holds: ({ list }) => list.firstUpdates > 0,
    sentence: ({ list: { firstUpdates } }) =>
      `Not pushed: ${grouped(firstUpdates)} ${firstUpdates === 1 ? 'product' : 'products'} of an earlier list would be updated for the first time. Check ${firstUpdates === 1 ? 'it' : 'them'}, then push.`,
  },
  rules: {
    holds: ({ haveRulesFailed }) => haveRulesFailed,
    sentence: () =>
      'Not pushed: your rules couldn’t be applied to all products. Apply them again, check them, then push.',
  },
  pictures: {
    holds: ({ havePicturesFailed }) => havePicturesFailed,
    sentence: () => 'Not pushed: the pictures in the file couldn’t be read. Check them, then push.',
  },
} as const satisfies Record<string, Gate>;

export const autoPushGates = Object.keys(gates) as (keyof typeof gates)[];

/** Decides whether full-auto pushes an import, waits for running changes, or leaves it to a person, and why. */
export function decideAutoPush(facts: AutoPushFacts): AutoPushDecision {
  const held = Object.values<Gate>(gates).find((gate) => gate.holds(facts));
  if (held) return { is: 'held', sentence: held.sentence(facts) };
  const { isApplyingRules, isTakingPictures, isRepeating, isCheckingGuards } = facts;
  if (isApplyingRules || isTakingPictures || isRepeating || isCheckingGuards) return { is: 'wait' };
  return facts.isLookingUp && facts.sinceReadMs < lookUpMsMax ? { is: 'wait' } : { is: 'push' };
}

/** A known name is certain even if its values fit less. `isKnownLayout`: an operator has pushed such a file before. */
export function columnCertainty(
  mapping: HeaderMapping,
  field: CanonicalField,
  isKnownLayout: boolean,
): ColumnCertainty {
  const column = mapping.columns[mapping.sources[field]?.[0] ?? -1];
  if (!column) return 'none';
  const { header, setBy, confidence } = column;
  const isCertain = isKnownLayout || setBy !== undefined || confidence >= certainFrom;
  return isCertain || isKnownName(header, field) ? 'certain' : 'unsure';
}

export function isPriceJump(before: number, after: number): boolean {
  if (before === 0) return after !== 0;
  return Math.abs(after - before) > before / 2;
}

/** Reasons for leaving an import to a person, besides the gates. */
export const heldSentences = {
  stopped: 'Not pushed: you stopped it. Push it when it’s ready.',
  changed: 'Not pushed: it was changed after it was read. Push it when it’s ready.',
  reread: 'Not pushed: the file was re-read with other settings. Push it when it’s ready.',
  paused: 'Not pushed: it was paused. Push it when it’s ready.',
  newer: 'Not pushed: a newer version of this file arrived. Push that one.',
  tables: 'Not pushed: several sheets look like product lists. Choose one, then push.',
  unreadable: 'Not pushed: its data couldn’t be checked. Review it, then push.',
} as const;

type HeldFacts = {
  auto_mode: AutoProcessMode | null;
  auto_held: string | null;
  status: ImportStatus;
  push_run: number;
};

/** Null: full-auto does not hold the import, or somebody has pushed it since. */
export function heldSentence({ auto_mode, auto_held, status, push_run }: HeldFacts): string | null {
  const isOpen = (status === 'queued' || status === 'processed') && push_run === 0;
  return isOpen && auto_mode === 'full-auto' ? auto_held : null;
}
