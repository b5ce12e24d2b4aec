import { findAddressOrPrice } from './addresses-and-prices.ts';
import { foldText, invisibleCharacters } from './fold-text.ts';

/** Control characters (except line breaks and tabs), private use characters, and halves of surrogate pairs. */
const control = /[\p{Cs}\p{Co}\p{Cn}]|(?![\n\r\t])\p{Cc}/u;
const joiners =
  /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})|[\u200c\u200d](?<=\p{Script=Devanagari}\p{M}*.)/gu;
/** Words that mix Latin letters with letters of scripts that look similar. */
const mixedWord =
  /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}])[\p{L}\p{M}]{2,}/u;
/** Emoji, and enclosed letters of Unicode. */
const emoji = /(?![©®™\d#*])\p{Extended_Pictographic}|[\u{1f100}-\u{1f1ff}]/u;
/** Remarks of a model about itself, parts of prompts, and unfilled templates. */
const template =
  /language model|system (?:prompt|message)|previous instructions|<\||\|>|im_start|im_end|lorem ipsum|\{\{|\}\}|\bundefined\b|\bnull\b|\bnan\b|\[(?:insert|your|brand|name|product)[^\]]*\]|#\p{L}/u;

const encodedRun = /[A-Za-z0-9+/]{24,}={0,2}/g;
const letterCountMin = 3;

/** Returns the first text that does not belong in product data, or null. `known`: the text of the row as sent. */
export function findForeignText(text: string, known: string): string | null {
  const hidden = text.replace(joiners, '').match(invisibleCharacters)?.[0] ?? control.exec(text)?.[0];
  if (hidden !== undefined) return codeOf(hidden);
  const picture = emoji.exec(text)?.[0];
  if (picture !== undefined && !known.includes(picture)) return picture;
  const mixed = mixedWord.exec(text.normalize('NFC').replace(/[µμΩ]/g, ''))?.[0];
  if (mixed !== undefined && !known.includes(mixed)) return mixed;
  const folded = foldText(text);
  const found = findAddressOrPrice(folded) ?? template.exec(folded)?.[0];
  if (found !== undefined) return found;
  for (const [code] of text.matchAll(encodedRun)) if (isEncoded(code)) return code;
  return null;
}

/** Returns whether a word is encoded data such as base64. Long words, unlike encoded data, have no capitals inside. */
function isEncoded(code: string): boolean {
  const capitals = code.slice(1).match(/[A-Z]/g)?.length ?? 0;
  const small = code.match(/[a-z]/g)?.length ?? 0;
  return capitals >= letterCountMin && small >= letterCountMin;
}

const codeOf = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
