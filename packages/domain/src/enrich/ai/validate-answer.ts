import { storeTextCharsMax } from '../../review/store-limits.ts';
import type {
  AcceptedValue,
  AskedProduct,
  CheckedAnswer,
  DroppedValue,
  ProductAnswer,
  ProposableField,
  ValueFailure,
} from './answer.ts';
import { findHtmlProblem, htmlEntity } from './check-html.ts';
import { findForeignText } from './check-other.ts';
import { foldText, textOfHtml, unspacedScript, wordsOf } from './fold-text.ts';
import { findForeignQuantities, findQuantities } from './quantities.ts';
import { findClothingSizes, type RowFacts, toRowFacts } from './row-facts.ts';
import { consistsOfRowWords, sharesTitleWord } from './same-words.ts';
import { sentDescriptionCharsMax } from './sent-product.ts';
import { findUnit } from './units.ts';

const readTagsMax = 50;

export const proposedTagsMax = 10;

/**
 * Decides which values of an answer are proposed: values of the right length and form whose numbers, units, brand and
 * quotes occur in the sent values. Nothing is cut or repaired, except that a type gets an existing type's spelling.
 */
export function validateAnswer(asked: AskedProduct, answer: ProductAnswer): CheckedAnswer {
  const row = toRowFacts(asked.product);
  const checked: CheckedAnswer = { accepted: [], dropped: [], flags: [] };
  const isAsked = (field: ProposableField) => asked.asked.includes(field);
  for (const { field, value, evidence } of valuesOf(answer)) {
    if (!isAsked(field)) continue;
    const [failure] = findFailures(field, value, evidence, asked, row);
    if (failure === undefined)
      checked.accepted.push({ field, value: spelled(field, value, asked), evidence });
    else checked.dropped.push({ field, value, failure });
  }
  if (isAsked('tags')) addTags(asked, answer, row, checked);
  if (asked.asked.includes('flags')) checked.flags = uniqueFlags(answer);
  return checked;
}

const blanks = new Set(' \t\r\n');

/** String.trim would also remove invisible characters, and a regular expression takes minutes for 1 MiB of blanks. */
function trimmed(value: string): string {
  let [from, to] = [0, value.length];
  while (from < to && blanks.has(value.charAt(from))) from++;
  while (to > from && blanks.has(value.charAt(to - 1))) to--;
  return value.slice(from, to);
}

type AnsweredValue = { field: Exclude<ProposableField, 'tags'>; value: string; evidence: string[] };

function valuesOf({ description, type, brand, evidence }: ProductAnswer): AnsweredValue[] {
  const values = [
    { field: 'description' as const, value: description, evidence: evidence.description },
    { field: 'type' as const, value: type, evidence: evidence.type },
    { field: 'vendor' as const, value: brand, evidence: evidence.brand },
  ];
  return values.flatMap(({ value, ...one }) =>
    value === null || trimmed(value) === '' ? [] : [{ ...one, value: trimmed(value) }],
  );
}

/** Returns all failures of a value, in the order of the checks. For the field `tags` the value is one tag. */
export function findFailures(
  field: ProposableField,
  value: string,
  evidence: readonly string[],
  asked: AskedProduct,
  row: RowFacts = toRowFacts(asked.product),
): ValueFailure[] {
  if (isUnchanged(field, value, asked)) return [{ cause: 'unchanged', found: value }];
  const failures =
    field === 'description' ? describeFailures(value, asked, row) : nameFailures(field, value, asked, row);
  return [...failures, ...evidenceFailures(evidence, row)];
}

/** Returns equal strings for values that differ only in marks, spaces and case. */
const normalized = (value: string): string => wordsOf(foldText(textOfHtml(value))).join(' ');

function isUnchanged(field: ProposableField, value: string, { product }: AskedProduct): boolean {
  if (value.length > (field === 'description' ? descriptionCharsMax : storeTextCharsMax)) return false;
  const present = field === 'tags' ? (product.tags ?? []) : [product[field] ?? ''];
  const same = normalized(value);
  return present.some((one) => one !== '' && normalized(one) === same);
}

function spelled(field: ProposableField, value: string, { types }: AskedProduct): string {
  if (field !== 'type') return value;
  return types.find((type) => normalized(type) === normalized(value)) ?? value;
}

function addTags(asked: AskedProduct, answer: ProductAnswer, row: RowFacts, checked: CheckedAnswer): void {
  const tags = new Map<string, string>();
  const dropped: DroppedValue[] = [];
  // An answer has one list of quotes for all of its tags.
  const held = evidenceFailures(answer.evidence.tags, row);
  for (const tag of answer.tags
    .slice(0, readTagsMax)
    .map(trimmed)
    .filter((one) => one !== '')) {
    const same = tag.length > storeTextCharsMax ? tag : normalized(tag);
    if (tags.has(same)) continue;
    const [failure]: ValueFailure[] = isUnchanged('tags', tag, asked)
      ? [{ cause: 'unchanged', found: tag }]
      : [...nameFailures('tags', tag, asked, row), ...held];
    if (failure !== undefined) dropped.push({ field: 'tags', value: tag, failure });
    else if (tags.size < proposedTagsMax) tags.set(same, tag);
    else dropped.push({ field: 'tags', value: tag, failure: { cause: 'length', found: tag } });
  }
  checked.dropped.push(...dropped);
  if (tags.size === 0) return;
  const value = [...(asked.product.tags ?? []), ...tags.values()].join(', ');
  const accepted: AcceptedValue = { field: 'tags', value, evidence: answer.evidence.tags };
  checked.accepted.push(accepted);
}

function uniqueFlags({ flags }: ProductAnswer): CheckedAnswer['flags'] {
  const seen = new Map(flags.map((flag) => [`${flag.field} ${flag.reason}`, flag]));
  return [...seen.values()];
}

const charsMin = 30;
/** Maximum length of a description. A longer text is dropped without further checks. */
const descriptionCharsMax = 20_000;

function describeFailures(html: string, { product }: AskedProduct, row: RowFacts): ValueFailure[] {
  if (html.length > descriptionCharsMax) return [{ cause: 'length', found: `${html.length} characters` }];
  const text = textOfHtml(html);
  const failures: ValueFailure[] = [];
  const add = (cause: 'other' | 'html' | 'length', found: string | null) => {
    if (found !== null) failures.push({ cause, found });
  };
  add('other', findForeignText(html, row.written) ?? findForeignText(text, row.written));
  add('html', findHtmlProblem(html));
  add('length', lengthProblem(text, product.description));
  return [...failures, ...factFailures(text, row)];
}

function factFailures(text: string, row: RowFacts): ValueFailure[] {
  const folded = foldText(text);
  const failures: ValueFailure[] = findForeignQuantities(
    findQuantities(folded),
    row.quantities,
    row.text,
  ).map(({ check, found }) => ({ cause: 'facts', check, found }));
  for (const size of findClothingSizes(text)) {
    if (!row.sizes.has(size)) failures.push({ cause: 'facts', check: 'size', found: size });
  }
  if (!sharesTitleWord(folded, row))
    failures.push({ cause: 'facts', check: 'words', found: text.slice(0, 40) });
  return failures;
}

/** Returns the length of a text. A character of an unspaced script counts as two letters. */
function weightedLength(text: string): number {
  let length = 0;
  for (const char of text) length += unspacedScript.test(char) ? 2 : 1;
  return length;
}

function lengthProblem(text: string, present: string | undefined): string | null {
  const length = weightedLength(text);
  if (length < charsMin) return `${length} characters`;
  const before = weightedLength(textOfHtml(present ?? ''));
  return length * 2 < before ? `${length} of ${before} characters` : null;
}

const wordsMax = 6;

/** A type, tag or brand must be short and plain, and consist of the row's words. A comma would split a tag in two. */
function nameFailures(
  field: Exclude<ProposableField, 'description'>,
  value: string,
  { types }: AskedProduct,
  row: RowFacts,
): ValueFailure[] {
  if (value.length > storeTextCharsMax) return [{ cause: 'length', found: `${value.length} characters` }];
  const failures: ValueFailure[] = [];
  const fails = (check: 'words' | 'brand', found = value) => failures.push({ cause: 'facts', check, found });
  const other = findForeignText(value, row.written);
  if (other !== null) failures.push({ cause: 'other', found: other });
  if (/[<\n]/.test(value) || htmlEntity.test(value)) failures.push({ cause: 'html', found: value });
  const words = wordsOf(foldText(value));
  // A text that ends with an abbreviated unit ('450 γρ.') is no sentence.
  const isUnit = value.endsWith('.') && findUnit(words.at(-1) ?? '') !== null;
  if (words.length > wordsMax || (/[.!?:;。]$/.test(value) && !isUnit)) fails('words');
  if (field === 'tags' && value.includes(',')) fails('words', ',');
  if (field === 'vendor') {
    if (!isNamedIn(words, types, row)) fails('brand');
  } else if (!isPresent(value, types) && !consistsOfRowWords(value, row)) fails('words');
  return failures;
}

const isPresent = (value: string, types: readonly string[]): boolean =>
  types.map(foldText).includes(foldText(value));

/** Returns whether a value of the row contains a brand's words in sequence, and no type consists of these words. */
function isNamedIn(words: readonly string[], types: readonly string[], row: RowFacts): boolean {
  const inBlanks = (all: readonly string[]) => ` ${all.join(' ')} `;
  const brand = inBlanks(words);
  return (
    /\p{L}/u.test(brand) &&
    !types.some((type) => inBlanks(wordsOf(foldText(type))) === brand) &&
    row.values.some((text) => inBlanks(wordsOf(text)).includes(brand))
  );
}

const quotesMax = 20;

/** Returns a failure if quotes are missing, too many or too long, else for the first quote that is not in the row. */
function evidenceFailures(evidence: readonly string[], row: RowFacts): ValueFailure[] {
  const fails = (found: string): ValueFailure[] => [{ cause: 'facts', check: 'evidence', found }];
  if (evidence.length === 0) return fails('no evidence');
  if (evidence.length > quotesMax) return fails(`${evidence.length} quotes`);
  const long = evidence.find((quote) => quote.length > sentDescriptionCharsMax);
  if (long !== undefined) return fails(`a quote of ${long.length} characters`);
  const missing = evidence.find((quote) => !occurs(quote, row));
  return missing === undefined ? [] : fails(missing);
}

function occurs(quote: string, row: RowFacts): boolean {
  const folded = foldText(quote);
  const words = wordsOf(folded).join(' ');
  if (words === '') return false;
  const isUnspaced = unspacedScript.test(words);
  return row.quotable.some((value) => {
    if (isUnspaced) return value.replaceAll(' ', '').includes(words.replaceAll(' ', ''));
    const text = ` ${value} `;
    if (text.includes(` ${words} `)) return true;
    // A quote may be part of a compound, as 'krukke' is of 'Havekrukke'.
    return words.length >= partCharsMin && (text.includes(` ${words}`) || text.includes(`${words} `));
  });
}

const partCharsMin = 5;
