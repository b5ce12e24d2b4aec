import { readLooseQuantity } from '../../base/quantity.ts';
import { filledCells, type Sample } from './column-evidence.ts';
import { headerWords, toBeginningsPattern, wordSet } from './header-words.ts';

type Columns = {
  headers: readonly string[];
  sample: Sample;
  isFree: (index: number) => boolean;
};

const placeWord =
  /stock|lager|warehouse|^(?:ware)?house$|store|shop|filial|branch|locat|depo|magaz|magas|almac|bodega|sucursal|sklad|склад|仓|倉|창고/u;
const stockWord =
  /stock|lager|invent|bestand|existenc|giacenz|voorraad|zasob|остат|залиш|zaliha|^stok|estoque|^saldo|varasto|keszlet|αποθεμ|库存|庫存|在庫|재고|مخزون|מלאי/u;
const countWord =
  /quant|^qty|menge|anzahl|cantid|^aantal|^antal|^ilosc|^stan$|mnozstv|колич|kolicin|^adet|^miktar|ποσοτ|数量|수량|كمية/u;
/** Words that name no warehouse or shop: states of pieces ('reserved') and words for other values ('location'). */
const stateWords = wordSet(`
  on hand transit mini min max maxi threshold safety free all overall combined razem celkem toplam итого всего 合計 合计
  gesamt ges sum summe suma virtual physical future new neu old status date day days week weeks value unit units
  policy level limit low critical warning reorder restock point current actual opening closing net gross in out book
  real count number type location name control enabled damaged blocked supplier vendor manufacturer hersteller
  lieferant sold turnover inbound outbound outgoing back target ideal buffer gesperrt bin shelf rack fach platz regal
  nr rank rating weight lead time frei encours 可用 予約 price cost code id sku ve moq pack box case carton karton pallet
  palette inner outer master
`);
const stateBeginnings = toBeginningsPattern(`
  avail reserv commit alloc incom order mindest alert tota global expect backorder return defect quarant comprom minim
  maxim verfugbar bestell disponi pedid dostep zarezerw доступ резерв
`);
const isState = (word: string) => stateWords.has(word) || stateBeginnings.test(word);

const year = /^(?:19|20)\d\d$/;
const month =
  /^(?:jan(?:uar[yi]?)?|feb(?:ruar[yi]?)?|mar(?:ch|z)?|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)$/u;

/** Whether words contain a date, a year or a month: 'Stock 31.10.2026'. */
const isTime = (words: readonly string[]) =>
  words.some((word) => year.test(word) || month.test(word)) ||
  words.filter((word) => /^\d+$/.test(word)).length > 1;

/** Whether two headers differ only in the name of a warehouse or shop, after the same start or before the same end. */
function differInPlace(one: readonly string[], other: readonly string[]): boolean {
  return [false, true].some((turned) => {
    const [a, b] = turned ? [one.toReversed(), other.toReversed()] : [one, other];
    const max = Math.min(a.length, b.length) - 1;
    const differs = a.slice(0, max).findIndex((word, at) => word !== b[at]);
    const length = differs < 0 ? max : differs;
    const shared = a.slice(0, length);
    const rests = [a.slice(length), b.slice(length)];
    const has = (words: readonly string[], is: RegExp) => words.some((word) => is.test(word));
    if (rests.some((rest) => rest.some(isState) || has(rest, countWord) || isTime(rest))) return false;
    // Excludes 'Qty 1', the first of several quantities, and 'Qty doors', which counts something else.
    const isOfStock =
      has(shared, placeWord) || has(shared, stockWord) || /^current quantity/.test(shared.join(' '));
    return isOfStock || (has(shared, countWord) && rests.every((rest) => has(rest, placeWord)));
  });
}

const pieces = /^-?\d{1,9}(?:\.0{1,2})?$/;

/**
 * Finds the quantity columns of warehouses or shops by headers that differ only in a name: 'Stock Kraków'. `sent`: the
 * mapped quantity column. Returns the other columns as `parts`, or, if a column has their sum, that column as `total`.
 */
export function findWarehouseColumns(
  sent: number,
  { headers, sample, isFree }: Columns,
): { parts: number[]; total?: number } {
  const areNumbers = (index: number) => {
    const cells = filledCells(sample, index);
    const areAll = cells.every((cell) => pieces.test(cell) || readLooseQuantity(cell) !== null);
    return areAll && cells.some((cell) => pieces.test(cell));
  };
  const words = headers.map(headerWords);
  const numbers = [...headers.keys()].filter((index) => isFree(index) && areNumbers(index));
  const parts = numbers.filter((index) => differInPlace(words[sent] ?? [], words[index] ?? []));
  if (parts.length === 0 || !areNumbers(sent)) return { parts: [] };
  const without = (index: number) => [sent, ...parts].filter((part) => part !== index);
  const total = [sent, ...numbers].find((index) => isSumColumn(index, without(index), sample));
  return total === undefined ? { parts } : { parts: [], total };
}

const sumsMin = 0.9;

/** Whether a column has the sums of other columns in nearly all rows, and at least one sum of several numbers. */
export function isSumColumn(index: number, parts: readonly number[], sample: Sample): boolean {
  const numbersIn = (row: readonly string[], of: readonly number[]) =>
    of.map((column) => Number.parseInt(row[column] ?? '', 10) || 0);
  const sums = sample.filter((row) => {
    const [sum = 0] = numbersIn(row, [index]);
    return sum === numbersIn(row, parts).reduce((all, one) => all + one, 0);
  });
  const isOfSeveral = (row: readonly string[]) =>
    numbersIn(row, parts).filter((number) => number > 0).length > 1;
  return sums.length >= sample.length * sumsMin && sums.some(isOfSeveral);
}
