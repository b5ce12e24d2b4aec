import { type CanonicalField, moneyFields } from '../../base/canonical-fields.ts';
import { currencyInHeader, piecesInHeader } from '../price-headers.ts';
import { type ColumnEvidence, hasRowNumbers } from './column-evidence.ts';
import type { FieldCandidate } from './header-candidates.ts';
import { headerKey, headerKeySet, headerWords, isTaxWord, namesIdentifier } from './header-words.ts';
import { isDiscounted } from './money-columns.ts';
import { namesPrice, payerInHeader } from './trade-words.ts';

/** A rule that judges candidates by comparing columns. `evidence`: one entry per column, from the sample. */
export type CandidateRule = (
  candidates: readonly FieldCandidate[],
  columns: { headers: readonly string[]; evidence: readonly ColumnEvidence[] },
) => readonly FieldCandidate[];

const isNamed = ({ kind }: Pick<FieldCandidate, 'kind'>): boolean => kind === 'name' || kind === 'namePart';
const isNamedCost = (one: FieldCandidate): boolean => one.field === 'cost' && isNamed(one);
const mayHoldValues = (column: ColumnEvidence | undefined): boolean =>
  column === undefined || column.rows === 0 || column.filled > 0;

/** Drops costs as price candidates if there is another price: 'Wholesale' is dropped next to 'MSRP'. */
export const withoutCostsAsPrice: CandidateRule = (candidates, { evidence }) => {
  const costs = new Set(candidates.filter(isNamedCost).map(({ index }) => index));
  const hasSalesPrice = candidates.some(
    ({ field, index, kind }) =>
      field === 'price' && !costs.has(index) && !kind.endsWith('Within') && mayHoldValues(evidence[index]),
  );
  if (costs.size === 0 || !hasSalesPrice) return candidates;
  return candidates.filter(({ field, index }) => field !== 'price' || !costs.has(index));
};

/** Returns a candidate whose field follows from another column, with the worth of a match by name. */
const ruled = (index: number, field: 'price' | 'cost' | 'upc', reason: string): FieldCandidate => ({
  index,
  field,
  kind: 'name',
  confidence: 0.9,
  worth: field === 'price' ? 9 : 4,
  ordinal: 0,
  reason,
});

/** A standard price below this share of the list price is a cost. */
const costBelow = 0.8;
const listNames = ['listprice', 'lstprice'];
/** In Odoo's exports the standard price is the cost, even if it is close to the list price. */
const isOfOdoo = /^(?:defaultcode|categid|qtyavailable|attributelineids)/;
/** In files for Amazon, the standard price is the selling price and the list price is the compare-at price. */
const isForAmazon = /^(?:itemsku|itemname|externalproductid|feedproducttype|sellersku|asin)/;

/**
 * If a file has a list price and a standard price, these are the price and the cost, as in ERP programs. If the
 * standard price is close to the list price, or another column is the cost, the standard price is the selling price.
 */
export const withStandardCost: CandidateRule = (candidates, { headers, evidence }) => {
  const keys = headers.map(headerKey);
  const [list, standard] = [keys.findIndex((key) => listNames.includes(key)), keys.indexOf('standardprice')];
  if (list < 0 || standard < 0 || keys.some((key) => isForAmazon.test(key))) return candidates;
  if (candidates.some((one) => isNamedCost(one) && one.index !== standard)) return candidates;
  const [low, high] = [evidence[standard]?.median ?? 0, evidence[list]?.median ?? 0];
  const isClose = low > 0 && high > 0 && low >= high * costBelow;
  if (isClose && !keys.some((key) => isOfOdoo.test(key))) return candidates;
  const money: readonly CanonicalField[] = moneyFields;
  const others = candidates.filter(
    ({ field, index }) => !money.includes(field) || (index !== list && index !== standard),
  );
  return [
    ...others,
    ruled(list, 'price', 'The list price; the standard price is the cost'),
    ruled(standard, 'cost', 'The standard price, in a file with a list price'),
  ];
};

const listWords = /^(?:list|listen|listino|lista|listprice|listenpreis|catalogue|katalog|katalogowa)$/;
const netWords = new Set(['net', 'nett', 'netto', 'neto', 'nettopreis']);
/** Words for selling prices: 'Netto-VK' and 'net sales price' are not costs. */
const salesWords = new Set(['vk', 'sales', 'selling', 'retail', 'ht']);

/**
 * If a file has a net price and a list price, the net price is the cost: what the shop pays after its discount. It is
 * no cost if the ratio of the two prices is fixed, as with a tax, or if another column is the price.
 */
export const withNetCost: CandidateRule = (candidates, { headers, evidence }) => {
  const prices = candidates.filter(({ field }) => field === 'price' || field === 'compareAtPrice');
  const withWords = (are: (words: readonly string[]) => boolean) =>
    prices.find(({ index }) => are(headerWords(headers[index] as string)))?.index;
  const list = withWords((words) => words.some((word) => listWords.test(word)));
  const net = withWords(
    (words) =>
      words.some((word) => netWords.has(word)) &&
      !words.some((word) => isTaxWord(word) || salesWords.has(word)),
  );
  if (list === undefined || net === undefined || list === net) return candidates;
  const isOther = ({ index }: FieldCandidate) => index !== list && index !== net;
  if (prices.some((one) => one.field === 'price' && one.kind === 'name' && isOther(one))) return candidates;
  const [low, high] = [evidence[net], evidence[list]];
  if (!low || !high || !isDiscounted(low, high)) return candidates;
  return [
    ...candidates.filter(isOther),
    ruled(list, 'price', 'The list price; a lower net price is the cost'),
    ruled(net, 'cost', 'The net price, in a file with a list price'),
  ];
};

const moneyMin = 0.5;

/** Turns prices that shops pay into costs if the file has another price, such as a price for customers. */
export const withPricesByPayer: CandidateRule = (candidates, { headers, evidence }) => {
  const payers = headers.map((header, index) => {
    const column = evidence[index];
    const holdsMoney = column === undefined || column.filled === 0 || column.money > moneyMin;
    return holdsMoney ? payerInHeader(header) : null;
  });
  const shops = payers.flatMap((payer, index) => (payer === 'shop' ? [index] : []));
  const customers = payers.flatMap((payer, index) => (payer === 'customer' ? [index] : []));
  const isPriceOf = ({ field, index, kind }: FieldCandidate) =>
    (field === 'price' || field === 'compareAtPrice') && !shops.includes(index) && isNamed({ kind });
  const hasOther =
    customers.length > 0 || candidates.some((one) => isPriceOf(one) && mayHoldValues(evidence[one.index]));
  if (shops.length === 0 || !hasOther) return candidates;
  const hasCost = candidates.some(isNamedCost);
  const isPrice = (index: number) =>
    candidates.some((one) => one.field === 'price' && one.index === index && isNamed(one));
  const isListed = (index: number) =>
    candidates.some((one) => one.field === 'compareAtPrice' && one.index === index);
  return [
    ...candidates.filter(
      ({ field, index }) => !shops.includes(index) || (field !== 'price' && field !== 'compareAtPrice'),
    ),
    ...(hasCost ? [] : shops).map((index) => ruled(index, 'cost', 'What the shop pays, by its name')),
    ...customers
      .filter((index) => !isPrice(index) && !isListed(index))
      .map((index) => ruled(index, 'price', 'What customers pay, by its name')),
  ];
};

const pieceWords = new Set(['each', 'ea', 'unit', 'piece', 'pc', 'bottle', 'stuck', 'stk']);

/**
 * A list with prices for a case and for a piece is a trade list. If it also has a price for customers, the price for a
 * piece is the shop's cost.
 */
export const withCasePrices: CandidateRule = (candidates, { headers, evidence }) => {
  const namesMoney = (index: number) =>
    namesPrice(headers[index] as string) && (evidence[index]?.money ?? 0) > moneyMin;
  const words = headers.map(headerWords);
  const hasCase = headers.some((header, index) => namesMoney(index) && piecesInHeader(header) === 0);
  const piece = words.findIndex(
    (all, index) => namesMoney(index) && all.some((word) => pieceWords.has(word)),
  );
  if (!hasCase || piece < 0 || payerInHeader(headers[piece] as string) !== null) return candidates;
  const retail = headers.findIndex(
    (header, index) =>
      index !== piece &&
      (evidence[index]?.money ?? 0) > moneyMin &&
      (payerInHeader(header) === 'customer' ||
        candidates.some(
          (one) => one.index === index && one.field === 'compareAtPrice' && one.kind === 'name',
        )),
  );
  if (retail < 0) return candidates;
  return [
    ...candidates.filter(({ index }) => index !== piece && index !== retail),
    ruled(retail, 'price', 'What customers pay, in a list with prices for a case'),
    ruled(piece, 'cost', 'The price for a piece, in a list with prices for a case'),
  ];
};

/**
 * If prices are in several currencies, keeps those in the currency of the likeliest price. A cost in another currency
 * stays if it is the only cost, because its header names the currency.
 */
export const withoutOtherCurrencies: CandidateRule = (candidates, { headers }) => {
  const namedIn = ({ index }: FieldCandidate) => currencyInHeader(headers[index] as string);
  const prices = candidates.filter(({ field }) => field === 'price');
  const [price] = prices.toSorted((one, other) => other.worth - one.worth);
  const currency = price === undefined ? null : namedIn(price);
  if (currency === null) return candidates;
  const hasCost = candidates.some((one) => one.field === 'cost' && namedIn(one) === currency);
  const fields: readonly CanonicalField[] = [
    'price',
    'compareAtPrice',
    ...(hasCost ? ['cost' as const] : []),
  ];
  return candidates.map((one) =>
    fields.includes(one.field) && ![null, currency].includes(namedIn(one)) ? { ...one, worth: 0 } : one,
  );
};

/** A header with the smallest quantity of a price tier: '10+', '1-9', 'ab 50 Stk', 'Price (100+)'. */
const tierHeader =
  /^(?:\p{L}+[ .:]*)??\(?\s*(?:from|ab|von|bis|vanaf|from|des|dès|à partir de|a partir de|desde|da|od|fra|från|alkaen|от|>=?|≥|qty)?\s*(\d{1,6})\s*(?:\+|(?:-|–|to|bis)\s*\d{1,6})?\s*(?:pcs?|pieces|stk|st|stück|pz|uds?|szt|ks|шт|个|個)?\.?\s*\)?$/iu;
const saysTier =
  /\d\s*\+|\d\s*[-–]\s*\d|[>≥]|(?:^|[^\p{L}])(?:from|ab|vanaf|dès|desde|od|fra|från|от)\s*\d|\d\s*(?:pcs?|pieces|stk|stück|pz|uds?|szt|ks|шт)/iu;

/** Of prices for several quantities, uses the price for the smallest quantity, in whatever column it is. */
export const withFirstTierPrice: CandidateRule = (candidates, { headers, evidence }) => {
  const tiers = headers.flatMap((header, index) => {
    const mayBeTier = header.length < 40 && saysTier.test(header) && (evidence[index]?.money ?? 0) > 0.8;
    const [, from] = mayBeTier ? (tierHeader.exec(header.trim()) ?? []) : [];
    return from === undefined ? [] : [{ index, from: Number(from) }];
  });
  const [first, ...others] = tiers.toSorted((a, b) => a.from - b.from);
  const isTier = ({ index }: FieldCandidate) => tiers.some((tier) => tier.index === index);
  const isPrice = (one: FieldCandidate) => one.field === 'price' && isNamed(one) && !isTier(one);
  if (first === undefined || others.length === 0) return candidates;
  const rest = candidates.filter((one) => !isTier(one));
  return candidates.some(isPrice)
    ? rest
    : [...rest, ruled(first.index, 'price', 'The price for the smallest quantity')];
};

/** Mean number of words per cell: product names have two or more, article numbers have one. */
const wordsOfNumber = 1.2;
const wordsOfName = 2;

/** If several columns are named as the title and one has names of several words, drops those of single words. */
export const withoutCodesAsTitle: CandidateRule = (candidates, { evidence }) => {
  const titles = candidates.filter((one) => one.field === 'title' && isNamed(one));
  const hasNames = titles.some(({ index }) => (evidence[index]?.words ?? 0) >= wordsOfName);
  if (titles.length < 2 || !hasNames) return candidates;
  const codes = new Set(
    titles
      .map(({ index }) => index)
      .filter((index) => (evidence[index]?.words ?? wordsOfName) < wordsOfNumber),
  );
  return candidates.filter(({ field, index }) => field !== 'title' || !codes.has(index));
};

/** Whether a column's texts may be names: short, without markup and without sentences. */
export const isShortText = ({ chars = 0, html = 0, text = 0, sentence = 0 }: Partial<ColumnEvidence> = {}) =>
  chars <= 150 && html < 0.2 && text > 0.5 && sentence <= 0.5;

const articleNames = headerKeySet('article|artikel|articolo|articulo|artigo|artykul|item|items|part|parts');

/** Whether all values are different single words with digits, but not row numbers. */
const areNumbers = (column: ColumnEvidence): boolean =>
  column.filled >= 2 &&
  column.code + column.integer > 0.9 &&
  column.words < wordsOfNumber &&
  column.distinct === 1 &&
  !hasRowNumbers(column);

/** Uses an 'Article' column of item numbers as the SKU if another column or a description can be the title. */
export const withArticleAsSku: CandidateRule = (candidates, { headers, evidence }) => {
  const titles = candidates.filter(({ field, kind }) => field === 'title' && kind !== 'nameWithin');
  const article = headers.findIndex((header, index) => {
    const column = evidence[index];
    return articleNames.has(headerKey(header)) && column !== undefined && areNumbers(column);
  });
  if (article < 0) return candidates;
  const others = titles.filter(({ index }) => index !== article);
  const hasTitle = others.some(
    ({ index }) => isShortText(evidence[index]) && (evidence[index]?.code ?? 0) < 0.5,
  );
  if (others.length > 0 && !hasTitle) return candidates;
  const hasNames =
    hasTitle || candidates.some((one) => one.field === 'description' && isShortText(evidence[one.index]));
  if (!hasNames) return candidates;
  const reason = 'Item numbers; another column names the products';
  const number = { index: article, field: 'sku', kind: 'standIn', ordinal: 0, reason } as const;
  return [...candidates.filter((one) => one.index !== article), { ...number, confidence: 0.8, worth: 6 }];
};

const internalIds = headerKeySet('id|product id|item id|listing id|variant id|unique id|offer id|content id');
const rowsOfEmpty = 3;

/** Drops an empty SKU column if another SKU column has a code in every row, such as OpenCart's 'model'. */
export const withoutEmptySkus: CandidateRule = (candidates, { evidence }) => {
  const skus = candidates.filter(
    ({ field, kind }) => field === 'sku' && (isNamed({ kind }) || kind === 'standIn'),
  );
  const empty = skus.filter(({ index }) => {
    const column = evidence[index];
    return column !== undefined && column.rows >= rowsOfEmpty && column.filled === 0;
  });
  const isFull = ({ index }: FieldCandidate) => {
    const { fill = 0, distinct = 0, isSequence } = evidence[index] ?? {};
    return fill === 1 && distinct === 1 && !isSequence;
  };
  const hasOther = skus.some((one) => one.worth > 0 && isFull(one));
  return hasOther ? candidates.filter((one) => !empty.includes(one)) : candidates;
};

/** Minimum confidence of a reference column. Columns of row numbers have less. */
const surelyFrom = 0.45;

const gtinsFrom = 0.6;
const gtinKind = /^(?:product|item)idtype$/;

/** Uses an id of the exporting program as the SKU only if no column is a SKU, a reference, a code or a number. */
export const withoutInternalIds: CandidateRule = (candidates, { headers, evidence }) => {
  const headerOf = ({ index }: FieldCandidate) => headers[index] as string;
  const isId = (one: FieldCandidate) => internalIds.has(headerKey(headerOf(one)));
  // A stand-in such as 'MPN' is no reference, so it does not replace the id of a product feed.
  const isReference = (one: FieldCandidate) => isNamed(one) || namesIdentifier(headerWords(headerOf(one)));
  const hasReference = candidates.some(
    (one) =>
      (one.field === 'sku' || one.field === 'itemNumber') &&
      one.kind !== 'similar' &&
      one.confidence >= surelyFrom &&
      !isId(one) &&
      isReference(one),
  );
  if (!hasReference) return candidates;
  // In Walmart's template, which has a column for the type of product ids, the product id is a GTIN.
  const areTyped = headers.some((header) => gtinKind.test(headerKey(header)));
  const areGtins = areTyped && !candidates.some(({ field }) => field === 'upc');
  // At worth 0, the id is not assigned. If it were removed, its values could make it a candidate again.
  return candidates.map((one) => {
    if (one.field !== 'sku' || !isId(one)) return one;
    const isGtin = areGtins && (evidence[one.index]?.longDigits ?? 0) > gtinsFrom;
    return isGtin ? ruled(one.index, 'upc', 'GTINs: another column names their type') : { ...one, worth: 0 };
  });
};
