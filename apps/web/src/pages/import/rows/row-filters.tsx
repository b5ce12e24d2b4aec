import type { IssueFilter, RowFacets } from '@draftshelf/contract/rows';
import { type ClassFilter, classesOf, classFilters } from '@draftshelf/domain/row-rule';
import { Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconEye, IconFilter } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { rowClassLooks } from '../../../components/import/status-look.ts';
import { formatCount } from '../../../lib/intl.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { IssueChips, type IssuesProps, issueWords } from './issue-chips.tsx';
import classes from './rows.module.css';
import type { RowsAddress } from './rows-address.ts';

const IssueDrawer = lazily(() => import('./issue-drawer.tsx').then((chunk) => chunk.IssueDrawer));

const segments: Record<ClassFilter, { word: string; icon: typeof IconEye }> = {
  'needs-you': { word: 'Needs you', icon: IconEye },
  valid: { word: 'Valid', icon: rowClassLooks.valid.icon },
  warning: { word: 'Warning', icon: rowClassLooks.warning.icon },
  error: { word: 'Error', icon: rowClassLooks.error.icon },
};

type Filter = Pick<RowsAddress, 'class' | 'issue'>;

type RowFiltersProps = {
  address: RowsAddress;
  facets: RowFacets;
  totalRows: number;
  onFilter: (filter: Filter) => void;
  /** Other fields that select rows, between the classes and the issues. */
  children: ReactNode;
};

/** Filters by class and by issue, each with its count. One of each can be active. */
export function RowFilters({ address, facets, totalRows, onFilter, children }: RowFiltersProps) {
  const { class: ofClass, issue } = address;
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const show = (next: { class: ClassFilter | undefined; issue: IssueFilter | undefined }) =>
    onFilter({
      ...(next.class === undefined ? {} : { class: next.class }),
      ...(next.issue === undefined ? {} : { issue: next.issue }),
    });
  const segment = (name: ClassFilter) => (
    <Segment
      key={name}
      {...segments[name]}
      count={classesOf(name).reduce((sum, one) => sum + facets.classes[one], 0)}
      pressed={ofClass === name}
      onPress={() => show({ class: ofClass === name ? undefined : name, issue })}
    />
  );
  const [first, ...others] = classFilters;
  const issues = {
    current: issue,
    facets,
    onIssue: (name: IssueFilter) => show({ class: ofClass, issue: issue === name ? undefined : name }),
  };
  return (
    <fieldset className={classes.filters} aria-label="Filter rows">
      <div className={classes.segments}>
        {segment(first)}
        <Segment
          word="All"
          count={totalRows}
          pressed={ofClass === undefined}
          onPress={() => show({ class: undefined, issue })}
        />
        {others.map(segment)}
      </div>
      {children}
      {narrow ? (
        <IssueButton {...issues} />
      ) : (
        <div className={classes.issueLine}>
          <Text size="sm" c="dimmed" span>
            Issues
          </Text>
          <IssueChips {...issues} />
        </div>
      )}
    </fieldset>
  );
}

/** On phones the issues are behind a button, because they would take the place of the rows. */
function IssueButton(props: IssuesProps) {
  const [opened, setOpened] = useState(false);
  const [wanted, setWanted] = useState(false);
  if (opened && !wanted) setWanted(true);
  const { current, facets } = props;
  return (
    <>
      <Button
        variant={current === undefined ? 'default' : 'filled'}
        className={classes.issueButton}
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {current === undefined ? `Issues ${formatCount(facets.issues.any ?? 0)}` : issueWords[current]}
      </Button>
      {wanted && (
        <Suspense fallback={null}>
          <IssueDrawer {...props} opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  );
}

type SegmentProps = {
  word: string;
  count: number;
  pressed: boolean;
  icon?: typeof IconEye;
  onPress: () => void;
};

function Segment({ word, count, pressed, icon: Icon, onPress }: SegmentProps) {
  return (
    <button type="button" className={classes.segment} aria-pressed={pressed} onClick={onPress}>
      {Icon && <Icon size={14} aria-hidden />}
      {word} <span className="numbers">{formatCount(count)}</span>
    </button>
  );
}
