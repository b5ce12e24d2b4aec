/** Languages in which files name countries. */
const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da', 'fi', 'cs', 'tr', 'ja', 'zh'];

/** Country names that `Intl.DisplayNames` does not have in these languages. */
const aliases = {
  US: 'usa|u s a|u s|united states of america|estados unidos de america',
  GB: 'uk|u k|great britain|england|scotland|wales|northern ireland|großbritannien|grossbritannien',
  CN: 'prc|p r c|p r china|pr china|peoples republic of china|volksrepublik china|mainland china',
  KR: 'south korea|korea|republic of korea|südkorea|corea del sur',
  TW: 'taiwan|taiwan r o c|chinese taipei',
  CZ: 'czech republic|tschechische republik',
  TR: 'turkey|türkiye|turkiye',
  VN: 'viet nam|vietnam',
  NL: 'holland|the netherlands',
  AE: 'uae|u a e',
  RU: 'russia|russian federation',
  HK: 'hong kong',
} as const;

const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

let byName: Map<string, string> | undefined;
let codes: Set<string> | undefined;

/** Returns the ISO 3166 codes of regions that have an English name. Former codes, such as DD, are left out. */
function countryCodes(): Set<string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  const isNone = (code: string) => ['EU', 'EZ', 'UN', 'ZZ', 'XA', 'XB', 'QO'].includes(code);
  const isNow = (code: string) => new Intl.Locale(`und-${code}`).region === code;
  return new Set(all.filter((code) => !isNone(code) && names.of(code) !== undefined && isNow(code)));
}

function countryNames(): Map<string, string> {
  const found = new Map<string, string>();
  codes ??= countryCodes();
  for (const language of languages) {
    const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const code of codes) {
      const name = fold(names.of(code) ?? '');
      if (name !== '' && !found.has(name)) found.set(name, code);
    }
  }
  for (const [code, names] of Object.entries(aliases)) {
    for (const name of names.split('|')) found.set(fold(name), code);
  }
  return found;
}

const madeIn =
  /^(?:made|product|produced|manufactured|hergestellt|fabrique|fabricado|prodotto|origin)(?: of)? (?:in |en |de |from )?/;

/** Returns the country code for a text: a code, or a country's name in one of fifteen languages. Else null. */
export function toCountryCode(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed.length > 60) return null;
  codes ??= countryCodes();
  if (/^[A-Za-z]{2}$/.test(trimmed) && codes.has(trimmed.toUpperCase())) return trimmed.toUpperCase();
  byName ??= countryNames();
  const name = fold(trimmed);
  return byName.get(name) ?? byName.get(name.replace(madeIn, '')) ?? null;
}
