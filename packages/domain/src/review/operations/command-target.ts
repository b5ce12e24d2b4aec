import type { IssueFilter } from '../issues.ts';
import type { RowFilterName } from '../row-filters.ts';
import type { ClassFilter } from '../row-rule.ts';

type FilterValues = {
  class: ClassFilter;
  issue: IssueFilter;
  /** A field and its value in one text (see parseFieldValue). */
  value: string;
  /** A part of a title, SKU, UPC, vendor or item number. Case is ignored. */
  q: string;
};

/** Filters that select the rows of a command. */
export type TargetFilter = {
  [Name in Exclude<RowFilterName, 'outcome' | 'change'>]?: FilterValues[Name] | undefined;
};

/** Rows by number in one parse run, because another run may number them otherwise, or by filter. {} is every row. */
export type CommandTarget = { rows: number[]; run: number } | TargetFilter;
