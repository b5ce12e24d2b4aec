/**
 * Removes declarations that could reach beyond the description. Keeps known properties with words, colors and bounded
 * sizes, but no negative values, no addresses and no functions except colors. Returns `style` itself if all may stay.
 */
export function cleanStyle(tag: string, style: string): string {
  const text = style.replace(/&(?:quot|#34);/gi, '"').replace(/&(?:apos|#39);/gi, "'");
  const declarations = text
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const safe = declarations.map(withoutGrowth).filter((one) => isSafe(tag, one));
  return safe.join() === declarations.join() ? style : safe.join('; ');
}

/** Converts relative font sizes above 100 % to pixels, because they would grow with each level of nesting. */
function withoutGrowth(declaration: string): string {
  const [, number, unit] = /^font-size\s*:\s*(\d{1,3}(?:\.\d{1,9})?)(em|%)$/i.exec(declaration) ?? [];
  if (number === undefined || unit === undefined) return declaration;
  const times = Number(number) / (unit === '%' ? 100 : 1);
  return times > 1 ? `font-size: ${Math.round(times * 160) / 10}px` : declaration;
}

type Rule = {
  /** The largest allowed number by unit. Other units are refused. Absent if all numbers are refused. */
  max?: Readonly<Record<string, number>>;
  /** Also allows quoted texts and words of any alphabet. */
  names?: true;
  words?: RegExp;
  /** The only tags that may have the property; others may only have `auto`. */
  tags?: ReadonlySet<string>;
};

const pixels = (px: number) => ({
  '': 0,
  px,
  pt: px * 0.75,
  in: px / 96,
  cm: px / 38,
  mm: px / 3.8,
  pc: px / 16,
});
const anyNumber = { '': 1000, '%': 1000, px: 1000 };
const spacing: Rule = { max: { ...pixels(100), em: 3, rem: 6, ex: 6, ch: 6, '%': 25 } };
/** Smaller limits for inline elements, whose padding and border cover the lines above and below. */
const inlineSpacing: Rule = { max: { ...pixels(24), em: 1, rem: 1.5, ex: 2, ch: 2 } };
const size = { max: { ...pixels(2000), em: 125, rem: 125, ex: 250, ch: 250, '%': 100 } };
const fontSize = { max: { ...pixels(100), rem: 6, em: 1, '%': 100 }, words: /^(?!larger$)/i };
const lineHeight = { max: { ...pixels(200), '': 10, em: 10, rem: 10, '%': 1000 } };
/** In other tags, content that is taller than its box would cover the text after it. Table cells grow with content. */
const height = { ...size, tags: new Set(['img', 'video', 'iframe', 'hr', 'table', 'tr', 'td', 'th']) };
const maxHeight = { ...size, tags: new Set(['img', 'video', 'iframe']) };

const displays = /^(?:none|block|inline-block|list-item|flow-root|flex|inline-flex|grid|inline-grid)$/i;

const groups: readonly (readonly [Rule, string])[] = [
  [
    { max: anyNumber },
    'color background background-color border-color border-radius font-weight orphans widows',
  ],
  [
    {},
    `text-align text-align-last text-decoration text-decoration-line text-transform white-space word-break word-wrap
    overflow-wrap hyphens direction font-style font-variant list-style list-style-type list-style-position float clear
    border-style border-collapse table-layout caption-side empty-cells box-sizing visibility object-fit overflow
    overflow-x overflow-y flex-wrap flex-direction justify-content align-items align-content align-self
    page-break-before page-break-after page-break-inside`,
  ],
  [{ names: true }, 'font-family'],
  [{ words: displays }, 'display'],
  [
    spacing,
    `margin margin-top margin-right margin-bottom margin-left padding padding-top padding-right padding-bottom
    padding-left border border-top border-right border-bottom border-left border-width text-indent letter-spacing
    word-spacing border-spacing gap row-gap column-gap vertical-align`,
  ],
  [size, 'width min-width max-width min-height'],
  [height, 'height'],
  [maxHeight, 'max-height'],
  [fontSize, 'font-size'],
  [lineHeight, 'line-height'],
];
const wordsOf = (text: string) => text.split(/\s+/);
const rules = new Map(groups.flatMap(([rule, names]) => wordsOf(names).map((name) => [name, rule] as const)));

/** Tags that may not float or be blocks, because a cell would then keep its height even if its content is taller. */
const tableTags = wordsOf('table thead tbody tfoot tr td th caption col colgroup');

const blockTags = new Set([
  ...tableTags,
  ...wordsOf(`address article aside footer header h1 h2 h3 h4 h5 h6 hgroup main nav section blockquote dd div dl dt
  figcaption figure hr li menu ol p pre ul center details summary img video iframe`),
]);

const part =
  /\s+|[,/]|!\s*important|#[0-9a-f]{3,8}(?![\w-])|(?:rgb|hsl)a?\([\d\s.,%/]*\)|"[^"\\<>&\n]*"|'[^'\\<>&\n]*'|\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[a-z]+|%)?|[\p{L}_][\p{L}\p{N}_-]*/giuy;

function isSafe(tag: string, declaration: string): boolean {
  const colon = declaration.indexOf(':');
  const property = declaration.slice(0, colon).trim().toLowerCase();
  const found = rules.get(property);
  const rule = found === spacing && !blockTags.has(tag) ? inlineSpacing : found;
  if (colon < 0 || !rule) return false;
  const value = declaration.slice(colon + 1).trim();
  const isBox = (property === 'display' && value !== 'none') || (property === 'float' && tag !== 'table');
  if (isBox && tableTags.includes(tag)) return false;
  if (rule.tags && !rule.tags.has(tag) && value.toLowerCase() !== 'auto') return false;
  let at = 0;
  while (at < value.length) {
    part.lastIndex = at;
    const token = part.exec(value)?.[0];
    const after = value[at + (token?.length ?? 0)];
    if (!token || after === '(' || !isSafePart(token, rule)) return false;
    at += token.length;
  }
  return true;
}

function isSafePart(token: string, rule: Rule): boolean {
  const number = /^\+?([\d.]+)([a-z]+|%)?$/i.exec(token);
  if (number) {
    const max = rule.max?.[(number[2] ?? '').toLowerCase()];
    return max !== undefined && Number(number[1]) <= max;
  }
  if (/^["']/.test(token)) return rule.names === true;
  // Colors, commas, '!important' and spaces may be anywhere.
  if (!/^\p{L}|^_/u.test(token) || token.endsWith(')')) return true;
  return rule.words?.test(token) ?? (rule.names === true || /^[a-z-]+$/i.test(token));
}
