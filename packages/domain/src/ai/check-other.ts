import { foldText, invisible } from './fold-text.ts';

/** Control characters, private use and halves of pairs. Line breaks and tabs are fine. */
const control = /[\p{Cs}\p{Co}\p{Cn}]|(?![\n\r\t])\p{Cc}/u;
const joiners =
  /(?<=\p{Script=Arabic})\u200c(?=\p{Script=Arabic})|(?<=\p{Script=Devanagari}\p{M}*)[\u200c\u200d]/gu;
const mixedWord =
  /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}\p{M}]{2,}/u;
const emoji = /(?![©®™\d#*])\p{Extended_Pictographic}/u;

const topLevels =
  `com net org info biz io co shop store online app site xyz eu de fr es it nl pt se dk pl ru uk us cn jp me
  ly ai dev example test ch at be fi gr cz hu ro tr kr br ua tv gg cc link page blog`
    .split(/\s+/)
    .join('|');
/** Addresses, in a text in lower case. */
const addresses = [
  /https?:|www\.|:\/\/|javascript:|data:|mailto:|ftp:|vbscript:/,
  new RegExp(`(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}-]{2,}\\.(?:${topLevels})(?![\\p{L}\\p{N}])`, 'u'),
  // 't.me/name': a path after letters with a dot.
  /(?<![\p{L}\p{N}])[\p{L}\p{N}-]+\.\p{L}{2,}\/[\p{L}\p{N}]/u,
  new RegExp(`(?:[ (\\[]dot[ )\\]]|\\(\\.\\)|\\[\\.\\]) ?(?:${topLevels})(?![\\p{L}\\p{N}])`, 'u'),
  /@|[([]at[)\]]/,
  /!?\[[^\]\n]*\]\(/,
];
const currency =
  'usd|eur|gbp|cad|chf|jpy|cny|rmb|aud|pln|sek|dkk|rub|dollars?|euros?|cents?|zl|kr|kronor|kroner|руб|yen|元|円';
const prices = [
  /\p{Sc}/u,
  new RegExp(`\\d ?(?:${currency})(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:${currency}) ?\\d`, 'u'),
  /(?<![\p{L}])(?:prices?|priced|preis(?:e|en|wert)?|prix|precio|prezzo|prijs|preco|pris|cena|цена)(?![\p{L}])/u,
  /(?<![\p{L}])(?:discount|coupon|gutschein|rabatt|rabais|descuento|sconto|korting|desconto|promo|sale price|on sale|save \d)/u,
];
const phoneWords =
  /(?<![\p{L}])(?:call|phone|tel|telefon\w*|telephone|whatsapp|звоните|telefono|appelez|anrufen)(?![\p{L}])[^\n]{0,30}\d[\d ()./-]{4,}/u;
const digitRuns = /\+?\d(?:[ ()./‐–-]{0,2}\d){6,}/g;
const years = /^(?:19|20)\d\d ?[‐–/-] ?(?:19|20)\d\d$/;

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
  for (const pattern of [...addresses, ...prices, ...phrases, phoneWords]) {
    const found = pattern.exec(folded)?.[0];
    if (found !== undefined) return found;
  }
  for (const [digits] of folded.matchAll(digitRuns)) if (!years.test(digits)) return digits;
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
