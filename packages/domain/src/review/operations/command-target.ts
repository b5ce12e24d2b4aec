import type { IssueFilter } from '../issues.ts';
import type { RowFilterName } from '../row-filters.ts';
import type { ClassFilter } from '../row-rule.ts';

type FilterValues = {
  class: ClassFilter;
  issue: IssueFilter;
  /** A field and its value in one text (see parseFieldValue). */
  value: string;
  /** Text to find in titles, SKUs, UPCs, vendors and item numbers. Case is ignored. */
  q: string;
};

/** Filters that select the rows of a command. */
export type TargetFilter = {
  [Name in Exclude<RowFilterName, 'outcome' | 'change'>]?: FilterValues[Name] | undefined;
};

/** Row numbers, which are valid for one parse run, or a filter. The filter {} matches every row. */
export type CommandTarget = { rows: number[]; run: number } | TargetFilter;
