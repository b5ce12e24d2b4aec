import { labelOf, type RowField, type ValuesByField } from '../base/canonical-fields.ts';
import { formatCount } from '../base/format.ts';
import { convertDecimalComma, parseMoney } from '../base/money.ts';
import { countAmbiguousCells, type DecimalMark, type MarkTally } from './decimal-marks.ts';
import { hundredthsToUnits } from './price-headers.ts';

/** The columns of a file, and the column indexes of each field. */
export type MappedColumns = {
  columns: readonly { header: string; field: RowField | null }[];
  sources: ValuesByField<number[]>;
  reducedPrice?: { column: number; regular: number };
  /** The currency that the lines above the header name for prices. */
  titleCurrency?: string;
};

/** The possible answers by kind of question. The `readings` of an example are in the order of the answers. */
export const readingAnswers = {
  'decimal-mark': ['.', ','],
  cents: ['cents', 'units'],
  'price-unit': ['of-one', 'as-is', 'no-price'],
} as const;

export type ReadingAnswer = (typeof readingAnswers)[keyof typeof readingAnswers][number];
export const allReadingAnswers: readonly ReadingAnswer[] = Object.values(readingAnswers).flat();
/** A column's answers: a single answer, or an array with one answer per kind of question. */
export type ColumnAnswers = ReadingAnswer | ReadingAnswer[];

/** Adds answers about a column. An answer replaces the earlier answer to the same kind of question. */
export function mergeAnswers(
  before: ColumnAnswers | undefined,
  given: ColumnAnswers | undefined,
): ColumnAnswers | undefined {
  const kindOf = (answer: ReadingAnswer) =>
    Object.values(readingAnswers).find((kind) => kind.some((other) => other === answer));
  const added = toAnswerList(given);
  const kept = toAnswerList(before).filter(
    (answer) => !added.some((other) => kindOf(other) === kindOf(answer)),
  );
  const all = [...kept, ...added];
  return all.length > 1 ? all : all[0];
}

export const toAnswerList = (answers: ColumnAnswers | undefined): readonly ReadingAnswer[] =>
  answers === undefined ? [] : typeof answers === 'string' ? [answers] : answers;

/** A question about a column's cells that only the operator can answer. */
export type ColumnQuestion = {
  column: number;
  kind: keyof typeof readingAnswers;
  /** Number of cells that the answer changes. */
  cells: number;
  /** Some of the cells that the answer changes, each with its reading for every answer. */
  examples: { cell: string; readings: string[] }[];
  /** Number of pieces that a price is for. */
  pieces?: number;
};

export function createMarkQuestion(column: number, tally: MarkTally): ColumnQuestion {
  const examples = tally.examples.map((cell) => ({
    cell,
    readings: readingAnswers['decimal-mark'].map((mark) => amountIn(cell, mark)),
  }));
  return { column, kind: 'decimal-mark', cells: countAmbiguousCells(tally), examples };
}

const amountIn = (cell: string, mark: DecimalMark): string =>
  parseMoney(mark === ',' ? convertDecimalComma(cell) : cell)?.amount ?? cell;

export function createCentsQuestion(column: number, { whole, firstWhole }: MarkTally): ColumnQuestion {
  const cell = firstWhole ?? '';
  return {
    column,
    kind: 'cents',
    cells: whole,
    examples: [{ cell, readings: [hundredthsToUnits(cell), cell] }],
  };
}

/** Creates the question of which price to send. `cell`: a price for `pieces` pieces, or '' if the header states it. */
export const createUnitQuestion = (
  column: number,
  { pieces, cell, cells }: { pieces: number; cell: string; cells: number },
): ColumnQuestion => ({ column, kind: 'price-unit', cells, examples: [{ cell, readings: [] }], pieces });

export const moneyFormat = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

const unitWords = {
  'of-one': 'Send the Price of One',
  'as-is': 'Send It As It Is',
  'no-price': 'Send No Price',
} as const;

/** A question about a column as a sentence, with its answers. `cells`: the number of cells that the answer changes. */
export type DescribedQuestion = {
  header: string;
  cells: number;
  sentence: string;
  answers: { reading: ReadingAnswer; words: string }[];
};

/** Returns a question in words: 'Price can be read in two ways: “1.299” is 1.30 or 1,299.00.' */
export function describeQuestion(
  { column, kind, cells, pieces = 1, examples }: ColumnQuestion,
  { columns, sources }: MappedColumns,
): DescribedQuestion {
  const { cell = '', readings = [] } = examples[0] ?? {};
  const header = columns[column]?.header ?? '';
  if (kind === 'price-unit') {
    const many = formatCount(pieces);
    const said = cell === '' ? `Prices are for ${many} pieces.` : `A price of ${cell} is for ${many} pieces.`;
    const answers = readingAnswers[kind].map((reading) => ({ reading, words: unitWords[reading] }));
    return { header, cells, sentence: `${said} Which price should be sent?`, answers };
  }
  const isOfPieces = sources.quantity?.includes(column) === true;
  const shown = (amount = '') =>
    isOfPieces ? formatCount(Math.trunc(Number(amount))) : moneyFormat.format(Number(amount));
  const label = labelOf(columns[column]?.field ?? 'price');
  const asks = kind === 'cents' ? 'may be in cents' : 'can be read in two ways';
  return {
    header,
    cells,
    sentence: `${label} ${asks}: “${cell}” is ${readings.map(shown).join(' or ')}.`,
    answers: readingAnswers[kind].map((reading, at) => ({ reading, words: shown(readings[at]) })),
  };
}

/** Returns the questions about the columns of a file, in words. */
export const describeQuestions = (
  mapping: MappedColumns & { questions?: readonly ColumnQuestion[] },
): DescribedQuestion[] => (mapping.questions ?? []).map((question) => describeQuestion(question, mapping));
