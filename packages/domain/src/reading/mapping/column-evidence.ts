import { resolveFormula } from '../../base/formula.ts';
import { toGtin14 } from '../../base/gtin.ts';
import { parseMoney } from '../../base/money.ts';
import { readLooseQuantity } from '../../base/quantity.ts';
import { parseOptionPairs } from '../option-pairs.ts';

/** The cells of a column, counted by class. A cell may count in several classes. */
const noneCounted = {
  /** GTINs of 11 to 14 digits with the right check digit. */
  gtin: 0,
  /** Texts of 8 to 14 digits, or with digits lost to a spreadsheet (8.85E+11). */
  longDigits: 0,
  money: 0,
  /** Amounts with one or two decimals, or with a currency. */
  decimals: 0,
  /** Amounts that end as prices do: 19.99, 5,50, 12.00. */
  priceEnding: 0,
  /** Amounts with a currency. */
  currency: 0,
  integer: 0,
  /** Flags: yes, no, true, in stock and similar words. */
  flag: 0,
  /** Words for availability, and inexact quantities: 'in stock', '10+'. */
  loose: 0,
  url: 0,
  imageUrl: 0,
  html: 0,
  /** Texts with a word of at least three letters. */
  text: 0,
  /** Texts that begin with a digit. */
  digitStart: 0,
  /** Single words with digits. */
  code: 0,
  /** Slugs of web addresses: 'blue-ceramic-vase'. */
  slug: 0,
  /** Texts that contain the end of a sentence. */
  sentence: 0,
  /** Product kinds of shop systems (simple, configurable …). */
  kind: 0,
  /** Paths such as 'Home > Decor'. */
  path: 0,
  /** Lists of options ('Size: M, Color: Red'), and 'Default Title'. */
  pairs: 0,
};
type Tally = typeof noneCounted;

/** Evidence about a column in the sample. The tally has shares of the classified cells (0 to 1) instead of counts. */
export type ColumnEvidence = Tally & {
  /** Number of rows in the sample. 0 if nothing is known. */
  rows: number;
  filled: number;
  /** Share of the sample's rows that are filled. */
  fill: number;
  /** Share of different values among the filled cells. */
  distinct: number;
  /** Mean length in characters and in words. */
  chars: number;
  words: number;
  /** The median of the amounts above 0, or 0 if there are none. */
  median: number;
  /** Whether the cells are integers that count up by one. */
  isSequence: boolean;
  /** One amount per row of the sample. Null for a cell that is not an amount. */
  amounts: readonly (number | null)[];
};

/** Cells of a file's first rows. */
export type Sample = readonly (readonly string[])[];

/** Returns a column's cells that are not empty, trimmed. */
export const filledCells = (sample: Sample, column: number): string[] =>
  sample.map((row) => row[column]?.trim() ?? '').filter((cell) => cell !== '');

/** Whether a column numbers the rows of the file: 1, 2, 3 … */
export const hasRowNumbers = ({ isSequence, amounts }: ColumnEvidence): boolean =>
  isSequence && (amounts[0] ?? 0) <= 1;

/** Number of different cells that are classified. Classifying all 200 rows of the sample shows no more. */
const classifiedMax = 32;
/** Number of characters of a cell that are classified. Longer cells are text anyway. */
const readCharsMax = 400;

const flags =
  /^(?:y|n|yes|no|true|false|x|on|off|ja|nein|oui|non|si|sì|sí|nee|tak|nie|in ?stock|out ?of ?stock|instock|outofstock|available|unavailable|verfügbar|backorder|preorder|enabled|disabled|active|inactive)$/i;
/** Item kinds of shop and ERP programs, such as 'consu', 'configurable', 'Inventory Item', 'HAWA'. */
const kinds = new RegExp(
  `^(?:${[
    'simple|configurable|variable|variation|product_variation|variant|grouped|bundle|virtual|downloadable|external',
    'product|products|item|items|parent|child|master|parent product|child product|sku|rule|combo|fixed|regular',
    'consu|consumable|service|services|storable|storable product|stockable|goods|good|physical|digital|standard',
    'inventory|non-?inventory|stock|non-?stock|kit|assembly|kit/package|gift ?card|raw material|finished good',
    '(?:inventory|non-inventory|lot numbered|serialized|assembly)(?: inventory)? (?:item|part)',
    'sales|purchases|sales and purchases|service for (?:sale|resale|purchase)|booking',
    'hawa|fert|halb|roh|dien|nlag|verp',
    'ware|dienstleistung|lagerartikel|lager|lagervara|tjänst|vare|ydelse|tjeneste|palvelu|voorraad|dienst',
    'produit|article|consommable|producto|servicio|consumible|almacenable|bien|prodotto|servizio|consumabile',
    'produto|serviço|towar|usługa|товар|услуга|запас|商品|服务|服務|サービス',
  ].join('|')})$`,
  'i',
);
const url = /^(?:https?:)?\/\/\S|^www\.\S|^\[[[{"' \w:]{0,20}(?:https?:)?\\?\/\\?\/\S/i;
const imageFile = /\.(?:jpe?g|png|webp|gif|avif|bmp|tiff?|svg)(?:[?#]\S*)?(?=$|[\s,;|"\]])/i;
const html = /<(?:p|br|div|span|ul|li|strong|b|em|h\d|table|a|img)\b[^>]*>|&(?:nbsp|amp|lt|quot);/i;
const path = /\S\s*(?:>|»|›|\|\|)\s*\S|^[^\d\s][^/\d]*(?:\/[^/\d]+){2,}$/;
const word = /\p{L}{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}/u;
const code = /^['’]?(?=\S*\d)[\p{L}\d][\p{L}\d._/#+-]*$/u;
const lostDigits = /^\d[.,]\d+e\+1\d$/i;
const integer = /^[+-]?\d{1,9}(?:[.,](?:0+|-{1,2}))?$/;
const decimals = /\d[.,]\d{1,2}0{0,2}$/;
const sentence = /[\p{Ll}\d)][.!?](?:\s|$)|[。！？]/u;
const priceEnding = /\d[.,]\d[059]0{0,2}$/;
const currencyMark = /[^\d.,\s'’+-]/;
const slug = /^[a-z0-9]+(?:[-_][a-z0-9]+)+$/;

/** Returns the evidence about a column. `cells`: its cells in the sample, one per row. Absent cells count as empty. */
export function collectEvidence(cells: readonly (string | undefined)[]): ColumnEvidence {
  const tally = { ...noneCounted };
  const seen = new Set<string>();
  const amounts: (number | null)[] = [];
  let [filled, chars, words, classified] = [0, 0, 0, 0];
  for (const raw of cells) {
    const cell = raw === undefined ? '' : resolveFormula(raw.trim());
    if (cell === '') {
      amounts.push(null);
      continue;
    }
    filled += 1;
    chars += cell.length;
    const isNew = !seen.has(cell);
    seen.add(cell);
    if (!isNew || classified >= classifiedMax) {
      // Columns are compared row by row, so the amounts of unclassified cells are needed too.
      amounts.push(tally.money * 2 > classified ? amountOf(cell) : null);
      continue;
    }
    classified += 1;
    const read = cell.length > readCharsMax ? cell.slice(0, readCharsMax) : cell;
    words += wordsIn(read);
    amounts.push(classify(read, tally));
  }
  const share = (count: number) => (classified === 0 ? 0 : count / classified);
  const shares = Object.fromEntries(
    Object.entries(tally).map(([name, count]) => [name, share(count)]),
  ) as Tally;
  return {
    ...shares,
    rows: cells.length,
    filled,
    fill: cells.length === 0 ? 0 : filled / cells.length,
    distinct: filled === 0 ? 0 : seen.size / filled,
    chars: filled === 0 ? 0 : chars / filled,
    words: share(words),
    isSequence: isSequence(amounts),
    median: medianOf(amounts),
    amounts,
  };
}

/** Adds a cell to the tally. Returns the cell's amount, or null if it is not an amount. */
function classify(cell: string, tally: Tally): number | null {
  countDigits(cell, tally);
  const amount = amountOf(cell);
  if (amount === null) countText(cell, tally);
  else countAmount(cell, tally);
  return amount;
}

function countAmount(cell: string, tally: Tally): void {
  tally.money += 1;
  if (integer.test(cell)) tally.integer += 1;
  const hasCurrency = currencyMark.test(cell);
  if (hasCurrency) tally.currency += 1;
  if (hasCurrency || decimals.test(cell)) tally.decimals += 1;
  if (priceEnding.test(cell.replace(/[^\d.,]+$/, ''))) tally.priceEnding += 1;
}

function countDigits(cell: string, tally: Tally): void {
  if (cell.length > 24 || !/^['’]?\d/.test(cell)) return;
  const digits = cell.replace(/^['’]/, '').replace(/[\s-]/g, '');
  if (/^\d{8,14}$/.test(digits)) {
    tally.longDigits += 1;
    if (digits.length >= 11 && toGtin14(digits) !== null) tally.gtin += 1;
  } else if (lostDigits.test(digits)) tally.longDigits += 1;
}

/** Longer cells are not classified as single words. */
const wordCharsMax = 40;

function countText(cell: string, tally: Tally): void {
  if (cell.includes('.') && imageFile.test(cell)) tally.imageUrl += 1;
  if (url.test(cell)) {
    tally.url += 1;
    return;
  }
  if (cell.length <= wordCharsMax) {
    if (flags.test(cell)) tally.flag += 1;
    if (readLooseQuantity(cell) !== null) tally.loose += 1;
    if (kinds.test(cell)) tally.kind += 1;
    if (code.test(cell)) tally.code += 1;
  }
  if (/[:=]/.test(cell) ? parseOptionPairs(cell) !== null : /^default(?: title)?$/i.test(cell))
    tally.pairs += 1;
  if (slug.test(cell) && /[a-z]{3}/.test(cell)) tally.slug += 1;
  if (path.test(cell)) tally.path += 1;
  if ((cell.includes('<') || cell.includes('&')) && html.test(cell)) tally.html += 1;
  if (!word.test(cell)) return;
  tally.text += 1;
  if (/^\d/.test(cell)) tally.digitStart += 1;
  if (cell.length > 20 && sentence.test(cell)) tally.sentence += 1;
}

/** Longer cells are not amounts. */
const amountCharsMax = 20;

function amountOf(cell: string): number | null {
  if (cell.length > amountCharsMax || !/\p{Nd}/u.test(cell)) return null;
  const money = parseMoney(cell.charAt(0) === '-' ? cell.slice(1) : cell);
  return money === null ? null : Number(money.amount);
}

const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Counts the words between spaces. In scripts without spaces, four characters count as a word. */
function wordsIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) count += 1;
  return text.charCodeAt(0) < 0xe00 ? count : count + (text.match(dense)?.length ?? 0) / 4;
}

function medianOf(amounts: readonly (number | null)[]): number {
  const numbers = amounts
    .filter((amount): amount is number => amount !== null && amount > 0)
    .sort((a, b) => a - b);
  return numbers[Math.floor(numbers.length / 2)] ?? 0;
}

function isSequence(amounts: readonly (number | null)[]): boolean {
  const numbers = amounts.filter((amount) => amount !== null);
  if (numbers.length < 3 || numbers.length < amounts.length) return false;
  return numbers.every((amount, at) => at === 0 || amount - (numbers[at - 1] as number) === 1);
}
