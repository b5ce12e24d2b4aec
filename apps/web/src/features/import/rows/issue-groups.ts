import type { IssueFilter, RowFacets } from '@draftshelf/contract/review/rows';
import {
  type Consequence,
  consequences,
  type IssueCode,
  issueCodes,
  issueConsequence,
} from '@draftshelf/domain/review/issues';
import { issueFilters } from '../issue-text.tsx';
import type { Direction } from './grid-state.ts';

export const consequenceWords: Record<Consequence, string> = {
  refused: 'Can’t be pushed',
  check: 'Worth a look',
  info: 'How it was read',
};

const isSingle = (name: IssueFilter): name is IssueCode =>
  (issueCodes as readonly IssueFilter[]).includes(name);

export const issueCodesInOrder: readonly IssueCode[] = issueFilters.filter(isSingle);

/** Groups issues by consequence, most serious first. Consequences without issues are left out. */
export const groupIssues = (
  names: readonly IssueCode[],
): { consequence: Consequence; names: IssueCode[] }[] =>
  consequences
    .map((consequence) => ({
      consequence,
      names: names.filter((name) => issueConsequence(name) === consequence),
    }))
    .filter((group) => group.names.length > 0);

export const countRowsToCheck = ({ refused = 0, check = 0 }: RowFacets['issues']): number => refused + check;

/** True if the filter is a single issue that only informs how rows were read, so that its group is folded at first. */
export const isInfoFilter = (name: IssueFilter | undefined): boolean =>
  name !== undefined && isSingle(name) && issueConsequence(name) === 'info';

/** Returns the names that have rows, those with the most rows first. Names with equal counts keep their order. */
export const sortByCount = <Name extends string>(
  names: readonly Name[],
  counts: Partial<Record<Name, number>>,
): Name[] =>
  names.filter((name) => (counts[name] ?? 0) > 0).toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));

/** Returns the issue after `current`, in a cycle, or null. Skips issues that only inform unless no others have rows. */
export function findNextIssue(
  counts: RowFacets['issues'],
  current: string | undefined,
  direction: Direction,
): IssueCode | null {
  const hasRows = (name: IssueCode) => (counts[name] ?? 0) > 0;
  const found = groupIssues(issueCodesInOrder)
    .flatMap(({ names }) => names)
    .filter((name) => name === current || hasRows(name));
  const work = found.filter((name) => !isInfoFilter(name));
  const kinds = work.some(hasRows) ? work : found;
  const inOrder = direction === 'next' ? kinds : kinds.toReversed();
  const from = inOrder.indexOf(current as IssueCode) + 1;
  const ahead = [...inOrder.slice(from), ...inOrder.slice(0, from)];
  return ahead.find(hasRows) ?? null;
}
