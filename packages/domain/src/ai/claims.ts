import { claimLines, makers, originLines } from './claim-words.ts';
import { foldText, unspaced } from './fold-text.ts';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function readLine(line: string): RegExp {
  const written = line.split(',').map((one) => one.trim());
  const patterns = written.map((one) => {
    const isWhole = one.endsWith('$');
    const text = foldText(isWhole ? one.slice(0, -1) : one);
    if (unspaced.test(text)) return escaped(text);
    return `(?<![\\p{L}\\p{N}])${escaped(text)}${isWhole ? '(?![\\p{L}\\p{N}])' : ''}`;
  });
  return new RegExp(patterns.join('|'), 'u');
}

const claims = `${claimLines.trim()}\n${originLines.trim()}`.split('\n').map(readLine);

/** Endings that make a claim of the word before them. */
const provenParts =
  /([\p{L}]{3,})[ -](?:proof|resistant|safe|certified|tested|approved|rated|friendly|repellent|grade)(?![\p{L}])/gu;
const germanParts =
  /(?<![\p{L}])([\p{L}]{4,}?)(?:fest|dicht|sicher|bestandig|abweisend|geeignet|(?<!r)echt)(?:e[rnms]?)?(?![\p{L}])/gu;
const freeParts = [
  /([\p{L}]{3,})[ -]free(?![\p{L}])/gu,
  /(?<![\p{L}])free (?:of|from) ([\p{L}]{3,})/gu,
  /(?<![\p{L}])([\p{L}]{4,})frei(?:e[rnms]?)?(?![\p{L}])/gu,
  /(?<![\p{L}])(?:without|ohne|sans|sin|senza|zonder|sem|utan|uden|bez|без|χωρις) ([\p{L}]{3,})/gu,
];
const superlative = /(?<![\p{L}])(?:[\p{L}]{3,}est|(?:most|least) [\p{L}]{4,})(?![\p{L}])/gu;
const notSuperlative = new Set(
  `forest harvest interest chest guest quest request digest invest honest modest suggest earnest crest tempest everest
  conquest protest contest manifest arrest nearest amethyst wildest zest contrast breast budapest latest rest west nest
  vest test best`.split(/\s+/),
);

const stemChars = 4;
const stem = (word: string): string => word.slice(0, Math.max(stemChars, word.length - 3));

/** Claims and origins of a folded text that a row does not make. */
export function unknownClaims(text: string, rowText: string, isEnglish: boolean): string[] {
  const found: string[] = [];
  for (const test of claims) {
    const claim = test.exec(text)?.[0];
    if (claim !== undefined && !test.test(rowText)) found.push(claim);
  }
  for (const pattern of [provenParts, germanParts, ...freeParts]) {
    for (const [whole, part = ''] of text.matchAll(pattern)) {
      if (!rowText.includes(stem(part))) found.push(whole);
    }
  }
  if (!isEnglish) return found;
  for (const [whole] of text.matchAll(superlative)) {
    if (!notSuperlative.has(whole) && !rowText.includes(whole)) found.push(whole);
  }
  return found;
}

const makerNames = makers.split(/\s+/).map((name) => {
  const text = foldText(name);
  const pattern = escaped(text).replace(/-/g, '[ -]?');
  return new RegExp(unspaced.test(text) ? pattern : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'u');
});

/** Well-known makers that a folded text names and a row does not. */
export const unknownMakers = (text: string, rowText: string): string[] =>
  makerNames.flatMap((name) => {
    const found = name.exec(text)?.[0];
    return found === undefined || name.test(rowText) ? [] : [found];
  });
