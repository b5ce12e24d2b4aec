import { storeTextCharsMax } from '../../review/store-limits.ts';
import type { AskedProduct, Failure } from './answer.ts';
import { htmlEntity } from './check-html.ts';
import { otherProblem } from './check-other.ts';
import { foldText, unspaced, wordsOf } from './fold-text.ts';
import type { RowFacts } from './row-facts.ts';
import { isOfRowWords } from './same-words.ts';
import { sentDescriptionCharsMax } from './sent-product.ts';
import { unitNamed } from './units.ts';

const wordsMax = 6;

/** The checks that types, tags and brands share: plain, short, no sentence. */
function plainFailures(value: string, row: RowFacts): Failure[] {
  if (value.length > storeTextCharsMax) return [{ cause: 'length', found: `${value.length} characters` }];
  const failures: Failure[] = [];
  const other = otherProblem(value, row.written);
  if (other !== null) failures.push({ cause: 'other', found: other });
  if (/[<\n]/.test(value) || htmlEntity.test(value)) failures.push({ cause: 'html', found: value });
  const words = wordsOf(foldText(value));
  // '450 γρ.' is no sentence.
  const isUnit = value.endsWith('.') && unitNamed(words.at(-1) ?? '') !== null;
  if (words.length > wordsMax || (/[.!?:;。]$/.test(value) && !isUnit))
    failures.push({ cause: 'facts', check: 'words', found: value });
  return failures;
}

/** Folded types by their list, which the answers of an import share. */
const foldedTypes = new WeakMap<readonly string[], ReadonlySet<string>>();

function isPresent(value: string, types: readonly string[]): boolean {
  const folded = foldedTypes.get(types) ?? new Set(types.map(foldText));
  foldedTypes.set(types, folded);
  return folded.has(foldText(value));
}

/** A type is a present one or made of the row's words. */
export function typeFailures(value: string, { types }: AskedProduct, row: RowFacts): Failure[] {
  const failures = plainFailures(value, row);
  const isLong = value.length > storeTextCharsMax;
  if (!isLong && !isPresent(value, types) && !isOfRowWords(value, row))
    failures.push({ cause: 'facts', check: 'words', found: value });
  return failures;
}

/** A tag is a present type or made of the row's words. A comma would make two of it. */
export function tagFailures(value: string, { types }: AskedProduct, row: RowFacts): Failure[] {
  const failures = plainFailures(value, row);
  if (value.length > storeTextCharsMax) return failures;
  if (value.includes(',')) failures.push({ cause: 'facts', check: 'words', found: ',' });
  if (!isPresent(value, types) && !isOfRowWords(value, row))
    failures.push({ cause: 'facts', check: 'words', found: value });
  return failures;
}

/** A value of the row has a brand's words in a row. */
export function nameFailures(value: string, { types }: AskedProduct, row: RowFacts): Failure[] {
  const failures = plainFailures(value, row);
  if (value.length > storeTextCharsMax) return failures;
  const words = (text: string) => ` ${wordsOf(text).join(' ')} `;
  const brand = words(foldText(value));
  const isNamed =
    /\p{L}/u.test(brand) &&
    !types.some((type) => words(foldText(type)) === brand) &&
    row.values.some((text) => words(text).includes(brand));
  if (!isNamed) failures.push({ cause: 'facts', check: 'brand', found: value });
  return failures;
}

const quotesMax = 20;

/** The first quote that does not occur in the row; null: there are quotes and all of them do. */
export function evidenceFailure(evidence: readonly string[], row: RowFacts): Failure | null {
  const fails = (found: string): Failure => ({ cause: 'facts', check: 'evidence', found });
  if (evidence.length === 0) return fails('no evidence');
  if (evidence.length > quotesMax) return fails(`${evidence.length} quotes`);
  const long = evidence.find((quote) => quote.length > sentDescriptionCharsMax);
  if (long !== undefined) return fails(`a quote of ${long.length} characters`);
  const missing = evidence.find((quote) => !occurs(quote, row));
  return missing === undefined ? null : fails(missing);
}

function occurs(quote: string, row: RowFacts): boolean {
  const folded = foldText(quote);
  const words = wordsOf(folded).join(' ');
  if (words === '') return false;
  const isUnspaced = unspaced.test(words);
  return row.quotable.some((value) => {
    if (isUnspaced) return value.replaceAll(' ', '').includes(words.replaceAll(' ', ''));
    const text = ` ${value} `;
    if (text.includes(` ${words} `)) return true;
    // A part of a compound: 'krukke' of 'Havekrukke'.
    return words.length >= partCharsMin && (text.includes(` ${words}`) || text.includes(`${words} `));
  });
}

const partCharsMin = 5;
