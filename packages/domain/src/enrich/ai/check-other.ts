import { addressOrPrice } from './addresses-and-prices.ts';
import { foldText, invisible } from './fold-text.ts';

/** Control characters, private use and halves of pairs. Line breaks and tabs are fine. */
const control = /[\p{Cs}\p{Co}\p{Cn}]|(?![\n\r\t])\p{Cc}/u;
const joiners =
  /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})|[\u200c\u200d](?<=\p{Script=Devanagari}\p{M}*.)/gu;
/** Latin letters beside those of scripts whose letters look like them. */
const mixedWord =
  /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}])[\p{L}\p{M}]{2,}/u;
/** Pictures, and the letters in frames that Unicode has beside them. */
const emoji = /(?![©®™\d#*])\p{Extended_Pictographic}|[\u{1f100}-\u{1f1ff}]/u;
/** Latin letters that do not fold to a to z, such as small capitals: 'ᴄᴇʀᴛɪꜰɪᴇᴅ' would pass all lists. */
const oddLatin = /(?![a-z])\p{Script=Latin}/gu;

/** Words of requests, of answers of a model about itself, and of advertising. */
const phrases = [
  /(?<![\p{L}])as an? (?:ai|assistant|language model|model)(?![\p{L}])|language model|\bai (?:model|assistant)|sprachmodell|ki-modell|modele de langage|modelo de lenguaje/u,
  /system ?prompt|system message|\bprompt\b|<\||\|>|im_start|im_end|\bassistant\b/,
  /(?<![\p{L}])(?:ignore|disregard|forget|override|ignoriere\w*|missachte|ignorez|ignora|ignorar?|oubliez|olvida|negeer)(?![\p{L}])[^\n]{0,40}(?:instruct|rule|previous|above|prior|regel|anweisung|vorgabe|consigne|regle|instruc|istruzion|instructie)/u,
  /(?:previous|prior|above|following) (?:instructions?|rules?)/,
  /(?:supplied|provided|given|input|product|row|source) (?:row )?(?:data|values)|(?:the|this|your) (?:csv|row|json)\b|"(?:products|evidence|description|id|brand|tags)"/,
  /(?<![\p{L}'])i(?:'m|'ve|'ll)? (?:am|was|will|have|had|hope|can|cannot|can't|think|say|would|apologize|do|don't|sorry|told|write)(?![\p{L}])/u,
  /(?:here is|here's|here are|below is|hier ist|voici) (?:the|your|a|die|der|das|la|une?) ?(?:\p{L}+ )?(?:description|text|answer|beschreibung|json)/u,
  /lorem ipsum|\{\{|\}\}|\bundefined\b|\bnull\b|\bnan\b|\btodo\b|\[(?:insert|your|brand|name|product|color|size|add|hier|marke)[^\]]*\]|<(?:insert|your|brand)/,
  /click here|buy now|order (?:now|today|yours)|shop now|add to cart|contact us|call us|call (?:now|today)|visit (?:us|our)|follow us|subscribe|sign up|limited time|hurry|do not miss|don't miss/,
  /jetzt (?:kaufen|bestellen)|hier klicken|besuchen sie|kontaktieren|achetez|commandez|cliquez|compra ahora|haz clic|acquista ora|clicca|koop nu|bestel nu|klik hier|compre agora|kop nu|kob nu|kup teraz|kliknij|купите|закажите|звоните|立即购买|点击/,
  /#\p{L}/u,
];

const encodedRun = /[A-Za-z0-9+/]{24,}={0,2}/g;
const letterCountMin = 3;

/** The part of a text that is no part of a product text; null: none. `known`: the row's text, as it was sent. */
export function otherProblem(text: string, known: string): string | null {
  const hidden = text.replace(joiners, '').match(invisible)?.[0] ?? control.exec(text)?.[0];
  if (hidden !== undefined) return codeOf(hidden);
  const picture = emoji.exec(text)?.[0];
  if (picture !== undefined && !known.includes(picture)) return picture;
  const mixed = mixedWord.exec(text.normalize('NFC').replace(/[µμΩ]/g, ''))?.[0];
  if (mixed !== undefined && !known.includes(mixed)) return mixed;
  const folded = foldText(text);
  const odd = folded.match(oddLatin)?.find((letter) => !foldText(known).includes(letter));
  if (odd !== undefined) return odd;
  const named = addressOrPrice(folded);
  if (named !== null) return named;
  for (const pattern of phrases) {
    const found = pattern.exec(folded)?.[0];
    if (found !== undefined) return found;
  }
  for (const [code] of text.matchAll(encodedRun)) if (isEncoded(code)) return code;
  return null;
}

/** Long words are not encoded texts: those have capitals in between. */
function isEncoded(code: string): boolean {
  const capitals = code.slice(1).match(/[A-Z]/g)?.length ?? 0;
  const small = code.match(/[a-z]/g)?.length ?? 0;
  return capitals >= letterCountMin && small >= letterCountMin;
}

const codeOf = (char: string): string => `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;
