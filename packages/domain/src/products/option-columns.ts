import { optionValueFields } from '../base/canonical-fields.ts';
import { parseMoney } from '../base/money.ts';
import { isAttributeHeader } from '../reading/mapping/attribute-options.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';

/** Among titles with values in the columns: the minimum share of titles whose rows differ in the columns. */
const shareMin = 0.8;
/** Among all titles: the minimum share of titles whose rows differ in the columns. */
const concernedMin = 0.5;
/** Longer values are texts, not options. */
const charsMax = 60;
/** Maximum number of columns named like an option that are tried together. */
const namedMax = 4;

type RowsOfTitle = readonly (readonly string[])[];

/**
 * Returns the columns in which rows of one title differ as variants do, and the number of rows that they tell apart,
 * or null. The columns are those of options, else one unmapped column, or two or three named like options.
 */
export function findOptionColumns(
  titles: readonly RowsOfTitle[],
  { columns }: Pick<HeaderMapping, 'columns'>,
): { columns: string[]; rows: number } | null {
  const ofOptions = optionValueFields
    .flatMap((option) => columns.find(({ field }) => field === option) ?? [])
    .filter((column) => titles.flat().some((cells) => cellIn(cells, column)));
  const free = columns.filter(({ field }) => field === null);
  const named = free.filter(({ header }) => isAttributeHeader(header)).slice(0, namedMax);
  const others = free.filter(
    (column) => !named.includes(column) && mayBeOption(titles.flat().map((cells) => cellIn(cells, column))),
  );
  const [first, second, third, fourth] = named;
  const found = [
    ...[...named, ...others].map((column) => [column]),
    ...[second, third, fourth].map((column) => [first, column]),
    ...[third, fourth].map((column) => [second, column]),
    [first, second, third],
  ].filter((some): some is typeof named => !some.includes(undefined));
  const together = ofOptions.length > 0 ? [ofOptions] : found;
  // The second round allows duplicate variants. It tries the most columns first, because they are the surest evidence.
  const tries = [
    ...together.map((some) => [some, tellApart] as const),
    ...together.toReversed().map((some) => [some, tellMostApart] as const),
  ];
  for (const [some, isApart] of tries) {
    const concerned = titles.filter((rows) =>
      some.some((column) => rows.some((cells) => cellIn(cells, column))),
    );
    const apart = titles.filter((rows) => isApart(rows, some));
    const isEnough =
      apart.length >= shareMin * concerned.length && apart.length >= concernedMin * titles.length;
    if (isEnough && apart.length > 0)
      return {
        columns: some.map(({ header }) => header),
        rows: apart.reduce((sum, rows) => sum + rows.length, 0),
      };
  }
  return null;
}

type Column = HeaderMapping['columns'][number];

const cellIn = (cells: readonly string[], { index }: Column): string =>
  (cells[index] ?? '').trim().toLowerCase();

/** Returns the number of different combinations of values in the rows of a title, or 0 if a cell is empty. */
function countApart(rows: RowsOfTitle, columns: readonly Column[]): number {
  const values = rows.map((cells) => columns.map((column) => cellIn(cells, column)));
  const isWhole = values.every((ofRow) => !ofRow.includes(''));
  return isWhole ? new Set(values.map((ofRow) => ofRow.join('\n'))).size : 0;
}
const tellApart = (rows: RowsOfTitle, columns: readonly Column[]): boolean =>
  countApart(rows, columns) === rows.length;
/** Whether at least 60 % of the rows, and at least two, differ in columns named like options. */
const tellMostApart = (rows: RowsOfTitle, columns: readonly Column[]): boolean =>
  columns.every(({ header }) => isAttributeHeader(header)) &&
  countApart(rows, columns) >= Math.max(2, rows.length * 0.6);

const isYear = (value: string): boolean => /^(19|20)\d\d$/.test(value);
/** Whether a value is a date, time, address, percentage, text or code. */
const isOdd = (value: string): boolean =>
  value.length > charsMax || /:\/\/|\d:\d\d|%|^\d+([./-]\d+){2}|\d{5}|^(?=.*\d)[\w./-]{5,}$/.test(value);

/** Whether values of a column that is not named like an option may be options. Years may be, but no other numbers. */
const mayBeOption = (values: readonly string[]): boolean =>
  !values.some(isOdd) && values.every((value) => isYear(value) || value === '' || parseMoney(value) === null);
