/** Words that do not distinguish products. */
const stopWords = new Set(
  `a an and as at by de der die das for from in la le les mit of on or pour the to und with w/ new neu brand pack set pc pcs
  piece pieces count ct each assorted size inch inches in ft cm mm m oz fl lb lbs kg g ml l liter litre qt
  quart gal gallon en aus im con sans avec`.split(/\s+/),
);

const colorWords = new Set(
  `amber apricot aqua beige black blue blush bronze brown burgundy champagne charcoal copper coral cream crimson cyan
  emerald forest fuchsia gold golden gray green grey indigo ivory khaki lavender lilac lime magenta maroon mauve mint
  mustard natural navy nude oatmeal olive orange peach pink plum purple red rose rust sage sand scarlet silver slate tan
  taupe teal terracotta transparent turquoise violet walnut white wine yellow schwarz weiß weiss rot blau grün gruen
  gelb noir blanc rouge bleu vert jaune`.split(/\s+/),
);

/** The words of a title in three groups that are compared in different ways. */
export type ProductWords = {
  words: Set<string>;
  /** Numbers, sizes and model numbers. */
  numbers: Set<string>;
  colors: Set<string>;
};

const charsMax = 1_000;
const combining = /\p{M}/gu;
const notWord = /[^\p{L}\p{N}]+/u;
/** Scripts without spaces between words. Their texts are compared by pairs of characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Splits a title into comparable words: lower case, without accents and plural s. `brands`: words to leave out. */
export function splitProductWords(text: string, brands: readonly string[] = []): ProductWords {
  const found: ProductWords = { words: new Set(), numbers: new Set(), colors: new Set() };
  const left = new Set(brands);
  eachWord(text, left, (group, word) => found[group].add(word));
  return found;
}

/** Returns the comparable words of a text in order, including repetitions. */
export function splitIntoWords(text: string): string[] {
  const found: string[] = [];
  eachWord(text, new Set(), (_group, word) => found.push(word));
  return found;
}

/** Returns a text's words as written, keyed by their comparable form. Omits numbers, colors and the words in `left`. */
export function mapWrittenWords(text: string, left: ReadonlySet<string>): Map<string, string> {
  const found = new Map<string, string>();
  eachWord(text, left, (group, word, written) => {
    if (group === 'words' && !found.has(word)) found.set(word, written);
  });
  return found;
}

function eachWord(
  text: string,
  left: ReadonlySet<string>,
  visit: (group: keyof ProductWords, word: string, written: string) => void,
): void {
  const normal = text.slice(0, charsMax).normalize('NFKD').replace(combining, '').toLowerCase();
  // '5 x 7', '5x7' and '5"x7"' give the same two numbers. '22in' and '22"' give the same number.
  const spaced = normal
    .replace(/['’`]/g, '')
    .replace(/(\d)[.,](?=\d)/g, '$1p')
    .replace(/(\d)["”]*\s*[x×]\s*(?=\d)/g, '$1 ');
  for (const raw of spaced.split(notWord)) {
    const word = singular(raw);
    if (word === '' || stopWords.has(raw) || stopWords.has(word) || left.has(word)) continue;
    if (colorWords.has(raw) || colorWords.has(word)) visit('colors', word === 'grey' ? 'gray' : word, raw);
    else if (/\d/.test(word)) visit('numbers', numberOf(word), raw);
    else if (unspaced.test(word)) for (const pair of pairsOf(word)) visit('words', pair, pair);
    else visit('words', word, raw);
  }
}

const numberCharsMax = 40;

/** Removes units and leading zeros: '22in' and '0022' become '22', '5p5in' (5.5 inches) becomes '5p5'. */
function numberOf(word: string): string {
  if (word.length > numberCharsMax) return word;
  const [, digits] =
    /^0*(\d+(?:p\d+)?)(?:in|inch|ft|cm|mm|m|oz|lb|lbs|kg|g|ml|l|pc|pcs|pk|ct|w|v|pack)?$/.exec(word) ?? [];
  return digits ?? word;
}

function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function pairsOf(word: string): string[] {
  const chars = [...word];
  return chars.length < 2 ? chars : chars.slice(1).map((char, at) => `${chars[at]}${char}`);
}
