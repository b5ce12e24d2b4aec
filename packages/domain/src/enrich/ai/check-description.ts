import type { AskedProduct, Failure } from './answer.ts';
import { unknownNames } from './check-brand.ts';
import { htmlProblem } from './check-html.ts';
import { languageProblem } from './check-language.ts';
import { otherProblem } from './check-other.ts';
import { unknownClaims } from './claims.ts';
import { unknownFacts } from './fact-words.ts';
import { foldText, textOfHtml, unspaced, wordsOf } from './fold-text.ts';
import { languageOf, mainScript } from './language.ts';
import { foreignQuantities, quantitiesOf } from './quantities.ts';
import { type RowFacts, sizesOf } from './row-facts.ts';
import { sharesTitleWord } from './same-words.ts';

const charsMin = 30;
/** Longest description in characters. The other checks do not read longer ones. */
export const descriptionCharsMax = 20_000;

/** All checks that a description fails. */
export function describeFailures(html: string, { product }: AskedProduct, row: RowFacts): Failure[] {
  if (html.length > descriptionCharsMax) return [{ cause: 'length', found: `${html.length} characters` }];
  const text = textOfHtml(html);
  const failures: Failure[] = [];
  const add = (cause: 'other' | 'html' | 'language' | 'length', found: string | null) => {
    if (found !== null) failures.push({ cause, found });
  };
  add('other', otherProblem(html, row.written) ?? otherProblem(text, row.written));
  add('html', htmlProblem(html));
  add('language', languageProblem(text, row));
  add('length', lengthProblem(text, product.description));
  return [...failures, ...factFailures(text, row)];
}

/** The facts of a text that a row does not have. */
export function factFailures(text: string, row: RowFacts): Failure[] {
  const folded = foldText(text);
  const words = wordsOf(folded);
  const language = mainScript(text) === 'latin' ? (row.language ?? languageOf(text)) : null;
  const failures: Failure[] = foreignQuantities(quantitiesOf(folded, language), row.quantities, row.text).map(
    ({ check, found }) => ({ cause: 'facts', check, found }),
  );
  for (const size of sizesOf(text)) {
    if (!row.sizes.has(size)) failures.push({ cause: 'facts', check: 'size', found: size });
  }
  for (const { check, found } of unknownFacts(words, folded, language, row)) {
    failures.push(check === 'foreign' ? { cause: 'language', found } : { cause: 'facts', check, found });
  }
  for (const found of unknownClaims(folded, row, language)) {
    failures.push({ cause: 'facts', check: 'claim', found });
  }
  for (const found of unknownNames(text, language, row)) {
    failures.push({ cause: 'facts', check: 'brand', found });
  }
  if (!sharesTitleWord(folded, row))
    failures.push({ cause: 'facts', check: 'words', found: text.slice(0, 40) });
  return failures;
}

/** A character of an unspaced script says as much as two letters. */
function weightedLength(text: string): number {
  let length = 0;
  for (const char of text) length += unspaced.test(char) ? 2 : 1;
  return length;
}

function lengthProblem(text: string, present: string | undefined): string | null {
  const length = weightedLength(text);
  if (length < charsMin) return `${length} characters`;
  const before = weightedLength(textOfHtml(present ?? ''));
  return length * 2 < before ? `${length} of ${before} characters` : null;
}
