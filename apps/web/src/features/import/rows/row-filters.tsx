import type { IssueFilter, RowFacets } from '@draftshelf/contract/review/rows';
import { type Outcome, outcomes as outcomeNames } from '@draftshelf/domain/imports/outcome';
import type { ConsequenceFilter } from '@draftshelf/domain/review/issues';
import { type ClassFilter, classFilters } from '@draftshelf/domain/review/row-rule';
import { Text } from '@mantine/core';
import { IconEye, IconFilter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { useEver } from '../../../ui/hooks/use-ever.ts';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { overlay } from '../../../ui/later.tsx';
import { BulkEditButton, FixButtons } from '../bulk-edit/bulk-edit.tsx';
import { issueWords } from '../issue-words.ts';
import { afterPress, isFiltered, type PressedFilter } from '../rows-address.ts';
import { outcomeWords } from '../status/status-badge.tsx';
import { rowClassLooks } from '../status/status-look.ts';
import { consequenceWords, groupsOf, isInfo, singleIssues } from './issue-groups.ts';
import classes from './row-filters.module.css';
import { useRowsReview } from './rows-review.ts';

const IssueDrawer = overlay(() => import('./issue-drawer.tsx').then((chunk) => chunk.IssueDrawer));

type IssuesProps = {
  current: IssueFilter | undefined;
  facets: RowFacets;
  onIssue: (name: IssueFilter) => void;
};

/**
 * Filters by class, issue and outcome, each with its count. One of each can be active; 'All' clears every filter. What
 * can be done with the rows stands where it adds no line: beside the issues, or among the fields. `children`: other
 * fields that select rows, between the classes and the issues.
 */
export function RowFilters({ children }: { children: ReactNode }) {
  const { record, address, addressNow, show, page, bulkEdit, ticks, isBeside } = useRowsReview();
  const { facets } = page;
  const onPress = (pressed: PressedFilter) => show(afterPress(addressNow(), pressed));
  const narrow = useNarrow();
  const issues = {
    ...{ current: address.issue, facets },
    onIssue: (issue: IssueFilter) => onPress({ issue }),
  };
  const action = <BulkEditButton edit={bulkEdit} ticks={ticks} />;
  const fixes = <FixButtons edit={bulkEdit} issue={address.issue} />;
  return (
    <fieldset className={classes.filters} aria-label="Filter rows">
      <ClassSegments onPress={onPress} />
      {children}
      {narrow && action}
      {narrow && <IssueButton {...issues} />}
      {narrow && fixes}
      {!narrow && isBeside && (
        <div className={`row ${classes.actions}`}>
          {fixes}
          {action}
        </div>
      )}
      <div className={classes.chipLines}>
        <div className={classes.chipsAndFixes}>
          {!narrow && <Consequences {...issues} />}
          {!narrow && !isBeside && <IssueChips {...issues} />}
          <OutcomeChips
            current={address.outcome}
            counts={record.outcomes}
            onOutcome={(outcome) => onPress({ outcome })}
          />
          {!narrow && !isBeside && fixes}
        </div>
        {!narrow && !isBeside && action}
      </div>
    </fieldset>
  );
}

const segments: Record<ClassFilter, { word: string; icon: typeof IconEye }> = {
  'needs-you': { word: 'Needs you', icon: IconEye },
  valid: { word: 'Valid', icon: rowClassLooks.valid.icon },
  warning: { word: 'Warning', icon: rowClassLooks.warning.icon },
  error: { word: 'Error', icon: rowClassLooks.error.icon },
};

function ClassSegments({ onPress }: { onPress: (pressed: PressedFilter) => void }) {
  const { address, page, totalRows } = useRowsReview();
  const { classes: counts, needsYou } = page.facets;
  const segment = (name: ClassFilter) => (
    <Segment
      key={name}
      {...segments[name]}
      count={name === 'needs-you' ? needsYou : counts[name]}
      pressed={address.class === name}
      onPress={() => onPress({ class: name })}
    />
  );
  const [first, ...others] = classFilters;
  return (
    <div className={classes.segments}>
      {segment(first)}
      <Segment
        word="All"
        count={totalRows}
        pressed={!isFiltered(address)}
        onPress={() => onPress({ all: true })}
      />
      {others.map(segment)}
    </div>
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

/** On phones the issues are in a drawer, because they would take the place of the rows. Choosing one closes it. */
function IssueButton(props: IssuesProps) {
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
      <IssueDrawer {...props} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

/** How many rows can't be pushed and how many deserve a look, each a filter. */
function Consequences({ current, facets, onIssue }: IssuesProps) {
  const { refused = 0, check = 0 } = facets.issues;
  // Once there, the line stays, so that the rows keep their places while they are fixed.
  if (!useEver(refused + check > 0)) return null;
  const button = (name: ConsequenceFilter, words: string) => (
    <button
      type="button"
      className={`text-button ${classes.consequence} ${name === 'refused' ? 'strong' : ''}`}
      aria-pressed={current === name}
      onClick={() => onIssue(name)}
    >
      {words}
    </button>
  );
  return (
    <p className={`row-wrap flush numbers ${classes.consequences}`}>
      {(refused > 0 || current === 'refused') &&
        button('refused', `${countOf(refused, 'row')} can’t be pushed.`)}
      {(check > 0 || current === 'check') &&
        button('check', `${countOf(check, 'row')} ${check === 1 ? 'deserves' : 'deserve'} a look.`)}
    </p>
  );
}

/** A button per issue that rows have, with its count, most serious first. How rows were read is folded. */
function IssueChips({ current, facets, onIssue }: IssuesProps) {
  const [showsInfo, setShowsInfo] = useState(false);
  const isOpen = showsInfo || isInfo(current);
  const found = singleIssues.filter((name) => facets.issues[name] !== undefined || name === current);
  const groups = groupsOf(found);
  const hasInfo = groups.some(({ consequence }) => consequence === 'info');
  const issues: IssueFilter[] = groups.flatMap(({ consequence, names }) =>
    consequence === 'info' && !isOpen ? [] : names,
  );
  if (facets.issues['left-out'] !== undefined || current === 'left-out') issues.push('left-out');
  return (
    <ChipLine head="Issues">
      {found.length + issues.length === 0 && <span className="quiet">None</span>}
      {issues.map((name) => (
        <FilterChip
          key={name}
          words={issueWords[name]}
          count={facets.issues[name] ?? 0}
          pressed={current === name}
          onPress={() => onIssue(name)}
        />
      ))}
      {hasInfo && (
        <Button
          className={classes.chip}
          variant="subtle"
          aria-expanded={isOpen}
          onClick={() => setShowsInfo(!isOpen)}
        >
          {consequenceWords.info}
        </Button>
      )}
      {facets.ignored > 0 && (
        <Text size="xs" c="dimmed" span>
          {countOf(facets.ignored, 'row')} ignored
        </Text>
      )}
    </ChipLine>
  );
}

type OutcomeChipsProps = {
  current: Outcome | undefined;
  counts: Record<Outcome, number>;
  onOutcome: (name: Outcome) => void;
};

/** A button per outcome of the last push, with its products. Nothing before the first push. */
function OutcomeChips({ current, counts, onOutcome }: OutcomeChipsProps) {
  const names = outcomeNames.filter((name) => counts[name] > 0 || name === current);
  if (names.length === 0) return null;
  return (
    <ChipLine head="Last push">
      {names.map((name) => (
        <FilterChip
          key={name}
          words={outcomeWords[name]}
          count={counts[name]}
          pressed={current === name}
          onPress={() => onOutcome(name)}
        />
      ))}
    </ChipLine>
  );
}

function ChipLine({ head, children }: { head: string; children: ReactNode }) {
  return (
    <div className={`row-wrap ${classes.chipLine}`}>
      <span className="quiet">{head}</span>
      {children}
    </div>
  );
}

type FilterChipProps = { words: string; count: number; pressed: boolean; onPress: () => void };

const FilterChip = ({ words, count, pressed, onPress }: FilterChipProps) => (
  <Button
    className={classes.chip}
    variant={pressed ? 'filled' : 'default'}
    aria-pressed={pressed}
    rightSection={<span className="numbers">{formatCount(count)}</span>}
    onClick={onPress}
  >
    {words}
  </Button>
);
