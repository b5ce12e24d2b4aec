import { type CanonicalField, moneyFields, type RowField, type RowValues } from '../base/canonical-fields.ts';
import { isMetafieldField } from '../base/metafields.ts';
import { convertDecimalComma, parseMoney } from '../base/money.ts';
import {
  type ColumnAnswers,
  type ColumnQuestion,
  createCentsQuestion,
  createMarkQuestion,
  createUnitQuestion,
  type MappedColumns,
  moneyFormat,
  type ReadingAnswer,
  readingAnswers,
  toAnswerList,
} from './column-questions.ts';
import {
  countAmbiguousCells,
  createMarkTally,
  hasOnlyWholeNumbers,
  impliedMark,
  isSum,
  type MarkTally,
  provenMark,
  tallyCell,
} from './decimal-marks.ts';
import * as priceHeaders from './price-headers.ts';

/** Rules for reading the cells of columns. They are stored with the mapping. */
export type ColumnReadings = {
  /** Columns of amounts with decimal commas, in which '1.299' is 1299. */
  decimalComma?: number[];
  /** Columns whose ambiguous amounts are read with a decimal mark that their other cells do not prove. */
  inferred?: number[];
  /** Columns whose decimal mark is proven by cells with at most two decimals. */
  twoDecimals?: number[];
  /** Columns of money in hundredths. */
  cents?: number[];
  /** The factor by which amounts are multiplied, by column: 1000 if the header says thousands. */
  thousands?: Record<number, number>;
  /** The currency of prices, from the header of the price column or from a line above the header. */
  priceCurrency?: string;
  /** By column of compare-at prices or costs: the currency in the header, if it differs from the currency of prices. */
  ownCurrency?: Record<number, string>;
  /** The number of pieces that prices are for. Absent if prices are for one piece. */
  priceUnit?: PriceUnit;
  /** Questions that only the operator can answer, each about a column. */
  questions?: ColumnQuestion[];
  /** Questions settled by the operator's answers for an earlier list. */
  remembered?: ColumnQuestion[];
};

/** The source of the number of pieces that a price is for: the cells of `column`, or the header (`of`, 0: unknown). */
export type PriceUnit = (
  | { column: number; isOfSale?: true; of?: never }
  | { of: number; column?: never; isOfSale?: never }
) & {
  /** The price to send if a price is for several pieces: the price per piece, the price as it stands, or no price. */
  reading: (typeof readingAnswers)['price-unit'][number];
};

/** Fields of numbers with a decimal mark. Money comes first, because other columns adopt the mark of money columns. */
const amountFields = [...moneyFields, 'quantity', 'weight'] as const;

/** Limit of units in the cache of pieces per unit. A file has few different units. */
const unitsKnownMax = 200;

/** Counts evidence for how the amounts of a file are written. */
export type AmountCounter = {
  add(row: ReadRow): void;
  /** Whether an apparent totals line has a title, a price and no sum of other rows. If false, a new subtotal begins. */
  isNamedTotal(row: ReadRow): boolean;
  tallies: ReadonlyMap<number, MarkTally>;
  /** Evidence about prices for several pieces, from a column of units. */
  several: Several;
};

type ReadRow = { cell(column: number): string | undefined };

type Several = {
  column: number | null;
  rows: number;
  first: { price: string; pieces: number } | null;
  /** Whether some rows have an unknown unit. */
  isUnknown: boolean;
  /** Whether the column has sales units. `hasSingles`: some products are sold one by one. */
  isOfSale: boolean;
  hasSingles: boolean;
};

export function createAmountCounter(mapping: MappedColumns): AmountCounter {
  const { columns, sources } = mapping;
  const amounts = columnsOf(mapping, amountFields);
  const counted = [...amounts, ...metafieldColumns(mapping)];
  const marks = counted.map(createMarkTally);
  const [price] = sources.price ?? [];
  const columnOf = (is: (header: string, next: string) => boolean) =>
    columns.findIndex(({ header, field }, at) => field === null && is(header, columns[at + 1]?.header ?? ''));
  const ofPrice = columnOf(
    (header, next) => priceHeaders.isPriceUnitHeader(header) || priceHeaders.isPriceUnitBefore(header, next),
  );
  const isOfSale = ofPrice < 0;
  const unit = isOfSale ? columnOf(priceHeaders.isSalesUnitHeader) : ofPrice;
  const several: Several = {
    ...{ column: unit < 0 ? null : unit, rows: 0, first: null, isUnknown: false },
    ...{ isOfSale, hasSingles: false },
  };
  const known = new Map<string, number | null>();
  return {
    add(row) {
      for (const [at, column] of counted.entries()) tallyCell(marks[at] as MarkTally, row.cell(column) ?? '');
      if (several.column === null || price === undefined) return;
      const cell = row.cell(several.column) ?? '';
      let pieces = known.get(cell);
      if (pieces === undefined) {
        pieces = isOfSale ? priceHeaders.parseSalesUnit(cell) : priceHeaders.parsePriceUnit(cell);
        if (known.size < unitsKnownMax) known.set(cell, pieces);
        if (pieces === 1 && priceHeaders.isSinglePieceUnit(cell)) several.hasSingles = true;
      }
      if (pieces === null) several.isUnknown = true;
      if (pieces === null || pieces <= 1) return;
      several.rows += 1;
      several.first ??= { price: row.cell(price) ?? '', pieces };
    },
    isNamedTotal(row) {
      const has = (column: number) => (row.cell(column) ?? '').trim() !== '';
      const isProduct = sources.title?.some(has) && sources.price?.some(has);
      const isSumOf = (column: number, at: number) => isSum(marks[at] as MarkTally, row.cell(column) ?? '');
      if (isProduct && !amounts.some(isSumOf)) return true;
      for (const tally of marks) tally.section = 0;
      return false;
    },
    tallies: new Map(counted.map((column, at) => [column, marks[at] as MarkTally])),
    several,
  };
}

type Counted = Pick<AmountCounter, 'tallies' | 'several'>;
type Answers = Readonly<Record<string, { reading?: ColumnAnswers; by?: 'operator' | 'memory' }>>;

/** Adds the readings of amounts and the open questions to a mapping. `counted`: the evidence of the file's rows. */
export function withReadings<M extends MappedColumns>(
  mapping: M,
  counted: Counted,
  answers: Answers = {},
): M & ColumnReadings {
  const { marks, cents, unit, questions } = read(mapping, counted, answers);
  const own = Object.fromEntries(Object.entries(answers).filter(([, { by }]) => by !== 'memory'));
  const isAsked = ({ column, kind }: ColumnQuestion) =>
    questions.some((question) => question.column === column && question.kind === kind);
  const remembered = read(mapping, counted, own).questions.filter((question) => !isAsked(question));
  const currency = mapping.sources.currency
    ? null
    : (priceHeaders.currencyInHeader(headerOf(mapping, mapping.sources.price?.[0])) ??
      mapping.titleCurrency ??
      null);
  const others = columnsOf(mapping, ['compareAtPrice', 'cost']).flatMap((column) => {
    const own = mapping.sources.price?.includes(column)
      ? null
      : priceHeaders.currencyInHeader(headerOf(mapping, column));
    return own === null || own === currency ? [] : [[column, own] as const];
  });
  const thousands = columnsOf(mapping, moneyFields).flatMap((column) => {
    const units = priceHeaders.multiplierInHeader(headerOf(mapping, column));
    return units === 1 ? [] : [[column, units] as const];
  });
  const readings = {
    decimalComma: undefinedIfEmpty(marks.readings.decimalComma),
    inferred: undefinedIfEmpty(marks.readings.inferred),
    twoDecimals: undefinedIfEmpty(marks.readings.twoDecimals),
    cents: undefinedIfEmpty(cents.columns),
    thousands: undefinedIfEmpty(thousands) && Object.fromEntries(thousands),
    priceCurrency: currency ?? undefined,
    ownCurrency: undefinedIfEmpty(others) && Object.fromEntries(others),
    priceUnit: unit.priceUnit,
    questions: undefinedIfEmpty(questions),
    remembered: undefinedIfEmpty(remembered),
  } satisfies Record<keyof ColumnReadings, unknown>;
  return { ...mapping, ...readings };
}

function read(mapping: MappedColumns, { tallies, several }: Counted, answers: Answers) {
  const answerOf = answersIn(mapping, answers);
  const marks = marksOf(mapping, tallies, answerOf);
  const cents = centsOf(mapping, tallies, answerOf);
  const unit = unitOf(mapping, several, answerOf);
  return { marks, cents, unit, questions: [...marks.questions, ...cents.questions, ...unit.questions] };
}

/** Returns a list, or undefined if it is empty, so that the mapping omits it. */
export const undefinedIfEmpty = <T>(list: T[]): T[] | undefined => (list.length > 0 ? list : undefined);

/** Whether two mappings of a file read every cell alike. Open questions about columns are not compared. */
export function haveSameReadings(one: ColumnReadings, other: ColumnReadings): boolean {
  const text = ({ decimalComma, inferred, twoDecimals, cents, thousands, priceUnit }: ColumnReadings) =>
    JSON.stringify([decimalComma, inferred, twoDecimals, cents, thousands, priceUnit]);
  return text(one) === text(other);
}

const headerOf = ({ columns }: MappedColumns, column: number | undefined): string =>
  columns[column ?? -1]?.header ?? '';

type AnswerOf = <Kind extends ColumnQuestion['kind']>(
  column: number,
  kind: Kind,
) => (typeof readingAnswers)[Kind][number] | undefined;

const answersIn =
  (mapping: MappedColumns, answers: Answers): AnswerOf =>
  (column, kind) => {
    const all: readonly ReadingAnswer[] = readingAnswers[kind];
    const given = toAnswerList(answers[headerOf(mapping, column)]?.reading);
    return all.find((answer): answer is (typeof readingAnswers)[typeof kind][number] =>
      given.includes(answer),
    );
  };

const columnsOf = ({ sources, reducedPrice }: MappedColumns, fields: readonly CanonicalField[]): number[] => {
  const ofReduction =
    reducedPrice && fields.includes('price') ? [reducedPrice.column, reducedPrice.regular] : [];
  return [...new Set([...fields.flatMap((field) => sources[field] ?? []), ...ofReduction])];
};

/** Returns the columns of metafields. Their decimal mark is decided too, because metafields may be numbers. */
const metafieldColumns = ({ sources }: MappedColumns): number[] =>
  (Object.keys(sources) as RowField[]).filter(isMetafieldField).flatMap((field) => sources[field] ?? []);

/**
 * Decides the decimal marks of columns by the first of these that shows a mark: the column's unambiguous cells, its
 * numbers without a mark, the operator's answer, the other money columns. If none does, a question about the first
 * ambiguous column is returned. No question is about weights or metafields.
 */
function marksOf(mapping: MappedColumns, tallies: Counted['tallies'], answerOf: AnswerOf) {
  const unasked = [...columnsOf(mapping, ['weight']), ...metafieldColumns(mapping)];
  const columns = [...columnsOf(mapping, amountFields), ...metafieldColumns(mapping)];
  const money = columnsOf(mapping, moneyFields);
  const pieces = columnsOf(mapping, ['quantity']);
  const tallyOf = (column: number) => tallies.get(column) ?? createMarkTally();
  const isOpen = (column: number) => countAmbiguousCells(tallyOf(column)) > 0;
  // A sheet may have numbers with decimal points and texts with decimal commas, so an ambiguous cell may be either.
  const isContradicted = (column: number) => {
    const { proofs, decimalsMax } = tallyOf(column);
    return own.get(column) === ',' && proofs['.'] > 0 && decimalsMax > 3;
  };
  const own = new Map(
    columns.map((column) => [
      column,
      provenMark(tallyOf(column)) ?? impliedMark(tallyOf(column), pieces.includes(column)),
    ]),
  );
  const said = new Map(
    columns.map((column) => [column, own.get(column) ?? answerOf(column, 'decimal-mark') ?? null]),
  );
  const ofMoney = new Set(money.flatMap((column) => said.get(column) ?? []));
  const ofFile = ofMoney.size === 1 ? [...ofMoney][0] : undefined;
  const markOf = (column: number) => said.get(column) ?? ofFile ?? null;
  const asked = columns.find(
    (column) => isOpen(column) && markOf(column) === null && !unasked.includes(column),
  );
  const which = (is: (column: number) => boolean) => columns.filter(is).toSorted((a, b) => a - b);
  return {
    readings: {
      decimalComma: which((column) => markOf(column) === ','),
      inferred: which(
        (column) =>
          !unasked.includes(column) &&
          (isContradicted(column) || (isOpen(column) && markOf(column) !== null && own.get(column) === null)),
      ),
      twoDecimals: which(
        (column) => provenMark(tallyOf(column)) !== null && tallyOf(column).decimalsMax <= 2,
      ),
    },
    questions: asked === undefined ? [] : [createMarkQuestion(asked, tallyOf(asked))],
  };
}

/** Finds columns of money in hundredths: the header names cents, and all cells are whole numbers. */
function centsOf(mapping: MappedColumns, tallies: Counted['tallies'], answerOf: AnswerOf) {
  const columns: number[] = [];
  const questions: ColumnQuestion[] = [];
  for (const column of columnsOf(mapping, moneyFields)) {
    const tally = tallies.get(column) ?? createMarkTally();
    const said = hasOnlyWholeNumbers(tally) ? priceHeaders.detectCents(headerOf(mapping, column)) : null;
    if (said === null) continue;
    const answer = answerOf(column, 'cents');
    if ((answer ?? said) === 'cents') columns.push(column);
    if (said === 'unsure' && answer === undefined) questions.push(createCentsQuestion(column, tally));
  }
  return { columns, questions };
}

function unitOf(
  mapping: MappedColumns,
  { column, rows, first, isUnknown, isOfSale, hasSingles }: Several,
  answerOf: AnswerOf,
): { priceUnit?: PriceUnit; questions: ColumnQuestion[] } {
  const [price] = mapping.sources.price ?? [];
  if (price === undefined) return { questions: [] };
  const header = headerOf(mapping, price);
  const of = priceHeaders.multiplierInHeader(header) === 1 ? priceHeaders.piecesInHeader(header) : null;
  const answer = answerOf(price, 'price-unit');
  const reading = answer ?? 'as-is';
  const asks = (pieces: number, cell: string, cells: number) =>
    answer === undefined ? [createUnitQuestion(price, { pieces, cell, cells })] : [];
  const isOfMeasure = mapping.columns.some(({ header: other }) =>
    priceHeaders.isPricedByMeasure(header, other),
  );
  if (of === 0 || isOfMeasure) return { priceUnit: { of: 0, reading: 'as-is' }, questions: [] };
  if (of !== null) return { priceUnit: { of, reading }, questions: asks(of, '', 1) };
  // If a file sells only packs of unknown size, the packs are the products, so each price is for one product.
  const isTold = isUnknown && (!isOfSale || hasSingles);
  if (column === null || (first === null && !isTold)) return { questions: [] };
  const unit = { column, ...(isOfSale && { isOfSale: true as const }) };
  if (first === null) return { priceUnit: { ...unit, reading: 'as-is' }, questions: [] };
  return { priceUnit: { ...unit, reading }, questions: asks(first.pieces, first.price, rows) };
}

/** Rewrites an amount by the readings of its column, so that `parseMoney` returns the meant amount. */
export function rewriteAmount(value: string, column: number, readings: ColumnReadings): string {
  const { decimalComma, cents, thousands, ownCurrency } = readings;
  const read = decimalComma?.includes(column) ? convertDecimalComma(value) : value;
  const units = thousands?.[column];
  const scaled = units === undefined ? read : priceHeaders.multiplyAmount(read, units);
  const amount = cents?.includes(column) ? priceHeaders.hundredthsToUnits(scaled) : scaled;
  const code = ownCurrency?.[column];
  return code !== undefined && parseMoney(amount)?.currency === null ? `${amount} ${code}` : amount;
}

/** Sets a row's currency, and its prices per piece, by the readings of the file's columns. */
export function applyReadings(
  values: RowValues,
  cellOf: (column: number) => string | undefined,
  { priceCurrency, priceUnit }: ColumnReadings,
): void {
  if (priceCurrency !== undefined && values.price !== undefined) values.currency ??= priceCurrency;
  if (priceUnit === undefined || priceUnit.reading === 'as-is') return;
  const pieces = piecesPerPrice(priceUnit, cellOf);
  if (pieces === null || pieces <= 1) return;
  for (const field of moneyFields) {
    const value = values[field];
    if (value === undefined) continue;
    const one = priceUnit.reading === 'of-one' ? priceHeaders.pricePerPiece(value, pieces) : null;
    if (one === null) delete values[field];
    else values[field] = one;
  }
}

/** Returns the number of pieces that a row's price is for, or null if it is unknown. */
export const piecesPerPrice = (
  { column, isOfSale, of }: PriceUnit,
  cellOf: (column: number) => string | undefined,
): number | null => {
  if (of !== undefined) return of === 0 ? null : of;
  const cell = cellOf(column ?? -1);
  return isOfSale ? priceHeaders.parseSalesUnit(cell) : priceHeaders.parsePriceUnit(cell);
};

/** Returns sentences that explain a row's prices, by field. A price that is read as it stands has no sentence. */
export function explainPrices(
  cells: readonly string[],
  mapping: MappedColumns & ColumnReadings,
): Partial<Record<(typeof moneyFields)[number], string>> {
  const sentences: ReturnType<typeof explainPrices> = {};
  const pieces = mapping.priceUnit ? piecesPerPrice(mapping.priceUnit, (column) => cells[column]) : 1;
  for (const field of moneyFields) {
    const column = mapping.sources[field]?.find((at) => (cells[at] ?? '').trim() !== '');
    if (column === undefined) continue;
    const cell = `“${cells[column]?.trim()}”`;
    const text = cells[column] ?? '';
    if (pieces !== null && pieces > 1 && mapping.priceUnit?.reading === 'of-one') {
      sentences[field] = `${cell} is the price of ${pieces} pieces.`;
    } else if (mapping.cents?.includes(column)) {
      sentences[field] = `${cell} is in cents, as the header “${headerOf(mapping, column)}” shows.`;
    } else if (mapping.thousands?.[column] !== undefined) {
      sentences[field] = `${cell} is in thousands, as the header “${headerOf(mapping, column)}” shows.`;
    } else if (
      /[.,]/.test(text) &&
      mapping.decimalComma?.includes(column) &&
      isAmount(text, column, mapping)
    ) {
      const proof = mapping.inferred?.includes(column)
        ? 'other prices of the file'
        : 'other cells of its column';
      sentences[field] = `${cell} is read with a decimal comma, as ${proof} show.`;
    }
  }
  return sentences;
}

const isAmount = (text: string, column: number, mapping: ColumnReadings): boolean =>
  parseMoney(rewriteAmount(text.trim(), column, mapping)) !== null;

/**
 * Returns sentences about prices that a person typed, by field. A typed price is read as a plain amount, so it has a
 * sentence only if the cells of its column are read differently: as cents, as thousands or with decimal commas.
 */
export function explainTypedPrices(
  values: RowValues,
  isTyped: (field: CanonicalField) => boolean,
  { sources, cents, thousands, decimalComma }: MappedColumns & ColumnReadings,
): ReturnType<typeof explainPrices> {
  const sentences: ReturnType<typeof explainPrices> = {};
  for (const field of moneyFields) {
    const value = values[field] ?? '';
    const amount = isTyped(field) ? parseMoney(value)?.amount : undefined;
    const columns = sources[field] ?? [];
    const isOther = columns.some(
      (column) =>
        cents?.includes(column) || thousands?.[column] !== undefined || decimalComma?.includes(column),
    );
    if (amount !== undefined && isOther) {
      sentences[field] =
        `“${value}” was typed, so it’s read as ${moneyFormat.format(Number(amount))}, unlike its column.`;
    }
  }
  return sentences;
}
