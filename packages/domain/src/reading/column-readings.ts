import { type CanonicalField, fieldSpecs } from '../base/canonical-fields.ts';
import { fromDecimalComma, parseMoney } from '../base/money.ts';
import {
  countMark,
  type DecimalMark,
  emptyTally,
  impliedMark,
  type MarkTally,
  openCells,
  provenMark,
} from './decimal-marks.ts';

/** The answers to a question about a column, by its kind: one for each of the readings of its examples. */
export const readingAnswers = { 'decimal-mark': ['.', ','] } as const;
export type ReadingAnswer = (typeof readingAnswers)[keyof typeof readingAnswers][number];

/** How the cells of a column are read, which nothing in the file proves. */
export type ColumnQuestion = {
  column: number;
  kind: keyof typeof readingAnswers;
  /** Cells that the answer changes. */
  cells: number;
  /** Some of them, and what they are by each answer. */
  examples: { cell: string; readings: string[] }[];
};

/** How the cells of columns are read, by column. Stored with the mapping. */
export type ColumnReadings = {
  /** Columns of amounts with decimal commas, in which '1.299' is 1299. */
  decimalComma?: number[];
  /** Columns of money with cells that can be read in two ways, which their own cells do not settle. */
  inferred?: number[];
  /** Columns whose decimal mark is proven by cells with at most two decimals. */
  twoDecimals?: number[];
  /** How columns are read, which only the operator can tell. */
  questions?: ColumnQuestion[];
};

type Sources = Partial<Record<CanonicalField, number[]>>;
type MappedColumns = {
  columns: readonly { header: string; field: CanonicalField | null }[];
  sources: Sources;
};

/** Fields whose columns have a decimal mark. Those of money come first, because the others follow them. */
const moneyFields = ['price', 'compareAtPrice', 'cost'] as const satisfies readonly CanonicalField[];
export const amountFields = [...moneyFields, 'quantity', 'weight'] as const;

/** Counts what the cells of the amounts of a file say about their notation. */
export type AmountCounter = {
  /** Counts a row. `cellOf`: the text of a column's cell. */
  add(cellOf: (column: number) => string | undefined): void;
  tallies: ReadonlyMap<number, MarkTally>;
};

export function amountCounter(sources: Sources): AmountCounter {
  const columns = [...new Set(amountFields.flatMap((field) => sources[field] ?? []))];
  const counted = columns.map((column): [number, MarkTally] => [column, emptyTally()]);
  return {
    add(cellOf) {
      for (const [column, tally] of counted) countMark(tally, cellOf(column) ?? '');
    },
    tallies: new Map(counted),
  };
}

/**
 * A mapping with how its columns of amounts are read. Cells that can be read in two ways follow the cells of their
 * column that can not, else what its numbers without a mark imply, else the answer of the operator, else the other
 * columns of money. What is left is a question; weights are none.
 * @param tallies what was counted of its rows
 */
export function withReadings<M extends MappedColumns>(
  mapping: M,
  tallies: AmountCounter['tallies'],
  answers: Readonly<Record<string, { reading?: ReadingAnswer }>> = {},
): Omit<M, keyof ColumnReadings> & ColumnReadings {
  const ofFields = (fields: readonly CanonicalField[]) => [
    ...new Set(fields.flatMap((field) => mapping.sources[field] ?? [])),
  ];
  const tallyOf = (column: number) => tallies.get(column) ?? emptyTally();
  const answerOf = (column: number): DecimalMark | undefined =>
    answers[mapping.columns[column]?.header ?? '']?.reading;
  const columns = ofFields(amountFields);
  const pieces = ofFields(['quantity']);
  const own = new Map(
    columns.map((column) => [
      column,
      provenMark(tallyOf(column)) ?? impliedMark(tallyOf(column), pieces.includes(column)),
    ]),
  );
  const said = new Map(columns.map((column) => [column, own.get(column) ?? answerOf(column) ?? null]));
  const money = ofFields(moneyFields);
  const ofMoney = new Set(money.flatMap((column) => said.get(column) ?? []));
  const ofFile = ofMoney.size === 1 ? [...ofMoney][0] : undefined;
  const marks = new Map(columns.map((column) => [column, said.get(column) ?? ofFile ?? null]));
  const weights = ofFields(['weight']);
  const asked = columns.find(
    (column) => marks.get(column) === null && openCells(tallyOf(column)) > 0 && !weights.includes(column),
  );
  const which = (is: (column: number) => boolean) => columns.filter(is).toSorted((a, b) => a - b);
  const readings = {
    decimalComma: which((column) => marks.get(column) === ','),
    inferred: money.filter(
      (column) => openCells(tallyOf(column)) > 0 && marks.get(column) !== null && own.get(column) === null,
    ),
    twoDecimals: which((column) => provenMark(tallyOf(column)) !== null && tallyOf(column).decimalsMax <= 2),
    questions: asked === undefined ? [] : [questionOf(asked, tallyOf(asked))],
  } satisfies ColumnReadings;
  const {
    decimalComma: _comma,
    inferred: _inferred,
    twoDecimals: _two,
    questions: _questions,
    ...others
  } = mapping as M & ColumnReadings;
  const some = Object.entries(readings).filter(([, list]) => list.length > 0);
  return { ...others, ...Object.fromEntries(some) };
}

function questionOf(column: number, tally: MarkTally): ColumnQuestion {
  const examples = tally.examples.map((cell) => ({
    cell,
    readings: readingAnswers['decimal-mark'].map((mark) => amountIn(cell, mark)),
  }));
  return { column, kind: 'decimal-mark', cells: openCells(tally), examples };
}

const moneyFormat = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const piecesFormat = new Intl.NumberFormat('en-US');

/** A question in words, and its answers: 'Price can be read in two ways. “1.299” is 1.30 or 1,299.00.' */
export function questionWords(
  { column, examples: [first] }: ColumnQuestion,
  { columns, sources }: MappedColumns,
): { header: string; sentence: string; answers: { reading: ReadingAnswer; words: string }[] } {
  const isOfPieces = sources.quantity?.includes(column) === true;
  const shown = (amount: string) =>
    isOfPieces ? piecesFormat.format(Math.trunc(Number(amount))) : moneyFormat.format(Number(amount));
  const { cell = '', readings = [] } = first ?? {};
  const field = columns[column]?.field ?? 'price';
  const [one = '', other = ''] = readings.map(shown);
  return {
    header: columns[column]?.header ?? '',
    sentence: `${fieldSpecs[field].label} can be read in two ways: “${cell}” is ${one} or ${other}.`,
    answers: readingAnswers['decimal-mark'].map((reading, at) => ({
      reading,
      words: shown(readings[at] ?? ''),
    })),
  };
}

/** The amount of a cell by a decimal mark. */
function amountIn(cell: string, mark: DecimalMark): string {
  return parseMoney(mark === ',' ? fromDecimalComma(cell) : cell)?.amount ?? cell;
}

/** A cell of a column as the value of its field, with the notation that `parseMoney` reads right. */
export const readAmount = (
  value: string,
  column: number,
  { decimalComma }: Pick<ColumnReadings, 'decimalComma'>,
): string => (decimalComma?.includes(column) ? fromDecimalComma(value) : value);
