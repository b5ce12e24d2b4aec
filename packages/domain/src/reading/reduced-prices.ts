import { parseMoney } from '../base/money.ts';
import type { ColumnEvidence } from './mapping/column-evidence.ts';
import { classifyHeaderRest, headerWords } from './mapping/header-words.ts';

/** A column of reduced prices, and the column `regular` with the regular price of the same row. */
export type ReducedPrice = {
  column: number;
  regular: number;
  /** The columns with the first and the last day of a reduced price. `day` is the day on which the file was read. */
  from?: number;
  until?: number;
  /** The column with both days: '2026-11-20T00:00-0800/2026-11-30T23:59-0800'. */
  range?: number;
  /** The column that shows whether the reduced price applies now. */
  flag?: number;
  day?: string;
};

const keyOf = (header: string): string =>
  headerWords(header)
    .filter((word) => classifyHeaderRest([word], 'price') !== 'neutral')
    .join('');

const reducedNames: ReadonlySet<string> = new Set(
  `sale price|special price|promo price|promotion price|promotional price|offer price|discount price|discounted price
  |reduced price|clearance price|price sale|price special|aktionspreis|angebotspreis|sonderpreis|sonderangebotspreis
  |rabattpreis|reduzierter preis|promopreis|prix promo|prix promotionnel|prix promotion|prix en promotion|prix solde
  |prix soldé|prix remisé|tarif promo|tarif promotionnel|precio rebajado|precio oferta|precio de oferta
  |precio promocional|precio especial|precio con descuento|preço promocional|preço de promoção|preço com desconto
  |prezzo in offerta|prezzo offerta|prezzo scontato|prezzo promo|prezzo promozionale|prezzo speciale|actieprijs
  |aanbiedingsprijs|kortingsprijs|promoprijs|cena promocyjna|cena specjalna|cena po rabacie|kampanjpris|reapris
  |extrapris|tilbudspris|kampagnepris|kampanjepris|tarjoushinta|alennushinta|akční cena|akciová cena|zľavnená cena
  |akciós ár|preț promoțional|preț redus|indirimli fiyat|kampanyalı fiyat|τιμή προσφοράς|цена со скидкой
  |акционная цена|акційна ціна|спеццена|促销价|特价|优惠价|活动价|促銷價|特價|セール価格|特価|할인가격|세일가
  |سعر العرض|السعر بعد الخصم|giá khuyến mãi|harga promo|ราคาโปรโมชั่น`
    .split('|')
    .map(keyOf),
);

const namesReducedPrice = (header: string): boolean => reducedNames.has(keyOf(header));

/** Whether most amounts of a column are above the regular prices in their rows, so that they are not reduced prices. */
function isMostlyAbove(reduced: ColumnEvidence | undefined, regular: ColumnEvidence | undefined): boolean {
  const pairs = (reduced?.amounts ?? []).flatMap((amount, row) => {
    const other = regular?.amounts[row] ?? null;
    return amount === null || other === null || amount === 0 ? [] : [amount > other];
  });
  return pairs.filter((isAbove) => isAbove).length * 2 > pairs.length;
}

/** Returns the pair of columns with reduced and regular prices that includes `price`, or undefined without one. */
export function findReducedPrice(
  headers: readonly string[],
  evidence: readonly ColumnEvidence[],
  price: number,
  of: { isFree: (column: number) => boolean; isPrice: (column: number) => boolean },
): ReducedPrice | undefined {
  const isReductionActive = (column: number) => namesReducedPrice(headers[column] ?? '');
  const holdsAmounts = (column: number) =>
    (evidence[column]?.filled ?? 0) === 0 || (evidence[column]?.money ?? 0) > 0.5;
  const other = [...headers.keys()].find(
    (column) =>
      column !== price &&
      of.isFree(column) &&
      holdsAmounts(column) &&
      (isReductionActive(price)
        ? of.isPrice(column) && !isReductionActive(column)
        : isReductionActive(column)),
  );
  if (other === undefined) return undefined;
  const [column, regular] = isReductionActive(price) ? [price, other] : [other, price];
  if (isMostlyAbove(evidence[column], evidence[regular])) return undefined;
  const days = daysOfReduction(headers, evidence);
  const isDated = (days.from ?? days.until ?? days.range) !== undefined;
  const day = isDated ? new Date().toISOString().slice(0, 10) : undefined;
  return { column, regular, ...days, flag: flagOfReduction(headers, evidence), day };
}

const flagNames: ReadonlySet<string> = new Set(
  `on sale|is on sale|onsale|sale active|on special|on promotion|on promo|on offer|special active|im angebot|in aktion|aktion aktiv
  |en promotion|en promo|en solde|promo active|en oferta|en promoción|in offerta|in promozione|em promoção|em oferta|in aanbieding
  |in de aanbieding|w promocji|v akci|på tilbud|på rea|tarjouksessa|indirimde|акция|на акции|скидка активна|促销中|セール中`
    .split('|')
    .map((name) => headerWords(name).join(' ')),
);
const yes = /^(?:y|yes|true|1|x|on|ja|j|oui|sí|si|sim|s|tak|ano|evet|да|kyllä|是|はい|✓|✔)$/iu;

/** Returns the column that flags reduced prices, by its header. */
const flagOfReduction = (headers: readonly string[], evidence: readonly ColumnEvidence[]) =>
  [...headers.entries()].find(
    ([index, header]) => flagNames.has(headerWords(header).join(' ')) && (evidence[index]?.filled ?? 0) > 0,
  )?.[0];

const ofReduction =
  /special|sale|promo|offer|discount|aktion|angebot|sonderpreis|rebaj|ofert|scont|actie|korting|kampan|rabat/;
const begins =
  /(?:^| )(?:from|starts?|begins?|beginnt|von|ab|debut|empieza|inicio|inizio|comeca|desde|van|od|date from)(?: |$)/;
const ends = /(?:^| )(?:to|until|till|ends?|endet|bis|fin|termina|fim|fine|hasta|tot|eindigt|ate|do)(?: |$)/;

/** The attribute of Google's product data specification whose value is a range of ISO 8601 times. */
const rangeName = 'sale price effective date';

/** Returns the columns with the days of reduced prices. Their cells are days, ranges of days, or empty. */
function daysOfReduction(
  headers: readonly string[],
  evidence: readonly ColumnEvidence[],
): Pick<ReducedPrice, 'from' | 'until' | 'range'> {
  const range = headers.findIndex((header) => headerWords(header).join(' ').endsWith(rangeName));
  if (range >= 0) return { range };
  const columnWith = (word: RegExp) =>
    [...headers.keys()].find((index) => {
      const words = headerWords(headers[index] ?? '').join(' ');
      return ofReduction.test(words) && word.test(words) && (evidence[index]?.money ?? 0) === 0;
    });
  const [from, until] = [columnWith(begins), columnWith(ends)];
  return { from, until: until === from ? undefined : until };
}

const numbersOfDay = /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:\D|$)/;

/** Returns a day as '2026-11-27', or null for other cells. '1/31/26' and '31/1/26' are both January 31. */
function dayIn(cell: string): string | null {
  const [, first = '', , second = '', third = ''] = numbersOfDay.exec(cell) ?? [];
  if (third === '') return null;
  const isYearFirst = first.length === 4;
  const [year, a, b] = isYearFirst ? [first, second, third] : [third, second, first];
  const [month, day] = Number(a) > 12 ? [b, a] : [a, b];
  return [year.padStart(4, '20'), month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

/** Whether a row's reduced price applies, by the cells of flag and days. */
export function isReductionActive(
  { regular, reduced }: { regular: string; reduced: string },
  cellOf: (column: number) => string | undefined,
  { from, until, range, flag, day }: ReducedPrice,
): boolean {
  if (regular === '') return true;
  if (!(Number(parseMoney(reduced)?.amount ?? 0) > 0)) return false;
  if (flag !== undefined && !yes.test(cellOf(flag)?.trim() ?? '')) return false;
  if (day === undefined) return true;
  const textOf = (column = -1): string => cellOf(column)?.trim() ?? '';
  const [begin = '', end = ''] =
    range === undefined ? [textOf(from), textOf(until)] : textOf(range).split('/');
  const [first = '', last = ''] = [begin, end].map(
    (text) => (text.trim() === '' ? day : dayIn(text.trim())) ?? '',
  );
  return first !== '' && first <= day && last >= day;
}
