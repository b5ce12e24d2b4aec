import type { IssueFilter, RowFacets } from '@draftshelf/contract/review/rows';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { type ClassFilter, classFilters } from '@draftshelf/domain/review/row-rule';
import { IconChevronDown, IconEye } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button, SmallText, TabStopButton, ToggleButton } from '../../../ui/basics.tsx';
import { StackedBar } from '../../../ui/charts/bars.tsx';
import { useIsNarrow } from '../../../ui/hooks.ts';
import { ActionMenu } from '../../../ui/menu.tsx';
import { SideDrawer } from '../../../ui/overlays.tsx';
import { TabStopGroup } from '../../../ui/table/tab-stops.tsx';
import { BulkEditButton, FixButtons } from '../bulk-edit/bulk-edit.tsx';
import { issueWords } from '../issue-text.tsx';
import { applyPressedFilter, isFiltered, type PressedFilter } from '../rows-address.ts';
import { rowClassLooks } from '../status/status-look.tsx';
import {
  consequenceWords,
  countRowsToCheck,
  groupIssues,
  isInfoFilter,
  issueCodesInOrder,
  sortByCount,
} from './issue-groups.ts';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';

type IssuesProps = {
  current: IssueFilter | undefined;
  facets: RowFacets;
  onIssue: (name: IssueFilter) => void;
};

/** The filters by class and issue. One of each can be active, and 'All' removes all filters. */
export function RowFilters({ children }: { children: ReactNode }) {
  const { address, addressNow, show, page, bulkEdit, ticks, isBeside } = useRowsReview();
  const { facets } = page;
  const onPress = (pressed: PressedFilter) => show(applyPressedFilter(addressNow(), pressed));
  const narrow = useIsNarrow();
  const issues = {
    ...{ current: address.issue, facets },
    onIssue: (issue: IssueFilter) => onPress({ issue }),
  };
  return (
    <fieldset className={classes.filters} aria-label="Filter rows">
      <TabStopGroup as="div" moves="sideways" className={classes.filters} role="toolbar" aria-label="Filters">
        <ClassSegments onPress={onPress} />
        {!isBeside && <IssueButton {...issues} />}
        {!narrow && !isBeside && <IssueChips {...issues} />}
        <FixButtons edit={bulkEdit} issue={address.issue} />
        {children}
        <BulkEditButton edit={bulkEdit} ticks={ticks} />
      </TabStopGroup>
    </fieldset>
  );
}

const segments: Record<ClassFilter, { word: string; icon: typeof IconEye }> = {
  'needs-you': { word: 'Needs you', icon: IconEye },
  ...rowClassLooks,
};

function ClassSegments({ onPress }: { onPress: (pressed: PressedFilter) => void }) {
  const { record, address, page, totalRows } = useRowsReview();
  const { classes: counts, needsYou } = page.facets;
  const [first, ...others] = classFilters;
  const chosen = others.find((name) => name === address.class);
  return (
    <div className={`${classes.segments} flex framed surface-quiet`}>
      <Segment
        {...segments[first]}
        count={needsYou}
        pressed={address.class === first}
        onPress={() => onPress({ class: first })}
      />
      <Segment
        word="All"
        count={totalRows}
        // The import's head counts products, so the unit 'rows' is shown if the number of rows is different.
        unit={totalRows === record.totalProducts ? '' : ' rows'}
        pressed={!isFiltered(address)}
        onPress={() => onPress({ all: true })}
      />
      <ActionMenu
        name="Classes"
        items={others.map((name) => ({
          label: `${segments[name].word} ${formatCount(counts[name])}`,
          reason: null,
          act: () => onPress({ class: name }),
        }))}
      >
        <TabStopButton
          className={`${classes.segment} inline-flex gap-tight middle center size-sm nowrap`}
          aria-pressed={chosen !== undefined}
        >
          {chosen === undefined ? 'More' : segments[chosen].word}
          {chosen && <span className="numbers">{formatCount(counts[chosen])}</span>}
          <IconChevronDown size={14} aria-hidden />
        </TabStopButton>
      </ActionMenu>
    </div>
  );
}

type SegmentProps = {
  word: string;
  count: number;
  unit?: string;
  pressed: boolean;
  icon?: typeof IconEye;
  onPress: () => void;
};

const Segment = ({ word, count, unit = '', pressed, icon: Icon, onPress }: SegmentProps) => (
  <TabStopButton
    className={`${classes.segment} inline-flex gap-tight middle center size-sm nowrap`}
    aria-pressed={pressed}
    onClick={onPress}
  >
    {Icon && <Icon size={14} aria-hidden />}
    {word}{' '}
    <span className="numbers">
      {formatCount(count)}
      {unit}
    </span>
  </TabStopButton>
);

/** A button for the list of all issues, including those that do not fit into the line. */
function IssueButton(props: IssuesProps) {
  const [opened, setOpened] = useState(false);
  const narrow = useIsNarrow();
  const { current, facets } = props;
  const isCurrentHere = narrow && current !== undefined;
  return (
    <>
      <Button
        variant={isCurrentHere ? 'filled' : 'default'}
        size={narrow ? 'sm' : 'compact-md'}
        className={classes.issueButton}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {isCurrentHere ? issueWords[current] : `Issues ${formatCount(countRowsToCheck(facets.issues))}`}
      </Button>
      <SideDrawer opened={opened} onClose={() => setOpened(false)} size={360} title="Issues" isLow>
        <IssueBars
          {...props}
          onIssue={(name) => {
            setOpened(false);
            props.onIssue(name);
          }}
        />
      </SideDrawer>
    </>
  );
}

/** Chips of issues, most serious first. Issues that only inform are in the list of all issues instead. */
function IssueChips({ current, facets, onIssue }: IssuesProps) {
  const found = issueCodesInOrder.filter(
    (name) => name === current || (facets.issues[name] !== undefined && !isInfoFilter(name)),
  );
  const issues: IssueFilter[] = groupIssues(found).flatMap(({ names }) => names);
  for (const name of ['refused', 'check', 'left-out'] as const) {
    if (current === name || (name === 'left-out' && facets.issues[name] !== undefined)) issues.push(name);
  }
  return (
    <div className={`${classes.chips} flex gap-tight wrap shrink`}>
      {issues.map((name) => (
        <ToggleButton
          key={name}
          className="pill rigid"
          isPressed={current === name}
          count={formatCount(facets.issues[name] ?? 0)}
          onClick={() => onIssue(name)}
        >
          {issueWords[name]}
        </ToggleButton>
      ))}
    </div>
  );
}

export function IssueBars({ current, facets, onIssue }: IssuesProps) {
  // Keeps the first order, so that bars do not change places while rows are fixed.
  const [order] = useState(() => sortByCount(issueCodesInOrder, facets.issues));
  const names = [...order, ...issueCodesInOrder.filter((name) => !order.includes(name))].filter(
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
              <StackedBar parts={[{ kind: 'warning', count: facets.issues[name] ?? 0 }]} whole={whole} />
            </span>,
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <div className={`stack ${classes.groups} gap-sm`}>
      {groupIssues(names).map(({ consequence, names }) =>
        consequence === 'info' ? (
          <details key={consequence} open={isInfoFilter(current) || undefined}>
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
      {facets.ignored > 0 && <SmallText>{countOf(facets.ignored, 'row')} ignored</SmallText>}
    </div>
  );
}
