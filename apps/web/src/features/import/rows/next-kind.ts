import type { RowFacets } from '@draftshelf/contract/review/rows';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { groupsOf, isInfo, singleIssues } from './issue-groups.ts';
import type { Direction } from './use-problems.ts';

/**
 * The next or previous kind of issue that rows have, in display order and round again; null if there is none. How rows
 * were read comes when nothing else is left.
 */
export function nextKind(
  counts: RowFacets['issues'],
  current: string | undefined,
  direction: Direction,
): IssueCode | null {
  const found = groupsOf(singleIssues)
    .flatMap(({ names }) => names)
    .filter((name) => name === current || (counts[name] ?? 0) > 0);
  const work = found.filter((name) => !isInfo(name));
  const kinds = work.some((name) => (counts[name] ?? 0) > 0) ? work : found;
  const inOrder = direction === 'next' ? kinds : kinds.toReversed();
  const from = inOrder.indexOf(current as IssueCode) + 1;
  const ahead = [...inOrder.slice(from), ...inOrder.slice(0, from)];
  return ahead.find((name) => (counts[name] ?? 0) > 0) ?? null;
}
