import { type CanonicalField, fieldSpecs, labelInSentence } from '../base/canonical-fields.ts';
import { canDo } from '../imports/import-status.ts';
import type { GuardIssue } from '../products/guards.ts';
import type { DescribedQuestion } from '../reading/column-questions.ts';
import type { ExcludedRowFilter, IssueCode } from '../review/issues.ts';
import { type MatchedState, matchedStateClauses } from '../review/matched-state.ts';
import { storeRefusals, tagLimitName, textLimitName } from '../review/store-limits.ts';
import { type GuardFinding, guardLimitText, notComparedText } from './guard-findings.ts';
import { doAgainQuestion, type ListFacts, oldListSentence } from './list-facts.ts';

export type CountedUnit = 'row' | 'product' | 'picture' | 'value' | 'column';

type Fact = {
  count: number;
  of: CountedUnit;
  sentence: string;
  /** The issue that the fact's rows have. */
  issue?: IssueCode | ExcludedRowFilter;
  /** The field that the fact is about. `columns`: headers of the columns in question, the most likely first. */
  field?: CanonicalField;
  columns?: readonly string[];
  answers?: DescribedQuestion['answers'];
  /** The other import that has the most of these rows. */
  other?: { id: string; filename: string };
};
export type PushFact = Fact & { kind: PushFactKind };

type CurrencyAnswer = 'send' | 'hold' | null;

/** Another import with the same SKUs or UPCs in `rows` rows. */
export type MatchedImport = { id: string; filename: string; state: MatchedState; rows: number };

/** Counts of changes since a push that may require another push. */
type SincePush = {
  /** Products that a push skips until the operator has decided about them. */
  toDecide: number;
  /** Products about which the operator has decided after their push, so that another push is needed. */
  decidedSincePush: number;
  /** Products for which values were found after the products were pushed. */
  foundSincePush: number;
};

export type PushCounts = SincePush & {
  products: number;
  /** Rows by issue. Issues without rows are absent. */
  rows: Partial<Record<IssueCode | ExcludedRowFilter, number>>;
  currency: {
    named: readonly string[];
    store: string;
    answer: CurrencyAnswer;
    /** Rows in another currency. Null if the whole list is in another currency. */
    rows: number | null;
  } | null;
  /** Required fields without a column, each with columns that may hold it. */
  missing: readonly { field: CanonicalField; columns: readonly string[] }[];
  /** Headers of columns whose amounts are in hundredths. */
  cents: readonly string[];
  /** Headers of columns whose amounts are in thousands. */
  thousands: readonly string[];
  /** A column of codes that has lost zeros, and an example. Null if there is none. */
  lostZeros: { header: string; code: string; whole: string } | null;
  /** Headers of columns with quantities. Only the first of these columns is sent. */
  quantities: readonly string[];
  /** Headers of columns with quantities that are added up. */
  added: readonly string[];
  /** Questions about columns that only the operator can answer. */
  questions: readonly DescribedQuestion[];
  namedTotals: readonly number[];
  /** Fields with columns of amounts that are not sent. `sent`: the field's column that is sent, or null. */
  besides: readonly { field: CanonicalField; sent: string | null; columns: readonly string[] }[];
  /** The column that marks rows as variants, although each row is sent as a product. Null if there is none. */
  variantsApart: string | null;
  /** Columns that may hold quantities. Null if a column is mapped to quantities, or if the push creates nothing. */
  noQuantities: readonly string[] | null;
  list: ListFacts;
  /** New products that share a title with another new product, and the columns in which these products differ. */
  sharedTitles: { products: number; columns: readonly string[] } | null;
  /** `checkingGuards`: number of rows whose prices have not been compared with the guards yet. */
  guards: readonly GuardFinding[];
  checkingGuards: number;
  /** Valid products that the store would refuse because of their texts. */
  refused: number;
  /** Products all of whose rows are left out of the push. Null if unknown. */
  leftOut: number | null;
  /** Pictures of the first rows. `notSent`: failed pictures that are not sent. `reason`: the most frequent failure. */
  pictures: { shown: number; failed: number; notSent: number; reason: string | null };
  /** Other imports with the same SKUs or UPCs, those with the most rows first. */
  others: readonly MatchedImport[];
  /** Pictures in the file that have not been assigned to products yet. */
  takingPictures: number;
  /** Products being looked up. `applyingRules`: rows waiting for rules. `askingAi`: products that AI is asked about. */
  lookingUp: number;
  applyingRules: number;
  askingAi: number;
};

/** Maximum number of facts, because people do not read longer lists. Issues of rows also have their own filters. */
export const pushFactsMax = 5;

/** Returns at most five facts about an import before a push. An answer that can still be changed comes last. */
export function listPushFacts(counts: PushCounts): PushFact[] {
  const make: Record<PushFactKind, Maker> = makers;
  const facts = pushFactKinds
    .flatMap((kind) => [make[kind](counts) ?? []].flat().map((fact): PushFact => ({ kind, ...fact })))
    .filter(({ count }) => count > 0);
  const isSettled = ({ kind }: PushFact) => kind === 'other-currency' && counts.currency?.answer === 'send';
  const [settled, open] = [facts.filter(isSettled), facts.filter((fact) => !isSettled(fact))];
  return [...open.slice(0, pushFactsMax - settled.length), ...settled];
}

/** Returns the facts about an import whose push has ended. */
export const listFactsSincePush = (counts: SincePush): PushFact[] =>
  (['to-decide', 'decided-since-push', 'found-since-push'] as const)
    .map((kind) => ({ kind, ...makers[kind](counts) }))
    .filter(({ count }) => count > 0);

type Maker = (counts: PushCounts) => Fact | readonly Fact[] | null;

/** Functions that make the facts about an import before its push, by kind, the most important first. */
const makers = {
  'other-currency': ({ currency, rows }) =>
    currency && ofRows('other-currency', currencySentence(currency))({ rows }),
  'no-column': ({ missing, products }) =>
    missing.map(({ field, columns }) => ({
      ...counted(products, 'product', `${fieldSpecs[field].label} has no column.`),
      field,
      columns,
    })),
  'column-question': ({ questions }) =>
    questions.map(({ cells, sentence, header, answers }) => ({
      ...counted(cells, 'value', sentence),
      columns: [header],
      answers,
    })),
  'late-list': ({ list: { findings }, products }) =>
    findings.late ? counted(products, 'product', oldListSentence(findings.late)) : null,
  'cut-off-list': ({ list: { findings } }) => {
    const { cutOff } = findings;
    if (!cutOff) return null;
    if (cutOff.missing === 0) return counted(1, 'row', 'Ends in the middle. The file may be cut off.');
    const words = `Missing in this list, of ${cutOff.of.toLocaleString('en-US')} in the last one. The file may be cut off.`;
    return counted(cutOff.missing, 'row', words);
  },
  recipes: ({ list: { recipes } }) =>
    counted(Math.max(0, ...recipes.map(({ rows }) => rows)), 'row', doAgainQuestion(recipes)),
  'supplier-values': ({ list: { undecided, supplier } }) => {
    const [is, are] = undecided === 1 ? ['it', 'Yours is'] : ['them', 'Yours are'];
    const words = `${supplier ?? 'The supplier'} changed ${is} since you did. ${are} sent until you decide.`;
    return counted(undecided, 'value', words);
  },
  'first-updates': ({ list: { firstUpdates, supplier } }) => {
    const whose = supplier === null ? 'an' : `${supplier}’s`;
    const words = `Already in the store from ${whose} earlier list. A push updates the values that changed.`;
    return counted(firstUpdates, 'product', words);
  },
  'unknown-product': ofRows(
    'unknown-product',
    'Not in an earlier list, so skipped: a list of prices and stock creates nothing.',
  ),
  'to-decide': ({ toDecide }: SincePush) => {
    const words = `${toDecide === 1 ? 'Needs' : 'Need'} your decision. A push skips ${toDecide === 1 ? 'it' : 'them'} until then.`;
    return counted(toDecide, 'product', words);
  },
  'guard-cost': (counts) => guardFacts('guard-cost', counts),
  'guard-column': (counts) => guardFacts('guard-column', counts),
  'guard-change': (counts) => guardFacts('guard-change', counts),
  'price-zero': ofRows('price-zero', 'Sent with a price of 0.'),
  'too-long': ({ refused, rows }) => {
    const issue = mostFrequent(rows, storeRefusals);
    const limit =
      issue === 'too-many-tags' ? `over ${tagLimitName}` : `a text is longer than ${textLimitName}`;
    const fact = counted(refused, 'product', `Not sent: ${limit}.`);
    return issue === undefined ? fact : { ...fact, issue };
  },
  'left-out': ({ leftOut, rows }) => {
    const one = (leftOut || rows['left-out']) === 1;
    const words = `Left out of the push. In the store, ${one ? 'it stays as it is' : 'they stay as they are'}.`;
    const fact = ofRows('left-out', words)({ rows });
    return leftOut ? { ...fact, count: leftOut, of: 'product' } : fact;
  },
  'shared-titles': ({ sharedTitles }) => {
    if (sharedTitles === null) return null;
    const { products, columns } = sharedTitles;
    const words = `Share a title with others, and differ in ${listed(columns)}. Combine them as variants?`;
    return { ...counted(products, 'product', words), columns };
  },
  'variants-apart': ({ variantsApart, products }) => {
    const words = `“${variantsApart}” marks some rows as variants of others, but each is sent as its own product.`;
    return variantsApart === null ? null : counted(products, 'product', words);
  },
  'price-repeated': ({ rows }) => {
    const repeat = rows['price-repeated'] === 1 ? 'it repeats' : 'they repeat';
    return ofRows('price-repeated', `Not sent: ${repeat} a price in another currency.`)({ rows });
  },
  cents: ({ cents }) => scaledFacts(cents, 'cents'),
  thousands: ({ thousands }) => scaledFacts(thousands, 'thousands'),
  'added-quantities': ({ added }) =>
    counted(added.length, 'column', `Added up: the quantities of ${quoted(added)}.`),
  'prices-of-several': ofRows(
    'price-of-several',
    'The file says that a price is for several pieces, or for a unit that isn’t known.',
  ),
  totals: ofRows('totals', 'A total of the list, not a product.'),
  'named-totals': ({ namedTotals }) => {
    const words = `Row ${namedTotals[0]} is named like a total but doesn’t add up to one, so it’s sent as a product.`;
    return counted(namedTotals.length, 'row', words);
  },
  'loose-quantities': ({ rows, quantities: [sent, ...others] }) => {
    const loose = 'The quantity is a word, or a range such as “10+”.';
    if (others.length === 0) return ofRows('quantity-loose', loose)({ rows });
    const words = `Only “${sent}” is sent, not the quantities of ${quoted(others)}. Or the quantity is a word, or a range such as “10+”.`;
    return { ...ofRows('quantity-loose', words)({ rows }), field: 'quantity', columns: others };
  },
  'third-decimals': ofRows('third-decimal', 'An amount has three decimals, unlike the others.'),
  'lost-zeros': ({ lostZeros }) => {
    if (lostZeros === null) return null;
    const { header, code, whole } = lostZeros;
    const words = `“${header}” may have lost zeros: the picture of “${code}” is named “${whole}”.`;
    return counted(1, 'column', words);
  },
  'amounts-inferred': ofRows(
    'amount-inferred',
    'An amount could be read in two ways; it’s read like the other numbers of the file.',
  ),
  'same-options': ofRows(
    'same-options',
    'Same options as another variant. An option “Variant” tells them apart in the store.',
  ),
  'image-pages': ofRows('image-page', 'An image is a page, not a picture, so it isn’t sent.'),
  'texts-garbled': ofRows('text-garbled', 'A text is garbled, as “Ã©” for “é”. It’s sent as it is.'),
  'texts-cleaned': ofRows(
    'text-cleaned',
    'Cleaned: invisible characters, HTML codes, wrong letters, lost zeros of UPCs or shared links.',
  ),
  'shifted-cells': ({ rows }) => {
    const issue = mostFrequent(rows, shiftIssues) ?? 'too-few-cells';
    // A row has at most one of these issues, so their counts can be added.
    const count = shiftIssues.reduce((sum, code) => sum + (rows[code] ?? 0), 0);
    return { ...counted(count, 'row', 'Values may be in the wrong columns.'), issue };
  },
  duplicates: ofRows('duplicate', 'Same SKU or UPC as an earlier row. Each is sent as its own product.'),
  'bad-quantities': ofRows('quantity-not-numeric', 'The quantity isn’t a number, so 0 is sent.'),
  'bad-pictures': ({ pictures: { shown, failed, notSent, reason } }) => {
    const words = failed === shown ? 'None could be loaded.' : 'Couldn’t be loaded.';
    const sentence = [words, ...(reason === null ? [] : [reason]), notLoadedWords(failed, notSent)].join(' ');
    return counted(failed, 'picture', sentence);
  },
  'in-other-import': ({ others, rows }) => {
    // Imports that ended without a push are ignored, because none of their products are or will be in the store.
    const state = others.some((other) => other.state === 'waiting') ? 'waiting' : 'pushed';
    const named = others.filter((other) => other.state === state);
    const [first] = named;
    if (first === undefined) return null;
    const { id, filename } = first;
    const fact = ofRows('in-other-import', othersSentence(first, named.length))({ rows });
    const inNamed = named.reduce((sum, other) => sum + other.rows, 0);
    return { ...fact, count: Math.min(fact.count, inNamed), other: { id, filename } };
  },
  'no-quantities': ({ rows, noQuantities, products }) => {
    const created = 'A new product is created with 0, as sold out.';
    if (noQuantities === null)
      return ofRows(
        'quantity-missing',
        `No quantity. ${created} Existing products keep their quantity.`,
      )({ rows });
    const fact = counted(products, 'product', `Quantity has no column. ${created}`);
    return { ...fact, field: 'quantity', columns: noQuantities };
  },
  'unsent-columns': ({ besides }) =>
    besides.map(({ field, sent, columns }) => {
      const words =
        sent === null
          ? `${fieldSpecs[field].label} has no column. ${quoted(columns)} may hold it, but ${columns.length === 1 ? 'isn’t' : 'aren’t'} sent.`
          : `Only “${sent}” is sent as the ${labelInSentence(field)}, not ${quoted(columns)}.`;
      return { ...counted(columns.length, 'column', words), field, columns };
    }),
  'values-unread': ofRows(
    'value-unread',
    'A value isn’t sent, because its field takes another kind of value.',
  ),
  'taking-pictures': ({ takingPictures }) =>
    counted(takingPictures, 'picture', 'Still being read from the file. A push doesn’t send them yet.'),
  'looking-up': ({ lookingUp }) => {
    const words = 'Still being looked up. If you push now, values found later aren’t sent.';
    return counted(lookingUp, 'product', words);
  },
  'applying-rules': ({ applyingRules }) =>
    counted(applyingRules, 'row', 'Your rules are still being applied.'),
  'checking-guards': ({ checkingGuards }) =>
    counted(checkingGuards, 'row', 'The supplier’s guards are still being checked.'),
  'asking-ai': ({ askingAi }) =>
    counted(askingAi, 'product', 'AI requests are still running. A push stops them.'),
  'decided-since-push': ({ decidedSincePush }: SincePush) => {
    const words = `Decided since the last push. Push again to send ${decidedSincePush === 1 ? 'it' : 'them'}.`;
    return counted(decidedSincePush, 'product', words);
  },
  'found-since-push': ({ foundSincePush }: SincePush) => {
    const words = 'Values were found since the last push. Push again to send them.';
    return counted(foundSincePush, 'product', words);
  },
} satisfies Record<string, Maker>;
export type PushFactKind = keyof typeof makers;
export const pushFactKinds = Object.keys(makers) as PushFactKind[];

function counted(count: number, of: CountedUnit, sentence: string): Fact {
  return { count, of, sentence };
}

/** Returns a function that makes the fact about rows with an issue. */
function ofRows(issue: NonNullable<PushFact['issue']>, sentence: string) {
  return ({ rows }: Pick<PushCounts, 'rows'>): Fact => ({
    ...counted(rows[issue] ?? 0, 'row', sentence),
    issue,
  });
}

const scaledFacts = (headers: readonly string[], scale: string): Fact[] =>
  headers.map((header) =>
    counted(
      1,
      'column',
      `Amounts of “${header}” are in ${scale}. They are converted to currency units when sent.`,
    ),
  );

const listed = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);
const quoted = (headers: readonly string[]): string => listed(headers.map((header) => `“${header}”`));

function guardFacts(issue: GuardIssue, { guards, products }: PushCounts): Fact[] {
  return guards
    .filter((finding) => finding.issue === issue)
    .map((finding) =>
      finding.rows === null
        ? counted(products, 'product', sentenceOf(notComparedText(finding)))
        : { ...counted(finding.rows, 'row', `Price ${guardLimitText(finding)}.`), issue },
    );
}

const sentenceOf = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const shiftIssues = ['too-few-cells', 'too-many-cells'] as const satisfies readonly IssueCode[];

function mostFrequent(rows: PushCounts['rows'], codes: readonly IssueCode[]): IssueCode | undefined {
  const [first] = codes
    .filter((code) => (rows[code] ?? 0) > 0)
    .toSorted((one, other) => (rows[other] ?? 0) - (rows[one] ?? 0));
  return first;
}

/** Returns 'Prices are in USD, but the store uses CAD.' or '1 row is in USD, …'. */
export function otherCurrencySentence({
  named,
  store,
  rows,
}: Pick<NonNullable<PushCounts['currency']>, 'named' | 'store' | 'rows'>): string {
  const few = rows === 1 ? '1 row is' : `${rows?.toLocaleString('en-US')} rows are`;
  return `${rows === null ? 'Prices are' : few} in ${joinCurrencyNames(named)}, but the store uses ${store}.`;
}

/** Returns whether the operator still has to decide about amounts in another currency. False after a push. */
export const isAskedAboutCurrency = (of: {
  status: string;
  shop: string | null;
  answer: CurrencyAnswer;
}): boolean => of.shop === null && of.answer === null && canDo('review', of.status);

/** Returns 'Held back. Prices are in USD, but the store uses CAD.' */
export const heldBackSentence = (currency: Parameters<typeof otherCurrencySentence>[0]): string =>
  `Held back. ${otherCurrencySentence(currency)}`;

/** Returns 'USD' or 'USD and EUR', or 'another currency' if an edit has just removed the last other currency. */
export function joinCurrencyNames(named: readonly string[]): string {
  return named.length === 0 ? 'another currency' : listed(named);
}

/** Returns a sentence on whether failed pictures are sent. The store may load pictures that we got no response for. */
function notLoadedWords(failed: number, notSent: number): string {
  if (notSent === failed) return `A push leaves ${failed === 1 ? 'it' : 'them'} out.`;
  if (notSent > 0) return `A push leaves ${notSent.toLocaleString('en-US')} of them out.`;
  return `${failed === 1 ? 'It’s' : 'They’re'} sent anyway, because the store fetches images itself.`;
}

function currencySentence(currency: NonNullable<PushCounts['currency']>): string {
  const { named, store, answer, rows } = currency;
  if (rows !== null) {
    const words = `In ${joinCurrencyNames(named)}, but the store uses ${store}.`;
    const sent = `${rows === 1 ? 'Its price is' : 'Their prices are'} sent without conversion.`;
    return `${words} ${answer === 'send' ? sent : 'Amounts aren’t converted.'}`;
  }
  if (answer === 'send') {
    return `Prices in ${joinCurrencyNames(named)} are sent as they are; nothing is converted to ${store}.`;
  }
  return answer === 'hold'
    ? heldBackSentence(currency)
    : `${otherCurrencySentence(currency)} Amounts aren’t converted.`;
}

/** `imports`: number of imports in the same state that have the same SKUs or UPCs. */
function othersSentence({ filename, state }: MatchedImport, imports: number): string {
  if (imports === 1) return `Also in ${filename}, ${matchedStateClauses[state]}.`;
  const words = state === 'waiting' ? 'aren’t pushed yet' : 'were pushed since';
  return `Also in ${imports} other imports that ${words}, most of them in ${filename}.`;
}

export type PushScope = { sent: number; of: number };

/**
 * Returns the number of products that a push would send. Null if a count is unknown, or if something was pushed,
 * because then only a plan has the number. `planned`: the number in a current plan. `unsent`: valid products that are
 * not sent. `sentAnyway`: products of which only the rows with a title and price are sent.
 */
export function countPushScope(counts: {
  products: number;
  validProducts: number;
  unsent: number | null;
  sentAnyway: number | null;
  isHeld: boolean;
  isPushed: boolean;
  planned: number | null;
}): PushScope | null {
  const { products, validProducts, unsent, sentAnyway, isHeld, isPushed, planned } = counts;
  if (isHeld) return { sent: 0, of: products };
  if (planned !== null) return { sent: planned, of: products };
  if (isPushed || sentAnyway === null || unsent === null) return null;
  return { sent: Math.max(0, validProducts + sentAnyway - unsent), of: products };
}

/** Returns the number of products that lack a title or valid price and are neither left out nor sent anyway. */
export function countOpenProducts(counts: {
  warningProducts: number;
  errorProducts: number;
  leftOutProblems: number | null;
  sentAnyway: number | null;
}): number {
  const { warningProducts, errorProducts, leftOutProblems, sentAnyway } = counts;
  return Math.max(0, warningProducts + errorProducts - (leftOutProblems ?? 0) - (sentAnyway ?? 0));
}
