import type { ConsequenceFilter, IssueCode } from '../issues.ts';
import type { ClassFilter } from '../row-rule.ts';

/** The rows of a command: by number, or all that match a filter. {} is every row. */
export type CommandTarget =
  | { rows: number[] }
  | {
      class?: ClassFilter | undefined;
      issue?: IssueCode | ConsequenceFilter | 'any' | 'left-out' | undefined;
      q?: string | undefined;
    };
