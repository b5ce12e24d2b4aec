import { Loader, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconListSearch, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { useOfferedActions } from '../../../ui/actions/offered-actions.ts';
import { Button } from '../../../ui/button.tsx';
import { searchFieldMark } from '../../../ui/hooks/search-field.ts';
import { useScreenKey } from '../../../ui/hooks/use-screen-key.ts';
import { later, overlay } from '../../../ui/later.tsx';
import { fieldValueWords } from '../mapping/field-value-words.ts';
import { rowsAddressNow, searchTextOf, withSearch, withSort, withValue } from '../rows-address.ts';
import { rowsPerPage } from '../rows-api.ts';
import { ClearFilter } from './clear-filter.tsx';
import { doneWords, useFixing } from './fixing.ts';
import filters from './row-filters.module.css';
import { RowFilters } from './row-filters.tsx';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';

const ChangeFilter = later(() => import('./change-filter.tsx').then((chunk) => chunk.ChangeFilter));
const ValueDrawer = overlay(() => import('./value-drawer.tsx').then((chunk) => chunk.ValueDrawer));

/** The heading, and what selects rows. */
export function Toolbar({ children }: { children?: ReactNode }) {
  return (
    <div className={`row-wrap ${classes.toolbar}`}>
      <Title order={2} id="product-preview" className={classes.heading} tabIndex={-1}>
        Product Preview
      </Title>
      {children}
    </div>
  );
}

/** The heading, how far the rows are fixed, and all that selects rows. */
export function RowsToolbar() {
  const { list } = useRowsReview().record;
  const hasChanges = list !== null && (list.counts !== null || list.carried !== null);
  return (
    <Toolbar>
      <FixProgress />
      <RowFilters>
        <RowSearch />
        <GoToRow />
        <ValueFilter />
        {hasChanges && <ChangeFilter />}
      </RowFilters>
    </Toolbar>
  );
}

/** How many of the rows that needed the operator do no more; once none does, the button that pushes the import. */
function FixProgress() {
  const { record, stage, page, query, address, offer } = useRowsReview();
  // A page that was read before has counts of that time until it is read again.
  const fixing = useFixing(`${record.id} ${stage}`, page.facets, query.isFetching);
  if (address.class !== 'needs-you') return null;
  const { total, open } = fixing;
  const isDone = open === 0;
  return (
    <div className={filters.fixing}>
      {!isDone && (
        <div className={filters.fixBar} aria-hidden>
          <div style={{ width: `${(100 * (total - open)) / total}%` }} />
        </div>
      )}
      {/* One element for both sentences, so that a change is announced. */}
      <Text component="span" role="status" size="sm" className="numbers" c={isDone ? undefined : 'dimmed'}>
        {isDone ? 'Nothing left to fix.' : doneWords(fixing, formatCount)}
      </Text>
      {isDone && offer !== null && (
        <Button size="compact-sm" onClick={offer.push}>
          {offer.label}
        </Button>
      )}
    </div>
  );
}

/** The search starts after this pause in typing. */
const typingPauseMs = 150;

/** The text of the search field, and what searches for it. The URL may also change from outside the field. */
function useSearchText() {
  const { address, addressNow, show } = useRowsReview();
  const current = address.q ?? '';
  const [text, setText] = useState(current);
  const [before, setBefore] = useState(current);
  /** Searches of this field that the URL has got, or gets now. */
  const [own, setOwn] = useState<readonly string[]>([]);
  if (current !== before) {
    setBefore(current);
    const at = own.indexOf(current);
    setOwn(at === -1 ? [] : own.slice(at + 1));
    // The URL changed from outside the field: by Back or 'Clear Filters'. Else more may have been typed meanwhile.
    if (at === -1) setText(current);
  }
  const search = (typed: string) => {
    const q = searchTextOf(typed);
    if (q === (rowsAddressNow({}).q ?? '')) return;
    setOwn((now) => [...now, q]);
    show(withSearch(addressNow(), q), true);
  };
  const searchSoon = useDebouncedCallback(search, typingPauseMs);
  const type = (typed: string) => {
    setText(typed);
    searchSoon(typed);
  };
  return { text, type, searchNow: () => search(text) };
}

/** The search field. It searches while typing, at once on Enter; Esc clears it. */
function RowSearch() {
  const { address, query } = useRowsReview();
  const { text, type, searchNow } = useSearchText();
  const isSearching = query.isPlaceholderData && address.q !== undefined;
  const isTooShort = text.trim() !== '' && searchTextOf(text) === '';
  return (
    <div className={filters.search}>
      <TextInput
        {...searchFieldMark}
        type="search"
        aria-label="Search rows"
        placeholder="Search rows"
        title="Searches title, SKU, UPC, brand and item number"
        leftSection={
          isSearching ? <Loader size={14} className={filters.late} /> : <IconSearch size={16} aria-hidden />
        }
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') searchNow();
          if (event.key === 'Escape') type('');
        }}
      />
      <div role="status" className={filters.hint} data-shown={isTooShort || undefined}>
        {isTooShort && 'Type at least 3 characters.'}
      </div>
    </div>
  );
}

function GoToRow() {
  const { address, hasFilter, totalRows, goTo } = useRowsReview();
  const [text, setText] = useState('');
  const onKeyDown = (event: KeyboardEvent) => {
    const typed = Number.parseInt(text, 10);
    if (event.key !== 'Enter' || Number.isNaN(typed)) return;
    const row = Math.min(Math.max(1, typed), totalRows);
    goTo(
      hasFilter
        ? { ...withSort(address, undefined), after: row - 1 }
        : { page: Math.ceil(row / rowsPerPage) },
    );
    setText('');
  };
  if (totalRows <= rowsPerPage) return null;
  return (
    <TextInput
      className={filters.goTo}
      inputMode="numeric"
      aria-label="Go to row"
      placeholder="Go to row…"
      value={text}
      onChange={(event) => setText(event.currentTarget.value.replace(/\D/g, ''))}
      onKeyDown={onKeyDown}
    />
  );
}

/** Filters by the value of a field. The values are listed with their counts when the drawer is opened. */
function ValueFilter() {
  const { record, address, addressNow, page, show } = useRowsReview();
  const [opened, setOpened] = useState(false);
  const { value } = address;
  const words = value === undefined ? 'Values' : fieldValueWords(value);
  const filterBy = (next: string | null) => show(withValue(addressNow(), next));
  useScreenKey('v', () => setOpened(true));
  useOfferedActions([{ label: 'Filter by Value…', key: 'v', reason: null, act: () => setOpened(true) }]);
  return (
    <div className={`row ${filters.values}`} data-filtered={value !== undefined || undefined}>
      <Button
        variant={value === undefined ? 'default' : 'filled'}
        size="compact-md"
        title={value === undefined ? 'Filter by value' : words}
        aria-label={value === undefined ? 'Values' : `Values, ${words}`}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <IconListSearch size={16} aria-hidden />
        <span className={`ellipsis ${filters.valueWords}`} dir="auto">
          {words}
        </span>
      </Button>
      {value !== undefined && <ClearFilter words="Show rows with any value" onClear={() => filterBy(null)} />}
      <ValueDrawer
        {...{ importId: record.id, address, opened }}
        rows={page.rows}
        onClose={() => setOpened(false)}
        onValue={filterBy}
      />
    </div>
  );
}
