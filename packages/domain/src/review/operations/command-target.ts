import type { ConsequenceFilter, IssueCode, OutFilter } from '../issues.ts';
import type { ClassFilter } from '../row-rule.ts';

/** Row numbers hold for one run, since another run may number other rows. {} is every row. */
export type CommandTarget =
  | { rows: number[]; run: number }
  | {
      class?: ClassFilter | undefined;
      issue?: IssueCode | ConsequenceFilter | 'any' | OutFilter | undefined;
      q?: string | undefined;
      /** A field and its value, as one text (see parseFieldValue). */
      value?: string | undefined;
    };
