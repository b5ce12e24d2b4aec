import { claimLines, makers, originLines } from './claim-words.ts';
import { foldText, unspaced, wordsOf } from './fold-text.ts';
import type { Language } from './frequent-words.ts';

/** Beginnings of words, with a space before them, and of phrases; whole words end with a space. */
type Claim = { made: readonly string[]; known: readonly string[] };

function readLine(line: string): Claim {
  const spellings = line.split(',').map((one) => one.trim());
  const known = spellings.map((one) => {
    const written = foldText(one.replace('$', '').replace(/^~/, ''));
    // '#1' and scripts without spaces are looked for as they are.
    if (unspaced.test(written) || written.startsWith('#')) return written;
    return ` ${wordsOf(written).join(' ')}${one.endsWith('$') ? ' ' : ''}`;
  });
  return { known, made: known.filter((_, at) => !spellings[at]?.startsWith('~')) };
}

const claims: readonly Claim[] = `${claimLines.trim()}\n${originLines.trim()}`.split('\n').map(readLine);

/** Endings that make a claim of the word before them. */
const provenParts =
  /(?<![\p{L}])([\p{L}]{3,})(?:[ -]?(?:proof|resistant|repellent)|[ -](?:safe|certified|tested|approved|rated|friendly|grade))(?![\p{L}])/gu;
const germanParts =
  /(?<![\p{L}])([\p{L}]{4,}?)(?:fest|dicht|sicher|bestandig|abweisend|geeignet|schonend|freundlich|vertraglich|(?<!r)echt)(?:e[rnms]?)?(?![\p{L}])/gu;
/** What a product is fit for, where a wrong word does harm. 'Suitable for every day' is none. */
const fitFor =
  /(?<![\p{L}])(?:suitable for|suited (?:for|to)|geeignet fur|convient (?:a|aux|pour)|adaptee?s? (?:a|aux)|(?:apt|adecuad|adequad)[oa]s? para|adatt[oaie] (?:a|per)|geschikt voor|lampliga? for|egnet til) (?:(?:use (?:in|with|on)|the|a|an|den|die|das|la|le|les|l|el|los|las|il|lo|i|o|os|de|het|alle|all) )?((?:food|oxygen|gas|drinking|outdoor|oven|induction|freezer|children|kids|sensitive|allerg|diabet|vegan|medical|heavy|lebensmittel|sauerstoff|trinkwasser|aussen|backofen|induktion|kinder|empfindlich|aliment|oxygene|exterieur|four|enfants|peau|ninos|exterior|horno|piel|bambini|estern|forno|pelle|criancas|pele|voedsel|buiten|kinderen|livsmedel|utomhus|barn|fodevarer|udendors|born)[\p{L}]*)/gu;
/** The same endings in Swedish, Danish and Dutch. */
const nordicParts =
  /(?<![\p{L}])([\p{L}]{4,})(?:fri(?:tt|a|e)?|vrije?|saker[at]?|sikker[et]?|avvisande|afvisende|resistent|tatt?|taet|tal(?:ig|igt)|bestendige?|bestand|dichte?|vaste?|werende?|afstotende?)(?![\p{L}])/gu;
const freeParts = [
  /(?<![\p{L}])([\p{L}]{3,})[ -]free(?![\p{L}])/gu,
  /(?<![\p{L}])free (?:of|from) ([\p{L}]{3,})/gu,
  /(?<![\p{L}])([\p{L}]{4,})frei(?:e[rnms]?)?(?![\p{L}])/gu,
  /(?<![\p{L}])(?:without|ohne|sans|sin|senza|zonder|sem|utan|uden|bez|без|χωρις) ([\p{L}]{3,})/gu,
];
/** 'el más vendido', 'il più', 'le plus', 'o mais', 'самый', 'najlepszy', 'de sterkste', 'den finaste'. */
const otherSuperlatives: readonly [readonly Language[] | null, RegExp][] = [
  [['es'], /(?<![\p{L}])(?:el|la|los|las|lo) mas [\p{L}]{4,}/gu],
  [['fr'], /(?<![\p{L}])(?:le|la|les) plus [\p{L}]{4,}/gu],
  [['it'], /(?<![\p{L}])(?:il|la|lo|i|le|gli) piu [\p{L}]{4,}/gu],
  [['pt'], /(?<![\p{L}])(?:o|a|os|as) mais [\p{L}]{4,}/gu],
  [['pl'], /(?<![\p{L}])naj[\p{L}]{4,}/gu],
  [
    ['nl'],
    /(?<![\p{L}])(?:de|het) (?!laatste|eerste|juiste|bewuste|robuuste|vaste)[\p{L}]{3,}ste(?![\p{L}])/gu,
  ],
  [['sv', 'da'], /(?<![\p{L}])(?:den|det|de) [\p{L}]{3,}(?:aste|este)(?![\p{L}])/gu],
  [null, /(?<![\p{L}])сам(?:ыи|ая|ое|ые|ого|ои|ым|ых) [\p{L}]{4,}/gu],
];
const superlative = /(?<![\p{L}])(?:[\p{L}]{3,}est|(?:most|least) [\p{L}]{4,})(?![\p{L}])/gu;
/** 'das sicherste Schloss', 'am leichtesten'. */
const germanSuperlative =
  /(?<![\p{L}])(?:der|die|das|dem|den|am|unser\p{L}*|ihr\p{L}*) ([\p{L}]{3,}ste[nrs]?)(?![\p{L}])/gu;
const notGermanSuperlative =
  /^(?:(?:erste|unterste|oberste|vorderste|hinterste|innerste|ausserste|feste|robuste|meiste)[nrs]?|.*(?:kiste|leiste|liste|weste|burste|kuste|kruste|taste|paste|piste|geste|reste|gaste|aste|quaste|buste|palaste|dienste|kunste|kosten|kasten|posten|fenster|muster|pfosten|rosten|herbste|wurste|fauste)n?)$/;
const notSuperlative = new Set(
  `forest harvest interest chest guest quest request digest invest honest modest suggest earnest crest tempest everest
  conquest protest contest manifest arrest nearest amethyst wildest zest contrast breast budapest latest rest west nest
  vest test best`.split(/\s+/),
);

const stemChars = 4;
const stem = (word: string): string => word.slice(0, Math.max(stemChars, word.length - 3));

/** A row's folded text, as it is and as `spacedText`. */
type RowClaims = { text: string; spaced: string };

/** A folded text followed by its words, with a space before and after each. */
export const spacedText = (folded: string): string => `${folded} ${wordsOf(folded).join(' ')} `;

const partCharsMin = 5;

/** Whether a row makes a claim; a long word also as a part of another one: 'women s' has no 'men s'. */
const isMade = (spelling: string, rowSpaced: string): boolean =>
  rowSpaced.includes(
    spelling.trim().length < partCharsMin || spelling.endsWith(' ') ? spelling : spelling.trimStart(),
  );

/** Claims and origins of a folded text that a row does not make. */
export function unknownClaims(text: string, row: RowClaims, language: Language | null): string[] {
  const found: string[] = [];
  const spaced = spacedText(text);
  for (const claim of claims) {
    const made = claim.made.find((spelling) => spaced.includes(spelling));
    if (made !== undefined && !claim.known.some((spelling) => isMade(spelling, row.spaced)))
      found.push(made.trim());
  }
  const hasNordicParts = language === 'sv' || language === 'da' || language === 'nl';
  const parts = [provenParts, germanParts, ...freeParts, germanSuperlative, fitFor];
  for (const pattern of hasNordicParts ? [...parts, nordicParts] : parts) {
    for (const [whole, part = ''] of text.matchAll(pattern)) {
      if (pattern === germanSuperlative && notGermanSuperlative.test(part)) continue;
      if (!row.text.includes(stem(part))) found.push(whole);
    }
  }
  for (const [users, pattern] of otherSuperlatives) {
    if (users !== null && (language === null || !users.includes(language))) continue;
    for (const [whole] of text.matchAll(pattern)) if (!row.text.includes(whole)) found.push(whole);
  }
  if (language !== 'en') return found;
  for (const [whole] of text.matchAll(superlative)) {
    if (!notSuperlative.has(whole) && !row.text.includes(whole)) found.push(whole);
  }
  return found;
}

const makerNames = makers.split(/\s+/).map((name) => {
  const text = foldText(name);
  return unspaced.test(text) ? text : ` ${wordsOf(text).join(' ')} `;
});

/** Well-known makers that a folded text names and a row does not. */
export function unknownMakers(text: string, rowSpaced: string): string[] {
  const spaced = spacedText(text);
  return makerNames
    .filter((name) => spaced.includes(name) && !rowSpaced.includes(name))
    .map((name) => name.trim());
}
