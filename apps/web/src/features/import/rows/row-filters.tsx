import type { IssueFilter, RowFacets } from '@draftshelf/contract/review/rows';
import { type Outcome, outcomes as outcomeNames } from '@draftshelf/domain/imports/outcome';
import { type ClassFilter, classFilters } from '@draftshelf/domain/review/row-rule';
import { Loader, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconEye, IconFilter, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { searchFieldMark } from '../../../ui/hooks/search-field.ts';
import { useNarrow } from '../../../ui/hooks/use-narrow.ts';
import { overlay } from '../../../ui/later.tsx';
import { outcomeWords } from '../cells/status-badge.tsx';
import { rowClassLooks } from '../cells/status-look.ts';
import { issueWords } from '../issue-words.ts';
import {
  isFiltered,
  type PressedFilter,
  type RowsAddress,
  rowsAddressNow,
  searchTextOf,
} from '../rows-address.ts';
import { ConsequenceHead } from './consequence-head.tsx';
import { consequenceWords, groupsOf, isInfo, singleIssues } from './issue-groups.ts';
import classes from './rows.module.css';

const IssueDrawer = overlay(() => import('./issue-drawer.tsx').then((chunk) => chunk.IssueDrawer));

type IssuesProps = {
  current: IssueFilter | undefined;
  facets: RowFacets;
  onIssue: (name: IssueFilter) => void;
};

const segments: Record<ClassFilter, { word: string; icon: typeof IconEye }> = {
  'needs-you': { word: 'Needs you', icon: IconEye },
  valid: { word: 'Valid', icon: rowClassLooks.valid.icon },
  warning: { word: 'Warning', icon: rowClassLooks.warning.icon },
  error: { word: 'Error', icon: rowClassLooks.error.icon },
};

type RowFiltersProps = {
  address: RowsAddress;
  /** The issues are shown as bars beside the rows. */
  isBeside: boolean;
  facets: RowFacets;
  /** Products by what the last push did with them. */
  outcomes: Record<Outcome, number>;
  totalRows: number;
  onPress: (pressed: PressedFilter) => void;
  /** Other fields that select rows, between the classes and the issues. */
  children: ReactNode;
  /** What can be done with the rows. It stands where it adds no line: beside the issues, or among the fields. */
  action: ReactNode;
  /** The fixes of the issue that is shown. */
  fixes: ReactNode;
};

/** Filters by class, issue and outcome, each with its count. One of each can be active; 'All' clears every filter. */
export function RowFilters(props: RowFiltersProps) {
  const { address, isBeside, facets, outcomes, totalRows, onPress, children, action, fixes } = props;
  const { class: ofClass, issue, outcome } = address;
  const narrow = useNarrow();
  const segment = (name: ClassFilter) => (
    <Segment
      key={name}
      {...segments[name]}
      count={name === 'needs-you' ? facets.needsYou : facets.classes[name]}
      pressed={ofClass === name}
      onPress={() => onPress({ class: name })}
    />
  );
  const [first, ...others] = classFilters;
  const issues = { current: issue, facets, onIssue: (name: IssueFilter) => onPress({ issue: name }) };
  return (
    <fieldset className={classes.filters} aria-label="Filter rows">
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
      {children}
      {narrow && action}
      {narrow && <IssueButton {...issues} />}
      {narrow && fixes}
      {!narrow && isBeside && (
        <div className={classes.actions}>
          {fixes}
          {action}
        </div>
      )}
      <div className={classes.chipLines}>
        <div className={classes.chipsAndFixes}>
          {!narrow && <ConsequenceHead {...issues} />}
          {!narrow && !isBeside && (
            <div className={classes.chipLine}>
              <Text size="sm" c="dimmed" span>
                Issues
              </Text>
              <IssueChips {...issues} />
            </div>
          )}
          <OutcomeChips
            current={outcome}
            counts={outcomes}
            onOutcome={(name) => onPress({ outcome: name })}
          />
          {!narrow && !isBeside && fixes}
        </div>
        {!narrow && !isBeside && action}
      </div>
    </fieldset>
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

/** A button per issue that rows have, with its count, most serious first. How rows were read is folded. */
function IssueChips({ current, facets, onIssue }: IssuesProps) {
  const [showsInfo, setShowsInfo] = useState(false);
  const isOpen = showsInfo || isInfo(current);
  const found = singleIssues.filter((name) => facets.issues[name] !== undefined || name === current);
  const groups = groupsOf(found);
  const info = groups.find(({ consequence }) => consequence === 'info')?.names ?? [];
  const issues: IssueFilter[] = groups.flatMap(({ consequence, names }) =>
    consequence === 'info' && !isOpen ? [] : names,
  );
  if (facets.issues['left-out'] !== undefined || current === 'left-out') issues.push('left-out');
  return (
    <>
      {found.length + issues.length === 0 && (
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
      {info.length > 0 && (
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
    </>
  );
}

type OutcomeChipsProps = {
  current: Outcome | undefined;
  counts: Record<Outcome, number>;
  onOutcome: (name: Outcome) => void;
};

/** A button per outcome of the last push, with its products. Nothing before the first push. */
function OutcomeChips({ current, counts, onOutcome }: OutcomeChipsProps) {
  const some = outcomeNames.filter((name) => counts[name] > 0 || name === current);
  if (some.length === 0) return null;
  return (
    <div className={classes.chipLine}>
      <Text size="sm" c="dimmed" span>
        Last push
      </Text>
      {some.map((name) => (
        <Button
          key={name}
          className={classes.chip}
          variant={current === name ? 'filled' : 'default'}
          aria-pressed={current === name}
          rightSection={<span className="numbers">{formatCount(counts[name])}</span>}
          onClick={() => onOutcome(name)}
        >
          {outcomeWords[name]}
        </Button>
      ))}
    </div>
  );
}

/** The search starts after this pause in typing. */
const typingPauseMs = 150;

type RowSearchProps = {
  current: string;
  /** The rows of this search have not arrived yet. */
  isSearching: boolean;
  onSearch: (current: string) => void;
};

/** The search field. It searches while typing, at once on Enter; Esc clears it. */
export function RowSearch({ current, isSearching, onSearch }: RowSearchProps) {
  const [text, setText] = useState(current);
  const [known, setKnown] = useState(current);
  /** Searches of this field that the URL has got, or gets now. */
  const [own, setOwn] = useState<readonly string[]>([]);
  if (current !== known) {
    setKnown(current);
    const at = own.indexOf(current);
    setOwn(at === -1 ? [] : own.slice(at + 1));
    // The URL changed from outside the field: by Back or 'Clear Filters'. Else more may have been typed meanwhile.
    if (at === -1) setText(current);
  }
  const search = (typed: string) => {
    const wanted = searchTextOf(typed);
    if (wanted === (rowsAddressNow({}).q ?? '')) return;
    setOwn((now) => [...now, wanted]);
    onSearch(wanted);
  };
  const searchSoon = useDebouncedCallback(search, typingPauseMs);
  const type = (typed: string) => {
    setText(typed);
    searchSoon(typed);
  };
  const tooShort = text.trim() !== '' && searchTextOf(text) === '';
  return (
    <div className={classes.search}>
      <TextInput
        {...searchFieldMark}
        type="search"
        aria-label="Search rows"
        placeholder="Search rows"
        title="Searches title, SKU, UPC, brand and item number"
        leftSection={
          isSearching ? <Loader size={14} className={classes.late} /> : <IconSearch size={16} aria-hidden />
        }
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(text);
          if (event.key === 'Escape') type('');
        }}
      />
      <div role="status" className={classes.hint} data-shown={tooShort || undefined}>
        {tooShort && 'Type at least 3 characters.'}
      </div>
    </div>
  );
}
