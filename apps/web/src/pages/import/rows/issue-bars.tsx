import type { IssueFilter, RowFacets } from '@draftshelf/contract/rows';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { Stacked } from '../../../components/charts/stacked.tsx';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { byCount } from './issue-order.ts';
import { issueFilters, issueWords } from './issue-words.ts';
import classes from './rows.module.css';

export type IssueBarsProps = {
  current: IssueFilter | undefined;
  facets: RowFacets;
  onIssue: (name: IssueFilter) => void;
};

/** The issues of an import as bars, most rows first. Pressing one shows its rows. */
export function IssueBars({ current, facets, onIssue }: IssueBarsProps) {
  const names = issueFilters.filter((name) => name !== 'any');
  // In the order of the first reading: bars must not change places while rows are fixed.
  const [order] = useState(() => byCount(names, facets.issues));
  const shown = [...order, ...names.filter((name) => !order.includes(name))].filter(
    (name) => order.includes(name) || facets.issues[name] !== undefined || name === current,
  );
  const [whole] = useState(() => Math.max(1, facets.issues[order[0] ?? 'any'] ?? 0));
  return (
    <ul className={classes.issueBars} aria-label="Issues, most rows first">
      {shown.map((name) => {
        const rows = facets.issues[name] ?? 0;
        return (
          <li key={name}>
            <button
              type="button"
              className={classes.issueBar}
              aria-pressed={current === name}
              onClick={() => onIssue(name)}
            >
              <span>{issueWords[name]}</span>
              <span className="numbers">{formatCount(rows)}</span>
              <span className={classes.issueTrack} aria-hidden>
                <Stacked parts={[{ kind: 'warning', count: rows }]} whole={whole} />
              </span>
            </button>
          </li>
        );
      })}
      {facets.ignored > 0 && (
        <li>
          <Text size="xs" c="dimmed">
            {countOf(facets.ignored, 'row')} ignored
          </Text>
        </li>
      )}
    </ul>
  );
}
