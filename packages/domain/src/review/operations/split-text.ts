import type { Operation } from './operation.ts';

type Replace = Extract<Operation, { kind: 'replace' }>;

/** Splits a text around another text by Knuth-Morris-Pratt, in linear time. A regular expression may take longer. */
export function splitText(
  text: string,
  { find, whole, matchCase }: Pick<Replace, 'find' | 'whole' | 'matchCase'>,
): string[] {
  const [searched, sought] = matchCase ? [text, find] : [foldCase(text), foldCase(find)];
  if (whole) return searched === sought ? ['', ''] : [text];
  const borders = bordersOf(sought);
  const parts: string[] = [];
  let from = 0;
  let matched = 0;
  for (let at = 0; at < searched.length; at += 1) {
    matched = extend(sought, borders, matched, searched.charCodeAt(at));
    if (matched < sought.length) continue;
    parts.push(text.slice(from, at + 1 - sought.length));
    from = at + 1;
    matched = 0;
  }
  return [...parts, text.slice(from)];
}

/** For each prefix of a text, returns the length of its longest border: a shorter prefix that the prefix ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  for (let at = 1; at < text.length; at += 1) {
    borders[at] = extend(text, borders, borders[at - 1] ?? 0, text.charCodeAt(at));
  }
  return borders;
}

/** Returns the number of leading characters of `sought` that match after `unit`, if `matched` of them did before. */
function extend(sought: string, borders: Uint32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && sought.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return sought.charCodeAt(length) === unit ? length + 1 : length;
}

/** Folds case as regular expressions do, without changing the length. */
function foldCase(text: string): string {
  const ascii = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return ascii.replace(/[\p{Changes_When_Casemapped}--\p{ASCII}]/gv, foldOther);
}

/** A cache of folded letters. Initially it has letters that are equal although they are not upper and lower case. */
const folded = new Map([
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
]);

/** Folds a letter outside ASCII and caches the result. About 3,000 letters have two cases. */
function foldOther(char: string): string {
  const known = folded.get(char);
  if (known !== undefined) return known;
  const upper = char.toUpperCase();
  const lower = (upper.length === char.length ? upper : char).toLowerCase();
  const isSame = new RegExp(`^${RegExp.escape(lower)}$`, 'iu').test(char);
  folded.set(char, isSame ? lower : char);
  return isSame ? lower : char;
}
