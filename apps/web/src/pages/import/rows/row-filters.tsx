import type { IssueFilter, RowFacets } from '@draftshelf/contract/rows';
import { type RowClass, rowClasses } from '@draftshelf/domain/row-rule';
import { Button, Drawer, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { rowClassLooks } from '../../../components/import/status-look.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import classes from './rows.module.css';
import type { RowsAddress } from './rows-address.ts';

const classWords: Record<RowClass, string> = { valid: 'Valid', warning: 'Warning', error: 'Error' };

/** In display order, the broadest first. */
const issueWords: Record<IssueFilter, string> = {
  any: 'Any',
  duplicate: 'Duplicate',
  'title-missing': 'No title',
  'price-missing': 'No price',
  'price-not-numeric': 'Invalid price',
  'title-too-long': 'Title too long',
  'upc-check-digit': 'Invalid UPC',
  'upc-digits-lost': 'Rounded UPC',
  'bad-quote': 'Mismatched quotes',
  'unclosed-quote': 'Unclosed quote',
  'invalid-utf8': 'Unreadable characters',
  nul: 'Null bytes',
  'lone-cr': 'Line break in cell',
  'mixed-line-ends': 'Mixed line breaks',
  'too-few-cells': 'Too few cells',
  'too-many-cells': 'Too many cells',
  'extra-separator': 'Extra separator',
  'missing-separator': 'Missing separator',
};
const issueFilters = Object.keys(issueWords) as IssueFilter[];

type Filter = Pick<RowsAddress, 'class' | 'issue'>;

type RowFiltersProps = {
  address: RowsAddress;
  facets: RowFacets;
  totalRows: number;
  onFilter: (filter: Filter) => void;
  /** Other fields that select rows, between the classes and the issues. */
  children: ReactNode;
};

/** Filters by class and by issue, each with its count. One class and one issue can be active. */
export function RowFilters({ address, facets, totalRows, onFilter, children }: RowFiltersProps) {
  const { class: ofClass, issue } = address;
  const narrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const show = (next: { class: RowClass | undefined; issue: IssueFilter | undefined }) =>
    onFilter({
      ...(next.class === undefined ? {} : { class: next.class }),
      ...(next.issue === undefined ? {} : { issue: next.issue }),
    });
  const issues = {
    current: issue,
    facets,
    onIssue: (name: IssueFilter) => show({ class: ofClass, issue: issue === name ? undefined : name }),
  };
  return (
    <fieldset className={classes.filters} aria-label="Filter rows">
      <div className={classes.segments}>
        <Segment
          word="All"
          count={totalRows}
          pressed={ofClass === undefined}
          onPress={() => show({ class: undefined, issue })}
        />
        {rowClasses.map((name) => (
          <Segment
            key={name}
            word={classWords[name]}
            look={rowClassLooks[name]}
            count={facets.classes[name]}
            pressed={ofClass === name}
            onPress={() => show({ class: ofClass === name ? undefined : name, issue })}
          />
        ))}
      </div>
      {children}
      {narrow ? (
        <IssueDrawer {...issues} />
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

type IssuesProps = {
  current: IssueFilter | undefined;
  facets: RowFacets;
  onIssue: (name: IssueFilter) => void;
};

function IssueChips({ current, facets, onIssue }: IssuesProps) {
  const issues = issueFilters.filter((name) => facets.issues[name] !== undefined || name === current);
  return (
    <>
      {issues.length === 0 && (
        <Text size="sm" c="dimmed" span>
          None
        </Text>
      )}
      {issues.map((name) => (
        <Button
          key={name}
          className={classes.chip}
          variant={current === name ? 'filled' : 'default'}
          aria-pressed={current === name}
          rightSection={<span className="numbers">{formatCount(facets.issues[name] ?? 0)}</span>}
          onClick={() => onIssue(name)}
        >
          {issueWords[name]}
        </Button>
      ))}
      {facets.ignored > 0 && (
        <Text size="xs" c="dimmed" span>
          {countOf(facets.ignored, 'row')} ignored
        </Text>
      )}
    </>
  );
}

/** On phones the issues are behind a button, because they would take the place of the rows. */
function IssueDrawer(props: IssuesProps) {
  const [opened, setOpened] = useState(false);
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
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size="auto"
        title="Issues"
        attributes={{ header: { role: 'presentation' } }}
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 120 }}
      >
        <div className={classes.drawerChips}>
          <IssueChips
            {...props}
            onIssue={(name) => {
              setOpened(false);
              props.onIssue(name);
            }}
          />
        </div>
      </Drawer>
    </>
  );
}

type SegmentProps = {
  word: string;
  count: number;
  pressed: boolean;
  look?: (typeof rowClassLooks)[RowClass];
  onPress: () => void;
};

function Segment({ word, count, pressed, look, onPress }: SegmentProps) {
  return (
    <button type="button" className={classes.segment} aria-pressed={pressed} onClick={onPress}>
      {look && <look.icon size={14} aria-hidden />}
      {word} <span className="numbers">{formatCount(count)}</span>
    </button>
  );
}
