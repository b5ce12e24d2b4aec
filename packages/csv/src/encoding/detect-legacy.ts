import { createTextReader, type Encoding } from './encodings.ts';
import {
  detectableEncodings,
  frequentCharacters,
  frequentLetters,
  type Language,
  lettersByLanguage,
} from './letters.ts';

const sampleBytesMax = 24 * 1024;
/** Up to this many non-ASCII characters, `headStart` counts in full. In longer texts it counts less. */
const headStartCharacters = 50;
/** Minimum score of an East Asian encoding, which needs frequent characters and few invalid ones. */
const pairScoreMin = 0.5;

const eastAsian = ['shift_jis', 'gb18030', 'big5', 'euc-kr', 'euc-jp'] as const;
type EastAsian = (typeof eastAsian)[number];

/** Returns the encoding, other than UTF-8, that looks most like text, or Windows-1252 if none stands out. */
export function detectLegacyEncoding(bytes: Uint8Array, complete: boolean): Encoding {
  const sample = linesWithNonAscii(bytes, complete);
  let best: Encoding = 'windows-1252';
  let bestScore = pairScoreMin;
  for (const encoding of eastAsian) {
    const score = pairScore(encoding, sample);
    if (score > bestScore) {
      best = encoding;
      bestScore = score;
    }
  }
  if (best !== 'windows-1252') return best;
  bestScore = Number.NEGATIVE_INFINITY;
  for (const { encoding, languages, headStart } of detectableEncodings) {
    const { mean, characters } = letterScore(createTextReader(encoding).read(sample), languages);
    const score = mean + headStart * Math.min(1, headStartCharacters / Math.max(1, characters));
    if (score > bestScore) {
      best = encoding;
      bestScore = score;
    }
  }
  return best;
}

/** Returns the lines with non-ASCII bytes. Splits at LFs, because no character of these encodings contains an LF. */
function linesWithNonAscii(bytes: Uint8Array, complete: boolean): Uint8Array {
  const sample = new Uint8Array(Math.min(bytes.length, sampleBytesMax));
  let filled = 0;
  let from = 0;
  while (from < bytes.length && filled < sample.length) {
    let to = bytes.indexOf(10, from) + 1;
    if (to === 0) {
      // The last line of an incomplete head may end inside a character. It is used only if there is no other line.
      if (!complete && filled > 0) break;
      to = bytes.length;
    }
    const line = bytes.subarray(from, Math.min(to, from + sample.length - filled));
    if (line.some((byte) => byte > 0x7f)) {
      sample.set(line, filled);
      filled += line.length;
    }
    from = to;
  }
  return sample.subarray(0, filled);
}

const isAsciiLetter = (char: string | undefined) => char !== undefined && /^[a-z]$/i.test(char);

/** Rates how much the non-ASCII characters look like East Asian text, from below 0 (not at all) to 1. */
function pairScore(encoding: EastAsian, sample: Uint8Array): number {
  const text = [...new TextDecoder(encoding).decode(sample)];
  let score = 0;
  let count = 0;
  let core = 0;
  text.forEach((char, at) => {
    const code = char.codePointAt(0) as number;
    if (code < 0x80) return;
    count += 1;
    if (code >= 0x3040 && code < 0xff00) core += 1;
    else if (code >= 0xff61 && code <= 0xff9f) core += 1;
    score += pairWeight(encoding, char, code, isAsciiLetter(text[at - 1]) && isAsciiLetter(text[at + 1]));
  });
  // Symbols alone are not East Asian text.
  return core * 3 < count || count === 0 ? 0 : score / count;
}

function pairWeight(encoding: EastAsian, char: string, code: number, withinWord: boolean): number {
  const japanese = encoding === 'shift_jis' || encoding === 'euc-jp';
  if (code === 0xfffd || (code >= 0xe000 && code < 0xf900)) return -4;
  // Accented Latin letters that are wrongly decoded look like single ideographs inside words.
  if (withinWord) return -1;
  if ((code >= 0x3000 && code <= 0x301f) || (code >= 0xff01 && code <= 0xff5e)) return 0.8;
  if (code >= 0x3040 && code <= 0x30ff) return japanese ? 1 : -0.3;
  if (code >= 0xff61 && code <= 0xff9f) return encoding === 'shift_jis' ? 0.4 : -0.5;
  const isHangul = code >= 0xac00 && code <= 0xd7a3;
  const isIdeograph = code >= 0x4e00 && code <= 0x9fff;
  // Modern Korean has no ideographs.
  if (isIdeograph && encoding === 'euc-kr') return -0.5;
  if (isHangul || isIdeograph) return frequentCharacters[encoding].has(char) ? 1 : 0.3;
  return code < 0x3000 ? 0 : -0.5;
}

/** Returns the number of non-ASCII characters, and their mean score in the language that fits them best. */
function letterScore(text: string, languages: readonly Language[]): { mean: number; characters: number } {
  const scores = new Map<Language, number>(languages.map((language) => [language, 0]));
  let symbols = 0;
  let count = 0;
  let small = 0;
  let capitals = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (char < '\u0080') continue;
    count += 1;
    if (!/\p{L}|\p{M}/u.test(char)) {
      symbols += symbolWeight(char, text[at - 1] ?? '', text[at + 1] ?? '');
      continue;
    }
    if (isUpper(char)) capitals += 1;
    else if (isLower(char) && !isLatin(char)) small += 1;
    const place = placeWeight(char, text[at - 1] ?? '', text[at + 1] ?? '');
    for (const [language, score] of scores) {
      const known =
        lettersByLanguage.get(language)?.has(char) && !isMisplaced(language, char, text[at + 1]) ? 1 : -1;
      const often = frequentLetters[language]?.includes(char) ? 0.2 : 0;
      scores.set(language, score + place + known + often);
    }
  }
  if (count === 0) return { mean: 0, characters: 0 };
  // Text without capitals scores lower, because real Cyrillic or Greek text has some.
  const noCapitals = small > 8 && capitals === 0 ? 0.3 : 0;
  return { mean: (symbols + Math.max(...scores.values())) / count - noCapitals, characters: count };
}

/** In Portuguese, e follows õ. If another letter follows, the byte is more likely ő in Hungarian. */
const isMisplaced = (language: Language, char: string, after: string | undefined): boolean =>
  language === 'portuguese' && (char === 'õ' || char === 'Õ') && !/^e$/i.test(after ?? '');

const isLatin = (char: string) => /^\p{Script=Latin}$/u.test(char);
const isLower = (char: string) => /^\p{Ll}$/u.test(char);
const isUpper = (char: string) => /^\p{Lu}$/u.test(char);
const isConsonant = (char: string) => /^[b-df-hj-np-tv-xz]$/i.test(char.normalize('NFD').charAt(0));
const isLetter = (char: string) => /^[\p{L}\p{M}]$/u.test(char);

/** Rates a letter by its neighbors: letters of one script are together, and no capital follows a small letter. */
function placeWeight(char: string, before: string, after: string): number {
  const latin = isLatin(char);
  let weight = 0;
  if (isUpper(char) && (isLower(before) || (isLower(after) && isUpper(before)))) weight -= 1.2;
  if (isLower(char) && isUpper(after) && (isUpper(before) || !isLetter(before))) weight -= 1;
  for (const neighbor of [before, after]) {
    if (isLetter(neighbor)) weight += isLatin(neighbor) === latin ? 0.25 : -0.8;
  }
  if (latin && isConsonant(char) && isConsonant(before) && isConsonant(after)) weight -= 0.15;
  if (!isLetter(before) && !isLetter(after)) weight -= /[àéèóúíáÀÉåÅ]/.test(char) ? 0.2 : 0.7;
  return weight;
}

/** Rates a symbol: high in product texts, higher in its usual position, below 0 if it is unusual. */
function symbolWeight(char: string, before: string, after: string): number {
  const digitBefore = /[\d\s]/.test(before);
  const digitAfter = /[\d\s]/.test(after);
  if (char === '’') return isLetter(before) || /\d/.test(before) ? 1 : 0.3;
  if ('“„‘«‹'.includes(char)) return isLetter(before) ? -0.5 : 0.7;
  if ('”»›'.includes(char))
    return /[\s,;]/.test(after) || after === '' || /[\p{L}.!?]/u.test(before) ? 0.7 : 0;
  if ('–—'.includes(char))
    return (digitBefore && digitAfter) || (isLetter(before) && isLetter(after)) ? 0.9 : 0.3;
  if (char === '°') return /[\d\s]/.test(before) || /[CF]/.test(after) ? 0.9 : 0;
  if ('™®©'.includes(char)) return isLatin(after) && isLatin(before) ? -0.3 : 0.9;
  if ('€£¥'.includes(char)) return /[\d\s]/.test(before) || /[\d\s]/.test(after) ? 0.9 : -0.3;
  if ('½¼¾×±'.includes(char)) return digitBefore || digitAfter ? 0.9 : -0.5;
  if ('²³'.includes(char)) return /[m\d]/.test(before) ? 0.9 : -0.5;
  if ('…•·ºª№\u00a0'.includes(char)) return 0.4;
  if ('µ¢§¿¡'.includes(char)) return 0.1;
  const code = char.charCodeAt(0);
  if (code < 0xa0) return -2;
  if (code === 0xfffd) return -3;
  return code >= 0x2500 && code <= 0x259f ? -1.5 : -0.7;
}
