export type NumberFormat =
  /** `shown`: the parts of a date without year or day. Such a date is more likely a size or a code: '10-12'. */
  | { kind: 'date'; hasDate: boolean; hasTime: boolean; shown?: readonly string[] }
  | { kind: 'duration'; unit: 'h' | 'm' | 's'; hasSeconds: boolean }
  | { kind: 'percent' }
  | { kind: 'decimals'; count: number }
  | { kind: 'currency'; before: string; after: string }
  /** `parts` has a null for each digit, and the text between digits. */
  | { kind: 'padded'; parts: readonly (string | null)[] };

const currencyCodes = new Set(Intl.supportedValuesOf('currency'));
const codeBySign: Readonly<Record<string, string>> = { '€': 'EUR', '£': 'GBP', US$: 'USD' };
const signs = /[A-Z]{1,3}\$|\p{Sc}|(?<!\p{L})(?:kr|zł|Kč|Ft|lei|лв|руб|Fr)(?!\p{L})\.?/u;
const codes = /(?<!\p{L})[A-Z]{3}(?!\p{L})/gu;

const date = { kind: 'date', hasDate: true, hasTime: false } as const;
const time = { kind: 'date', hasDate: false, hasTime: true } as const;
const twoDecimals = { kind: 'decimals', count: 2 } as const;

/** Returns the format of a built-in id. All programs define these formats, so files have no code for them. */
function builtIn(id: number): NumberFormat | null {
  if (id === 16 || id === 17) return parseNumberFormat(id, id === 16 ? 'd-mmm' : 'mmm-yy');
  if (id === 9 || id === 10) return { kind: 'percent' };
  if (id === 2 || id === 4) return twoDecimals;
  if (id === 22) return { kind: 'date', hasDate: true, hasTime: true };
  if (id === 46) return { kind: 'duration', unit: 'h', hasSeconds: true };
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || (id >= 32 && id <= 35) || id === 55 || id === 56)
    return time;
  if (id === 14 || id === 15 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return date;
  return null;
}

/** Returns whether a format's currency depends on the viewer's system, whatever code the file has for the format. */
const isViewersCurrency = (id: number) => (id >= 5 && id <= 8) || (id >= 37 && id <= 44);
const withoutDecimals: readonly number[] = [5, 6, 37, 38, 41, 42];

type Part = { kind: 'literal' | 'bracket' | 'code'; text: string };

/** Parses a number format. Returns null if the format shows only a number. */
export function parseNumberFormat(id: number, code: string | undefined): NumberFormat | null {
  if (isViewersCurrency(id)) return withoutDecimals.includes(id) ? null : twoDecimals;
  if (code === undefined) return builtIn(id);
  const parts = firstSection(code);
  const plain = parts.map(({ kind, text }) => (kind === 'code' ? text : '')).join('');
  return (
    dateFormat(parts, plain) ??
    (plain.includes('%') ? { kind: 'percent' } : (currency(parts) ?? padded(parts) ?? decimals(plain)))
  );
}

const tokens = /"[^"]*"?|\[[^\]]*\]?|\\.?|[_*].?|[A-Z]{3}(?![A-Za-z])|./gsu;

function firstSection(code: string): Part[] {
  const parts: Part[] = [];
  for (const [token] of code.matchAll(tokens)) {
    const first = token[0] as string;
    if (token === ';') break;
    if (first === '"') parts.push({ kind: 'literal', text: token.replaceAll('"', '') });
    else if (first === '\\') parts.push({ kind: 'literal', text: token.slice(1) });
    else if (first === '[') parts.push({ kind: 'bracket', text: token.slice(1, -1) });
    else if (currencyCodes.has(token)) parts.push({ kind: 'literal', text: token });
    else if (first !== '_' && first !== '*') parts.push({ kind: 'code', text: token });
  }
  return parts;
}

function dateFormat(parts: readonly Part[], plain: string): NumberFormat | null {
  const letters = plain.replace(/general|standard|am\/pm|a\/p/gi, '').toLowerCase();
  const unit = parts.find(({ kind, text }) => kind === 'bracket' && /^(?:h+|m+|s+)$/i.test(text))?.text[0];
  if (unit !== undefined) {
    const lower = unit.toLowerCase() as 'h' | 'm' | 's';
    return { kind: 'duration', unit: lower, hasSeconds: letters.includes('s') };
  }
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (letters.includes('m') && (!hasTime || /mmm/.test(letters)));
  if (!hasDate && !hasTime) return null;
  const shown = hasTime ? null : shortDate(parts);
  return { kind: 'date', hasDate, hasTime, ...(shown && { shown }) };
}

/** Returns a short date like 'd/m' as ['d', '/', 'm']. Null unless it has only a month and either day or short year. */
function shortDate(parts: readonly Part[]): string[] | null {
  const runs: string[] = [];
  for (const { kind, text } of parts) {
    if (kind === 'bracket') continue;
    for (const piece of kind === 'code' ? text.toLowerCase() : [text]) {
      const continues = /^[dmy]$/.test(piece) && runs.at(-1)?.startsWith(piece);
      runs.push(continues ? `${runs.pop()}${piece}` : piece);
    }
  }
  const units = runs.filter((run) => /^(?:d{1,2}|m{1,5}|yy)$/.test(run));
  const letters = new Set(units.map((unit) => unit[0]));
  const hasOthers = runs.some((run) => /^(?:d{3,}|y+|m{6,})$/.test(run) && run !== 'yy');
  return units.length === 2 && letters.size === 2 && letters.has('m') && !hasOthers ? runs : null;
}

/** Returns the currency format of a number shown as this text, or null if the text has no currency. */
export const parseCurrencyFormat = (shown: string): NumberFormat | null =>
  currency([{ kind: 'literal', text: shown }]);

function currency(parts: readonly Part[]): NumberFormat | null {
  for (const [kind, sign] of currencyParts(parts)) {
    const known = currencyCodes.has(sign) ? sign : codeBySign[sign];
    if (known !== undefined) return { kind: 'currency', before: '', after: ` ${known}` };
    if (kind === 'bracket' || signs.test(sign)) {
      return { kind: 'currency', before: /\p{L}\.?$/u.test(sign) ? `${sign} ` : sign, after: '' };
    }
  }
  return null;
}

/** Yields currency signs and codes, first from brackets like [$€-407], then from the text. */
function* currencyParts(parts: readonly Part[]): Generator<[Part['kind'], string]> {
  for (const { kind, text } of parts) {
    const sign = kind === 'bracket' ? /^\$([^-]+)/.exec(text)?.[1]?.trim() : undefined;
    if (sign) yield [kind, sign];
  }
  const text = parts.map(({ kind, text }) => (kind === 'bracket' ? '' : text)).join('');
  for (const [code] of text.matchAll(codes)) if (currencyCodes.has(code)) yield ['literal', code];
  const sign = signs.exec(text)?.[0];
  if (sign) yield ['literal', sign];
}

/** Maximum number of decimals shown. A format with more zeros is not a price. */
export const shownDecimalsMax = 8;

function decimals(plain: string): NumberFormat | null {
  const count = /e[+-]/i.test(plain) ? 0 : (/\.(0+)/.exec(plain)?.[1]?.length ?? 0);
  return count === 0 || count > shownDecimalsMax ? null : { kind: 'decimals', count };
}

/** Maximum number of parts of a padded format. A format with more zeros is not an article number. */
const paddedPartsMax = 64;

function padded(parts: readonly Part[]): NumberFormat | null {
  const shown = parts.filter(({ kind }) => kind !== 'bracket');
  const isCode = ({ kind, text }: Part) => kind === 'code' && !/[- /()]/.test(text);
  if (!shown.every((part) => !isCode(part) || part.text === '0')) return null;
  if (shown.length > paddedPartsMax || shown.filter(isCode).length < 2) return null;
  const texts = shown.map((part) => (isCode(part) ? null : part.text));
  return { kind: 'padded', parts: texts };
}
