import type { IssueFilter, RowFacets } from '@draftshelf/contract/review/rows';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Stacked } from '../../../ui/charts/bars.tsx';
import { issueWords } from '../issue-text.tsx';
import { byCount, consequenceWords, groupsOf, isInfo, singleIssues } from './issue-groups.ts';
import classes from './rows.module.css';

export type IssueBarsProps = {
  current: IssueFilter | undefined;
  facets: RowFacets;
  onIssue: (name: IssueFilter) => void;
};

export function IssueBars({ current, facets, onIssue }: IssueBarsProps) {
  // In the order of the first reading: bars must not change places while rows are fixed.
  const [order] = useState(() => byCount(singleIssues, facets.issues));
  const names = [...order, ...singleIssues.filter((name) => !order.includes(name))].filter(
    (name) => order.includes(name) || facets.issues[name] !== undefined || name === current,
  );
  const [whole] = useState(() => Math.max(1, facets.issues[order[0] ?? 'any'] ?? 0));
  const bar = (name: Exclude<IssueFilter, 'any'>, track?: ReactNode) => (
    <button
      type="button"
      className={`${classes.choice} center size-sm full ${classes.bar} grid`}
      aria-pressed={current === name}
      onClick={() => onIssue(name)}
    >
      <span>{issueWords[name]}</span>
      <span className="numbers">{formatCount(facets.issues[name] ?? 0)}</span>
      {track}
    </button>
  );
  const list = (names: readonly IssueCode[], label: string) => (
    <ul className="stack list gap-hair" aria-label={`${label}, most rows first`}>
      {names.map((name) => (
        <li key={name}>
          {bar(
            name,
            <span className={`${classes.track} flex`} aria-hidden>
              <Stacked parts={[{ kind: 'warning', count: facets.issues[name] ?? 0 }]} whole={whole} />
            </span>,
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <div className={`stack ${classes.groups} gap-sm`}>
      {groupsOf(names).map(({ consequence, names }) =>
        consequence === 'info' ? (
          <details key={consequence} open={isInfo(current) || undefined}>
            <summary className={`${classes.fold} size-sm`}>{consequenceWords.info}</summary>
            {list(names, consequenceWords.info)}
          </details>
        ) : (
          <div key={consequence} data-consequence={consequence}>
            {bar(consequence)}
            {list(names, consequenceWords[consequence])}
          </div>
        ),
      )}
      {(['left-out', 'totals'] as const).map(
        (name) =>
          (facets.issues[name] !== undefined || current === name) && <div key={name}>{bar(name)}</div>,
      )}
      {facets.ignored > 0 && (
        <Text size="xs" c="dimmed">
          {countOf(facets.ignored, 'row')} ignored
        </Text>
      )}
    </div>
  );
}
