import { parseMoney } from './money.ts';
import { toEntrySet } from './text-list.ts';

/** Reads one to nine digits, the usual notation of quantities. Returns -1 for other texts. */
const plainQuantity = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : -1);

/** The separator before the next store's number, as in 'default=100,annex=20'. */
const nextStore = /[,;|](?=[^,;|=]*=)/;

/** Longer cells are text. */
const charsMax = 40;

const number = '\\d{1,9}(?:[.,]\\d{3})*';
/** Lower bounds: '10+', '>100', 'ab 5'. The lower bound of '5-10' is 5. */
const atLeast = [
  new RegExp(`^(${number})\\s*\\+$`),
  new RegExp(
    `^(?:>=?|≥|\\+|ab|über|mehr als|more than|over|at least|min\\.?|mind\\.?|plus de|más de|mas de|più di|oltre|meer dan|mer än|mer enn|over|więcej niż|więcej|ponad|více než|больше|более|от)\\s*(${number})$`,
    'iu',
  ),
  new RegExp(`^(${number})\\s*(?:-|–|bis|to|à|a|до)\\s*${number}$`, 'iu'),
  new RegExp(
    `^(${number})\\s+(?:or more|oder mehr|und mehr|et plus|ou plus|o más|o mas|o più|eller fler)$`,
    'iu',
  ),
];
/** A number of pieces after a word for availability: 'Skladem 14 ks', 'In stock: > 5'. */
const availableNumber = new RegExp(
  `^(\\p{L}[\\p{L} -]{1,24}?)\\s*:?\\s*([<>≥]?)\\s*(${number})\\s*(?:\\p{L}{1,6}\\.?)?$`,
  'iu',
);
/** Upper bounds: '<5', 'less than 5'. */
const fewerThan = new RegExp(
  `^(?:<=?|≤|unter|weniger als|less than|under|moins de|menos de|meno di|minder dan|mniej niż|méně než|меньше|менее)\\s*${number}$`,
  'iu',
);

const noneWords = toEntrySet(`
  out of stock|outofstock|out-of-stock|oos|sold out|soldout|n|no|false|none|unavailable|not available|not in stock|no stock|discontinued
  nein|nicht auf lager|nicht verfügbar|nicht lieferbar|ausverkauft|vergriffen|nicht vorrätig|auslaufartikel
  non|rupture|rupture de stock|en rupture|épuisé|indisponible|non disponible|pas en stock
  agotado|sin stock|sin existencias|no disponible|esaurito|non disponibile|esgotado|indisponível|sem estoque|sem stock
  nee|uitverkocht|niet op voorraad|niet leverbaar|slutsåld|slut i lager|ej i lager|udsolgt|ikke på lager|utsolgt|loppu|ei varastossa
  brak|nie|niedostępny|wyprzedane|ne|není skladem|vyprodáno|nincs|nincs raktáron|elfogyott|tükendi|stokta yok|yok
  หมด|สินค้าหมด|hết hàng|нет|нет в наличии|отсутствует|немає|немає в наявності|缺货|缺貨|无货|無貨|在庫なし|在庫切れ|売り切れ|품절|재고없음|نفد|غير متوفر|אזל
`);
const availableWords = toEntrySet(`
  in stock|instock|in-stock|unlimited|is|y|yes|true|available|on stock|on hand|ja|auf lager|lagernd|verfügbar|lieferbar|sofort lieferbar|vorrätig
  oui|en stock|disponible|sí|si|con stock|en existencia|sì|in magazzino|disponibile|em estoque|em stock|disponível|sim
  op voorraad|leverbaar|i lager|på lager|finns i lager|varastossa|kyllä|tak|dostępny|na stanie|w magazynie|ano|skladem
  raktáron|igen|van|stokta|stokta var|var|มีสินค้า|còn hàng|да|есть|в наличии|є|так|в наявності|有货|有貨|现货|現貨|在庫あり|あり|재고있음|متوفر|במלאי
`);

/** The meaning of a cell without an exact quantity. `quantity`: the lowest number within the bound. */
export type LooseQuantity = { is: 'available' } | { is: 'none' } | { is: 'bound'; quantity: number };

/** Reads a cell that is not a plain number as a word for availability or a bound. Null if it is neither. */
export function readLooseQuantity(text: string): LooseQuantity | null {
  if (plainQuantity(text) >= 0 || text.length > charsMax) return null;
  const cell = text.trim().toLowerCase();
  if (noneWords.has(cell)) return { is: 'none' };
  if (availableWords.has(cell)) return { is: 'available' };
  if (fewerThan.test(cell)) return { is: 'bound', quantity: 0 };
  for (const form of atLeast) {
    const [, found] = form.exec(cell) ?? [];
    if (found !== undefined) return { is: 'bound', quantity: Number(found.replace(/[.,]/g, '')) };
  }
  const [, words = '', sign, pieces = ''] = availableNumber.exec(cell) ?? [];
  if (!availableWords.has(words)) return null;
  return { is: 'bound', quantity: sign === '<' ? 0 : Number(pieces.replace(/[.,]/g, '')) };
}

/**
 * Reads a cell as a quantity, without decimals, or returns null. Numbers per store, as in 'default=100,annex=20', are
 * added up. A bound becomes the lowest number within it, and a word such as 'none' becomes 0.
 */
export function readQuantity(text: string): number | null {
  const plain = plainQuantity(text);
  if (plain >= 0) return plain;
  const sum = sumOf(text);
  if (Number.isFinite(sum)) return Math.trunc(sum) + 0;
  const loose = readLooseQuantity(text);
  if (loose?.is === 'bound') return loose.quantity;
  return loose?.is === 'none' ? 0 : null;
}

/** Whether a cell means 'available' and gives no quantity. */
export const isAvailableWord = (text: string | undefined): boolean =>
  text !== undefined && readLooseQuantity(text)?.is === 'available';

/** Whether a cell loses its decimals when it is read as a quantity. */
export function losesDecimals(text: string): boolean {
  const sum = sumOf(text);
  return Number.isFinite(sum) && !Number.isInteger(sum);
}

function sumOf(text: string): number {
  const numbers = text.split(nextStore).map((part) => signedNumber(part.replace(/^[^=]*=/, '')));
  return numbers.reduce((total, number) => total + number, 0);
}

/** Returns the quantity to send: 0 if the text is missing or not a number. */
export function quantityToSend(text: string | undefined): number {
  return text === undefined ? 0 : (readQuantity(text) ?? 0);
}

/** Returns NaN if the text is not a number. */
function signedNumber(text: string): number {
  const isNegative = /^\s*-/.test(text);
  const number = Number(parseMoney(isNegative ? text.replace('-', '') : text)?.amount);
  return isNegative ? -number : number;
}
