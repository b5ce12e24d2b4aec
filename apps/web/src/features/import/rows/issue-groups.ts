import type { IssueFilter } from '@draftshelf/contract/review/rows';
import {
  type Consequence,
  consequences,
  type IssueCode,
  issueCodes,
  issueConsequence,
} from '@draftshelf/domain/review/issues';
import { issueFilters } from '../issue-words.ts';

/** Heads of issues by consequence. */
export const consequenceWords: Record<Consequence, string> = {
  refused: 'Can’t be pushed',
  check: 'Worth a look',
  info: 'How it was read',
};

const isSingle = (name: IssueFilter): name is IssueCode =>
  (issueCodes as readonly IssueFilter[]).includes(name);

/** The filters that are one issue, in display order. */
export const singleIssues: readonly IssueCode[] = issueFilters.filter(isSingle);

/** Issues by consequence, the most serious first; consequences without an issue are left out. */
export function groupsOf(names: readonly IssueCode[]): { consequence: Consequence; names: IssueCode[] }[] {
  return consequences
    .map((consequence) => ({
      consequence,
      names: names.filter((name) => issueConsequence(name) === consequence),
    }))
    .filter((group) => group.names.length > 0);
}

/** Whether a filter is one issue that says how rows were read: its group is folded otherwise. */
export const isInfo = (name: IssueFilter | undefined): boolean =>
  name !== undefined && isSingle(name) && issueConsequence(name) === 'info';
