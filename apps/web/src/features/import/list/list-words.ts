import type { SupplierList } from '@draftshelf/contract/imports/list';
import type { Row } from '@draftshelf/contract/review/rows';
import { toPrintedCode } from '@draftshelf/domain/base/gtin';
import { parseMoney } from '@draftshelf/domain/base/money';
import { readQuantity } from '@draftshelf/domain/base/quantity';
import type { ListChange, RowChange } from '@draftshelf/domain/suppliers/list';
import type { CallRequest, Reply } from '../../../api/call.ts';
import { countOf, formatCount, listed } from '../../../lib/intl.ts';
import { changeRowsPath, importPath } from '../../../lib/paths.ts';
import { fieldLabel, partialListSentence } from '../mapping/mapping-words.ts';

type Counts = NonNullable<SupplierList['counts']>;

export type Tally = { of: ListChange | 'missing' | 'gone'; count: number; words: string };

const tally = (counts: Counts, of: Exclude<Tally['of'], 'gone'>, words: string = of): Tally => ({
  ...{ of, count: counts[of] },
  words: `${formatCount(counts[of])} ${words}`,
});

/** Example: '260 dearer (avg +8%)'. */
const priceTally = (counts: Counts, of: 'dearer' | 'cheaper', sign: string): Tally => {
  const by = counts[`${of}By`];
  return tally(
    counts,
    of,
    by == null ? of : `${of} (avg ${sign}${by < 1 ? by.toFixed(1) : formatCount(Math.round(by))}%)`,
  );
};

export function talliesOf(counts: Counts, gone: number | null = null): (Tally & { parts: Tally[] })[] {
  const parts = [priceTally(counts, 'dearer', '+'), priceTally(counts, 'cheaper', '−')].filter(
    ({ count }) => count > 0,
  );
  return [
    { ...tally(counts, 'new'), parts: [] },
    { ...tally(counts, 'changed'), parts },
    { ...tally(counts, 'unchanged'), parts: [] },
    { ...tally(counts, 'returned', 'back'), parts: [] },
    { ...tally(counts, 'missing'), parts: [] },
    ...(gone
      ? [{ of: 'gone' as const, count: gone, words: `${formatCount(gone)} no longer listed`, parts: [] }]
      : []),
  ];
}

/** Example: '6 new · 8 dearer (avg +8%) · 5 missing'. */
export const listSummaryWords = (counts: Counts): string =>
  talliesOf(counts)
    .flatMap((tally) => (tally.parts.length > 0 ? tally.parts : [tally]))
    .filter(({ of, count }) => count > 0 && of !== 'unchanged')
    .map(({ words }) => words)
    .join(' · ');

/** Returns an item's key as operators know it: SKU, UPC, or handle with option values. */
export function shownKey(key: string): string {
  const text = key.slice(2);
  if (key.startsWith('g:')) return `UPC ${toPrintedCode(text)}`;
  return key.startsWith('h:') ? text.split('|').filter(Boolean).join(' · ') : text;
}

export function isListUnchanged(counts: Counts): boolean {
  const others = ['returned', 'doubled', 'unkeyed', 'doubtful', 'missing'] as const;
  return (
    counts.new + counts.changed === 0 && counts.unchanged > 0 && others.every((name) => counts[name] === 0)
  );
}

export type ListNote = {
  words: string;
  link?: { words: string; to: string };
  /** The answer that each button saves, by the button's label. */
  answers?: Record<string, NonNullable<CallRequest<'answerList'>['body']>>;
  /** Keyed by a button's label: true if the button saves that the supplier's lists are complete. */
  sendsComplete?: Record<string, boolean>;
  /** The button re-reads the file: 'again' with the supplier's current lists, 'format' in another format. */
  reread?: 'again' | 'format';
};

/** `since`: the filename of the earlier list. */
export function createListNotes(list: SupplierList, since: string): ListNote[] {
  const { late, cutOff, newer, state, carried, counts, differences } = list;
  const notes: ListNote[] = [];
  if (late?.isLatest === null) {
    notes.push({
      words: `This looks older than ${late.filename}${late.back === 0 ? '' : `: ${formatCount(late.back)} of ${countOf(late.of, 'changed row')} ${late.back === 1 ? 'has' : 'have'} values from an earlier list`}.`,
      answers: { 'It Is the Latest List': { isLatest: true }, 'It Is an Older One': { isLatest: false } },
    });
  } else if (late?.isLatest === false) {
    notes.push({ words: `This list is older than ${late.filename}, so it doesn’t count as the latest one.` });
  }
  if (cutOff?.isWhole === null) {
    const { missing, of, shortRow } = cutOff;
    const end = shortRow === null ? '' : `, and row ${formatCount(shortRow)} ends in the middle`;
    notes.push({
      words: `This file seems cut off: ${formatCount(missing)} of ${countOf(of, 'row')} of ${since} ${missing === 1 ? 'is' : 'are'} missing${end}.`,
      answers: {
        [`${missing === 1 ? 'This One Is' : `These ${formatCount(missing)} Are`} Really Gone`]: {
          isWhole: true,
        },
        'This List Is a Part': { isWhole: false },
      },
    });
  } else if (shouldAskIfComplete(list)) {
    const missing = countOf(counts?.missing ?? 0, 'row');
    const name = list.isNamed && list.supplier ? list.supplier.name : 'this supplier';
    notes.push({
      words: `${missing} of ${since} ${counts?.missing === 1 ? 'isn’t' : 'aren’t'} in this list. Does ${name} send the complete list each time?`,
      sendsComplete: { Yes: true, No: false },
    });
  }
  if (newer !== null) {
    const link = { words: newer.filename, to: importPath(newer.importId) };
    const words = {
      waits: `A newer list, ${newer.filename}, is waiting.`,
      counted: `${newer.filename} has been pushed since.`,
      'taken back': `${newer.filename} doesn’t count as the latest list any more.`,
    }[newer.state];
    notes.push({ words, link, ...(newer.state !== 'waits' && { reread: 'again' }) });
  }
  if (differences !== null) notes.push({ words: differenceWords(differences) });
  if (counts !== null && differences === null && isListUnchanged(counts)) {
    notes.push({
      words: `The same as ${since}.${carried === null ? ' Nothing to push.' : ''}`,
      ...(state === 'open' && { answers: { 'Use as the Latest List': { counts: true } } }),
    });
  }
  return notes;
}

type Differences = NonNullable<SupplierList['differences']>;

const groupWords: Record<Differences['groups'][number], string> = {
  ...{ price: 'prices', stock: 'stock', text: 'texts', codes: 'codes' },
  ...{ options: 'options', pictures: 'pictures', other: 'other fields' },
};

/** Example: 'Cost and Brand are new in this list. Not compared this time: prices, texts.' */
function differenceWords({ added, missing, groups }: Differences): string {
  const sentence = (fields: typeof added, one: string, several: string) =>
    fields.length === 0
      ? []
      : [`${listed(fields.map(fieldLabel))} ${fields.length === 1 ? one : several} this list.`];
  return [
    ...sentence(added, 'is new in', 'are new in'),
    ...sentence(missing, 'isn’t in', 'aren’t in'),
    `Not compared this time: ${groups.map((group) => groupWords[group]).join(', ')}.`,
  ].join(' ');
}

export function createListDetails(
  importId: string,
  { counts, isPartial }: SupplierList,
  since: string,
): ListNote[] {
  if (counts === null) return [];
  const ofRows = (change: ListChange, rest: string): ListNote[] => {
    if (counts[change] === 0) return [];
    const words = countOf(counts[change], 'row has', 'rows have');
    return [{ words: `${words} ${rest}`, link: { words, to: changeRowsPath(importId, change) } }];
  };
  const accents = accentsWords(counts);
  return [
    ...ofRows(
      'doubled',
      'the SKU of another row but other values. To compare the product, leave out all but one of the rows with its SKU.',
    ),
    ...ofRows('unkeyed', 'no SKU, UPC or item number, and can’t be compared.'),
    ...ofRows(
      'doubtful',
      `a SKU of ${since}, but another title and UPC. They may be other products, so they aren’t compared.`,
    ),
    ...ofRows('renumbered', 'a new SKU but the same UPC as before, so the product is the same.'),
    ...(accents === null ? [] : [{ words: accents, reread: 'format' as const }]),
    ...(isPartial ? [{ words: partialListSentence }] : []),
  ];
}

/** If a larger share of the compared titles differs only in accents, the encoding was probably read wrongly. */
const accentsShareMax = 0.2;

function accentsWords({ accents, changed, unchanged, returned }: Counts): string | null {
  if (accents <= accentsShareMax * (changed + unchanged + returned)) return null;
  return `${countOf(accents, 'title differs', 'titles differ')} only in accents. Was the file read in another encoding?`;
}

/** `known`: number of sampled products that the supplier already has. 0 if the supplier has changed all its SKUs. */
export function supplierQuestionWords({
  supplier: { name },
  known,
  sampled,
}: NonNullable<SupplierList['asked']>): string {
  const evidence =
    known === 0
      ? `The SKUs are new, but other values match products of ${name}.`
      : `${formatCount(known)} of ${countOf(sampled, 'sampled product')} ${known === 1 ? 'is' : 'are'} from ${name}.`;
  return `Is this ${name}’s list? ${evidence}`;
}

/** Example: '214 of your changes carried over'. */
export const carriedWords = (edits: number): string => `${formatCount(edits)} of your changes carried over`;

type Item = Pick<Reply<'listMissing'>['items'][number], 'key' | 'price' | 'quantity'>;

/** Example: 'A-1 · 12.00 · 3 in stock'. */
export function itemWords({ key, price, quantity }: Item): string {
  const stock = quantity === null ? [] : [`${formatCount(quantity)} in stock`];
  return [shownKey(key), ...(price === null ? [] : [price]), ...stock].join(' · ');
}

/** True if the operator should be asked if lists are complete: once per supplier, when items are first missing. */
export const shouldAskIfComplete = ({ counts, answers, isWhole, isPartial, cutOff }: SupplierList): boolean =>
  !isPartial &&
  isWhole === null &&
  cutOff?.isWhole !== null &&
  answers?.sendsComplete === null &&
  (counts?.missing ?? 0) > 0;

const words: Record<RowChange, string> = {
  new: 'No product of this list is new.',
  changed: 'No product of this list has changed.',
  dearer: 'No product of this list has a higher price.',
  cheaper: 'No product of this list has a lower price.',
  jumped: 'No price of this list has changed by half or more.',
  price: 'No price of this list has changed.',
  stock: 'No quantity of this list has changed.',
  text: 'No text of this list has changed.',
  options: 'No option of this list has changed.',
  pictures: 'No picture of this list has changed.',
  codes: 'No code of this list has changed.',
  other: 'No other field of this list has changed.',
  unchanged: 'No product of this list is unchanged.',
  returned: 'No product of this list is listed again.',
  renumbered: 'No product of this list has a new SKU.',
  doubled: 'No row of this list has the SKU of another row.',
  doubtful: 'No row of this list has another title and UPC than before.',
  unkeyed: 'Every row of this list has a SKU, UPC or item number.',
  carried: 'None of your changes were carried over to this list.',
};

/** Explains why no row has this change. Null if the reason is unknown, because the list was not fully compared. */
export const describeNoRows = (change: RowChange, list: SupplierList | null): string | null =>
  change === 'carried' || (list?.counts && !list.differences) ? words[change] : null;

/** Labels of changes, in the order of the menu. */
export const rowChangeWords: Record<RowChange, string> = {
  ...{ new: 'New', changed: 'Changed', dearer: 'Dearer', cheaper: 'Cheaper' },
  ...{ jumped: 'Price changed by half or more', price: 'Price', stock: 'Stock', text: 'Texts' },
  ...{ options: 'Options', pictures: 'Pictures', codes: 'Codes', other: 'Other fields' },
  ...{ unchanged: 'Unchanged', returned: 'Back', renumbered: 'New SKU' },
  ...{ doubled: 'SKU of another row', doubtful: 'Other title and UPC', unkeyed: 'No SKU or UPC' },
  carried: 'Carried over',
};

type Before = {
  /** Example: '+4 %' or '−2'. */
  change: string;
  /** Example: 'was 12.00'. */
  was: string;
};

/** Kinds of change in which a row has an item's key but may be another product, so that values are not compared. */
const notCompared: readonly string[] = ['doubled', 'doubtful'];

/** Returns the earlier list's value. Null if that value is unknown or has not changed, or if the operator edited it. */
export function findEarlierValue({ listed, values, sources }: Row, field: string): Before | null {
  if (listed === undefined || sources[field] !== undefined) return null;
  if (listed.changes.some((change) => notCompared.includes(change))) return null;
  if (field === 'price') return priceBefore(listed.priceBefore, values.price ?? '');
  return field === 'quantity' ? quantityBefore(listed.quantityBefore, values.quantity ?? '') : null;
}

function priceBefore(text: string | null, value: string): Before | null {
  const now = Number(parseMoney(value)?.amount ?? Number.NaN);
  const before = Number(text ?? Number.NaN);
  if (Number.isNaN(now - before) || now === before) return null;
  const shown = /\.\d{3,}$/.test(text ?? '') ? text : before.toFixed(2);
  const change = before === 0 ? 'new' : signed((100 * (now - before)) / before, ' %');
  return { change, was: `was ${shown}` };
}

function quantityBefore(before: number | null, value: string): Before | null {
  const now = readQuantity(value);
  if (now === null || before === null || now === before) return null;
  return { change: signed(now - before, ''), was: `was ${formatCount(before)}` };
}

/** Example: '+4 %' or '−0.4 %'. */
function signed(difference: number, unit: string): string {
  const size = Math.abs(difference);
  const rounded = size < 1 ? Math.max(0.1, Number(size.toFixed(1))) : Math.round(size);
  return `${difference < 0 ? '−' : '+'}${formatCount(rounded)}${unit}`;
}

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });

type CarriedValue = NonNullable<Row['carried']>[string];

/** `theirs`: the supplier's value. Example: 'Yours since March 3 (march.csv). Acme: 12.00'. */
export function carriedValueText(
  { since, filename, theirs }: CarriedValue,
  list: SupplierList | null,
): string {
  const date = new Date(since);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  const name = list?.isNamed && list.supplier !== null ? list.supplier.name : 'This file';
  const says = theirs === null || theirs === '' ? `${name} left this field empty.` : `${name}: ${theirs}`;
  return `Yours since ${(isThisYear ? day : dayOfYear).format(date)} (${filename}). ${says}`;
}
