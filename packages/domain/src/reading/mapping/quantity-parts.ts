import type { ByField } from '../../base/canonical-fields.ts';
import { looseQuantity } from '../../base/quantity.ts';
import { headerWords } from './header-words.ts';

type Columns = {
  headers: readonly string[];
  sample: readonly (readonly string[])[];
  isFree: (index: number) => boolean;
};

const placeWord =
  /stock|lager|warehouse|^(?:ware)?house$|store|shop|filial|branch|locat|depo|magaz|magas|almac|bodega|sucursal|sklad|склад|仓|倉|창고/u;
const stockWord =
  /stock|lager|invent|bestand|existenc|giacenz|voorraad|zasob|остат|залиш|zaliha|^stok|estoque|^saldo|varasto|keszlet|αποθεμ|库存|庫存|在庫|재고|مخزون|מלאי/u;
const countWord =
  /quant|^qty|menge|anzahl|cantid|^aantal|^antal|^ilosc|^stan$|mnozstv|колич|kolicin|^adet|^miktar|ποσοτ|数量|수량|كمية/u;
/** Words of pieces that are counted in another column too, or of something else than pieces. */
const stateWord =
  /^(?:avail\p{L}*|on|hand|reserv\p{L}*|commit\p{L}*|alloc\p{L}*|incom\p{L}*|order\p{L}*|transit|min\p{L}{0,4}|max\p{L}{0,4}|alert\p{L}*|threshold|safety|free|total|gesamt|sum|virtual|physical|future|new|neu|old|status|date|days?|weeks?|value|units?|policy|level|limit|sold|turnover|verfugbar\p{L}*|bestell\p{L}*|frei|disponi\p{L}*|encours|pedid\p{L}*|dostep\p{L}*|zarezerw\p{L}*|доступ\p{L}*|резерв\p{L}*|可用|予約|price|cost|code|id|sku|ve|moq|pack|box|case|carton|karton|pallet|palette|inner|outer|master)$/u;

/** Whether two headers differ only in the names of places: after a common start, or before a common end. */
function differInPlace(one: readonly string[], other: readonly string[]): boolean {
  return [false, true].some((turned) => {
    const [a, b] = turned ? [one.toReversed(), other.toReversed()] : [one, other];
    const max = Math.min(a.length, b.length) - 1;
    const differs = a.slice(0, max).findIndex((word, at) => word !== b[at]);
    const length = differs < 0 ? max : differs;
    const shared = a.slice(0, length);
    const rests = [a.slice(length), b.slice(length)];
    const has = (words: readonly string[], is: RegExp) => words.some((word) => is.test(word));
    if (rests.some((rest) => has(rest, stateWord) || has(rest, countWord))) return false;
    // 'Qty 1' is the first of several, 'Qty doors' counts something else.
    const isOfStock =
      has(shared, placeWord) || has(shared, stockWord) || /^current quantity/.test(shared.join(' '));
    return isOfStock || (has(shared, countWord) && rests.every((rest) => has(rest, placeWord)));
  });
}

const pieces = /^-?\d{1,9}(?:\.0{1,2})?$/;

/**
 * Finds the columns that have the quantities of several places, by headers that differ only in a name: 'Stock Kraków'.
 * If a column is their sum in all rows, it becomes the column of quantities. Else returns those beside the first.
 */
export function quantityParts(sources: ByField<number[]>, { headers, sample, isFree }: Columns): number[] {
  const [sent, ...fallbacks] = sources.quantity ?? [];
  if (sent === undefined || fallbacks.length > 0) return [];
  const areNumbers = (index: number) => {
    const cells = sample.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '');
    const numbers = cells.filter((cell) => pieces.test(cell));
    const areAll = cells.every((cell) => pieces.test(cell) || looseQuantity(cell) !== null);
    return areAll && numbers.length > 0 && numbers.length * 2 >= cells.length;
  };
  const numbers = [...headers.keys()].filter((index) => isFree(index) && areNumbers(index));
  const words = headers.map(headerWords);
  const others = numbers.filter((index) => differInPlace(words[sent] ?? [], words[index] ?? []));
  if (others.length === 0 || !areNumbers(sent)) return [];
  const parts = [sent, ...others];
  const total = numbers.find((index) => !parts.includes(index) && isSumOf(index, parts, sample));
  if (total === undefined) return others;
  sources.quantity = [total];
  return [];
}

/** Whether a column has the sums of others in all rows, and in some row the sum of several. */
export function isSumOf(
  index: number,
  parts: readonly number[],
  sample: readonly (readonly string[])[],
): boolean {
  const numbersIn = (row: readonly string[], of: readonly number[]) =>
    of.map((column) => Number.parseInt(row[column] ?? '', 10) || 0);
  const areSums = sample.every((row) => {
    const [sum = 0] = numbersIn(row, [index]);
    return sum === numbersIn(row, parts).reduce((all, one) => all + one, 0);
  });
  return areSums && sample.some((row) => numbersIn(row, parts).filter((number) => number > 0).length > 1);
}
