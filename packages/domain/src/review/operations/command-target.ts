import type { ConsequenceFilter, IssueCode, OutFilter } from '../issues.ts';
import type { ClassFilter } from '../row-rule.ts';

/**
 * The rows of a command: by their numbers in a run, since another reading of the file may number other rows, or all
 * that match a filter. {} is every row.
 */
export type CommandTarget =
  | { rows: number[]; run: number }
  | {
      class?: ClassFilter | undefined;
      issue?: IssueCode | ConsequenceFilter | 'any' | OutFilter | undefined;
      q?: string | undefined;
      /** A field and its value, as one text (see parseFieldValue). */
      value?: string | undefined;
    };
