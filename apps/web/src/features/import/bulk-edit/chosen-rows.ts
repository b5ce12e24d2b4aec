import type { EditTarget } from '@draftshelf/contract/review/commands';
import type { Row, RowPage } from '@draftshelf/contract/review/rows';
import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { issueCodes, issueField } from '@draftshelf/domain/review/issues';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { issueFieldIn } from '../cell-marks.ts';
import { issueWords } from '../issue-text.tsx';
import { fieldValueWords } from '../mapping/mapping-words.ts';
import { defined, isFiltered, type RowsAddress } from '../rows-address.ts';
import { outcomeWords } from '../status/status-look.tsx';

export type ChosenRows = {
  target: EditTarget;
  /** Null: a search has not counted them. */
  count: number | null;
  /** Null if the filter has no issue about a field. */
  field: CanonicalField | null;
  /** Ticked rows on another page or not in the filter. */
  notShown: number;
};

type ShownPage = {
  address: RowsAddress;
  page: Pick<RowPage, 'rows' | 'run' | 'matching' | 'facets' | 'totalRows'>;
  ticked: ReadonlySet<number>;
};

/** Returns the ticked rows, else the filtered ones or all; a sentence if they can't be changed together. */
export function chosenRows({ address, page, ticked }: ShownPage): ChosenRows | string {
  if (ticked.size > 0) {
    const rows = [...ticked].sort((a, b) => a - b);
    const onPage = page.rows.filter(({ row }) => ticked.has(row)).length;
    return {
      target: { rows, run: page.run },
      count: ticked.size,
      field: null,
      notShown: ticked.size - onPage,
    };
  }
  const { class: ofClass, issue, outcome, change, value, q } = address;
  if (outcome !== undefined) {
    return `Rows can’t be changed by outcome. Tick them, or choose another filter than “${outcomeWords[outcome]}”.`;
  }
  if (change !== undefined)
    return 'Rows can’t be changed by what differs. Tick them, or choose another filter.';
  const count = isFiltered(address) ? page.matching : page.totalRows - page.facets.ignored;
  if (count === 0) return 'There are no rows to change.';
  const target = defined({ class: ofClass, issue, q, value });
  return { target, count, field: fieldOfIssue(page.rows, issue), notShown: 0 };
}

/** The field of most of the rows' issues, the first of several; null for an issue without a field. */
export function fieldOfIssue(
  rows: readonly Pick<Row, 'issues'>[],
  name: string | undefined,
): CanonicalField | null {
  const code = issueCodes.find((issue) => issue === name);
  if (code === undefined) return null;
  const found = rows.map((row) => issueFieldIn(row, code));
  const counted = canonicalFields.map((field) => ({
    field,
    rows: found.filter((ofRow) => ofRow === field).length,
  }));
  const [most] = counted.sort((a, b) => b.rows - a.rows);
  return most !== undefined && most.rows > 0 ? most.field : issueField(code);
}

/** 'Change 12,004 Rows…', 'Change 4 Rows, 3 Not Shown…'. */
export function changeLabel({ count, notShown }: ChosenRows): string {
  if (count === null) return 'Change Rows Found…';
  const rows = countOf(count, 'Row');
  return notShown === 0 ? `Change ${rows}…` : `Change ${rows}, ${formatCount(notShown)} Not Shown…`;
}

/** Fields whose values many products share come first. */
const sharedFirst: readonly CanonicalField[] = ['vendor', 'type', ...canonicalFields];

/** The brand if no row has a value. */
export function fieldWithValues(rows: readonly Pick<Row, 'values'>[]): CanonicalField {
  return sharedFirst.find((field) => rows.some(({ values }) => values[field])) ?? 'vendor';
}

const classWords = { 'needs-you': 'Needs you', valid: 'Valid', warning: 'Warning', error: 'Error' } as const;

/** 'Filtered by: Invalid price, “vase”', 'Ticked rows, 3 not shown'. */
export function targetWords({ target, notShown }: Pick<ChosenRows, 'target' | 'notShown'>): string {
  if ('rows' in target) {
    const [row = 0, ...others] = target.rows;
    if (others.length === 0)
      return `Row ${formatCount(row)}${notShown === 0 ? '' : ', ticked but not shown'}`;
    return `Ticked rows${notShown === 0 ? '' : `, ${formatCount(notShown)} not shown`}`;
  }
  const { class: ofClass, issue, value, q } = target;
  const names = [
    ...(ofClass === undefined ? [] : [classWords[ofClass]]),
    ...(issue === undefined ? [] : [issueWords[issue]]),
    ...(value === undefined ? [] : [fieldValueWords(value)]),
    ...(q === undefined ? [] : [`“${q}”`]),
  ];
  return names.length === 0 ? 'All rows' : `Filtered by: ${names.join(', ')}`;
}

/** Null: a search has not counted the rows. */
export const changeWords = (count: number | null): string =>
  count === null ? 'Change the rows found' : `Change ${countOf(count, 'row')}`;
