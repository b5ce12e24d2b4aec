import type { IssueFilter } from '../issues.ts';
import type { RowFilterName } from '../row-filters.ts';
import type { ClassFilter } from '../row-rule.ts';

type FilterValues = {
  class: ClassFilter;
  issue: IssueFilter;
  /** A field and its value in one text (see parseFieldValue). */
  value: string;
  /** Part of a title, SKU, UPC, vendor or item number; without regard to case. */
  q: string;
};

/** Filters that choose the rows of a command. */
export type TargetFilter = {
  [Name in Exclude<RowFilterName, 'outcome' | 'change'>]?: FilterValues[Name] | undefined;
};

/** Row numbers hold for one run, since another run may number other rows. {} is every row. */
export type CommandTarget = { rows: number[]; run: number } | TargetFilter;
