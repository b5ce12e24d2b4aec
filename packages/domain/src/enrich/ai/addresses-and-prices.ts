const topLevels =
  `com net org info biz io co shop store online app site xyz eu de fr es it nl pt se dk pl ru uk us cn jp me
  ly ai dev example test ch at be fi gr cz hu ro tr kr br ua tv gg cc link page blog`
    .split(/\s+/)
    .join('|');
/** Patterns of addresses, for a text from `foldText`. */
const addresses = [
  /https?:|www\.|:\/\/|javascript:|data:|mailto:|ftp:|vbscript:/,
  new RegExp(`(?<![\\p{L}\\p{N}-])[\\p{L}\\p{N}-]{2,}\\.(?:${topLevels})(?![\\p{L}\\p{N}])`, 'u'),
  // A host name before a path, such as 't.me/name'.
  /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+\.\p{L}{2,}\/[\p{L}\p{N}]/u,
  new RegExp(`(?:[ (\\[]dot[ )\\]]|\\(\\.\\)|\\[\\.\\]) ?(?:${topLevels})(?![\\p{L}\\p{N}])`, 'u'),
  /@|[([]at[)\]]/,
  /\[[^[\]\n]*\]\(/,
];
/** Currencies in folded text, except those that are also an everyday word or a unit, such as 'ALL' or 'ft'. */
const currency =
  `usd|eur|gbp|cad|chf|sfr|jpy|cny|rmb|aud|nzd|pln|sek|dkk|nok|isk|czk|kc|huf|ron|bgn|rub|uah|ils|inr|hkd|
  krw|thb|vnd|brl|mxn|zar|aed|sar|dollars?|euros?|cents?|zl|zloty|kr|kronor|kroner|forint|lei|руб|рублеи|грн|лв|yen|
  yuan|元|円|원|ليرة|ريال|درهم|جنيه`
    .replace(/\s+/g, '')
    .normalize('NFKD');
const prices = [
  /\p{Sc}/u,
  new RegExp(`\\d ?(?:${currency})(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:${currency}) ?\\d`, 'u'),
];
const digitRuns = /\+?\d(?:[ ()./‐–-]{0,2}\d){6,}/g;
const years = /^(?:19|20)\d\d ?[‐–/-] ?(?:19|20)\d\d$/;

/** Finds the first address, price or phone number in folded text. Proposals and sent columns must not contain any. */
export function findAddressOrPrice(folded: string): string | null {
  for (const pattern of [...addresses, ...prices]) {
    const found = pattern.exec(folded)?.[0];
    if (found !== undefined) return found;
  }
  for (const [digits] of folded.matchAll(digitRuns)) if (!years.test(digits)) return digits;
  return null;
}
