import {
  formatFieldValue,
  parseFieldValue,
  storeCategoryField,
  type ValueField,
  valueFields,
} from '@draftshelf/domain/base/field-value';
import { isMetafieldField } from '@draftshelf/domain/base/metafields';
import type { RowChange } from '@draftshelf/domain/suppliers/list';
import { Loader, Menu, Select, Stack, TextInput, Title } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconGitCompare, IconListSearch, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Button, ClearButton, TabStopButton } from '../../../ui/basics.tsx';
import { searchFieldMark, useOfferedActions, useScreenKey } from '../../../ui/keys.ts';
import { SideDrawer } from '../../../ui/overlays.tsx';
import { TabStopGroup } from '../../../ui/table/tab-stops.tsx';
import { findFieldWithValues, findIssueField } from '../bulk-edit/chosen-rows.ts';
import { LoadedValues } from '../bulk-edit/values-panel.tsx';
import { rowChangeWords } from '../list/list-words.ts';
import { fieldLabel, fieldValueWords } from '../mapping/mapping-words.ts';
import {
  hasSameFilter,
  isFiltered,
  normalizeSearchText,
  parseRowNumber,
  pickFilters,
  type RowsAddress,
  readCurrentAddress,
  setAddressPart,
} from '../rows-address.ts';
import { rowsPerPage } from '../rows-api.ts';
import { listLayoutFields } from './grid-state.ts';
import { useArrival } from './grid-store.ts';
import { RowFilters } from './row-filters.tsx';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';

export const Toolbar = ({ children }: { children?: ReactNode }) => (
  <div className={`row-wrap ${classes.toolbar}`}>
    <Title order={2} id="product-preview" className={`${classes.heading} rigid size-sm`} tabIndex={-1}>
      Product Preview
    </Title>
    {children}
  </div>
);

export function RowsToolbar() {
  const { list } = useRowsReview().record;
  const hasChanges = list !== null && (list.counts !== null || list.carried !== null);
  return (
    <Toolbar>
      <RowFilters>
        <RowSearch />
        <ValueFilter />
        {hasChanges && <ChangeFilter />}
      </RowFilters>
    </Toolbar>
  );
}

const typingPauseMs = 150;

/** The text of the search field. It changes if something other than the field changes the search in the URL. */
function useSearchText() {
  const { address, addressNow, show } = useRowsReview();
  const current = address.q ?? '';
  const [text, setText] = useState(current);
  const [before, setBefore] = useState(current);
  /** Searches that this field has put into the URL or is about to put there. */
  const [own, setOwn] = useState<readonly string[]>([]);
  if (current !== before) {
    setBefore(current);
    const at = own.indexOf(current);
    setOwn(at === -1 ? [] : own.slice(at + 1));
    // Shows a search set by Back or 'Clear Filters'. Searches from this field are skipped: its input may be newer.
    if (at === -1) setText(current);
  }
  const search = (typed: string) => {
    // Does not search for a row number, because the table goes to that row.
    const q = parseRowNumber(typed) === null ? normalizeSearchText(typed) : '';
    if (q === (readCurrentAddress({}).q ?? '')) return;
    setOwn((now) => [...now, q]);
    show(setAddressPart(addressNow(), 'q', q), true);
  };
  const searchSoon = useDebouncedCallback(search, typingPauseMs);
  const type = (typed: string) => {
    setText(typed);
    searchSoon(typed);
  };
  return { text, type, searchNow: () => search(text) };
}

/** Returns a function that focuses a row's first cell once the row is loaded. A filtered page begins with the row. */
function useRowVisit(): (number: number) => void {
  const { address, page, isLoading, goTo, store } = useRowsReview();
  const isShown = ({ to }: { to: RowsAddress }) =>
    !isLoading &&
    hasSameFilter(address, to) &&
    (address.page ?? 1) === (to.page ?? 1) &&
    (address.after ?? 0) === (to.after ?? 0);
  useArrival(store, 'row', isShown, ({ number }) => {
    const shown = page.rows.find(({ row }) => row >= number);
    const [field = null] = listLayoutFields(store.get().layout);
    if (shown !== undefined) store.patch({ focus: { row: shown.row, field, on: 'cell-or-card' } });
  });
  return (number) => {
    const filter = setAddressPart(setAddressPart(address, 'q', null), 'sort', null);
    const to = isFiltered(filter)
      ? { ...filter, after: number - 1 }
      : { page: Math.ceil(number / rowsPerPage) };
    if (goTo(to)) store.send({ kind: 'waits', for: { kind: 'row', number, to } });
  };
}

function RowSearch() {
  const { address, query, totalRows } = useRowsReview();
  const visitRow = useRowVisit();
  const { text, type, searchNow } = useSearchText();
  const isSearching = query.isPlaceholderData && address.q !== undefined;
  const named = parseRowNumber(text);
  const row = named && Math.min(Math.max(1, named), totalRows);
  const isTooShort = text.trim() !== '' && row === null && normalizeSearchText(text) === '';
  const goToRow = (number: number) => {
    visitRow(number);
    type('');
  };
  return (
    <div className={`${classes.search} shrink to-the-end relative`}>
      <TextInput
        {...searchFieldMark}
        type="search"
        aria-label="Search rows"
        placeholder="Search, or row 51"
        title="Searches title, SKU, UPC, brand and item number. “row 51” goes to row 51."
        leftSection={
          isSearching ? <Loader size={14} className={classes.late} /> : <IconSearch size={16} aria-hidden />
        }
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') row === null ? searchNow() : goToRow(row);
          if (event.key === 'Escape') type('');
        }}
      />
      <div
        role="status"
        className={`${classes.hint} small`}
        data-shown={isTooShort || row !== null || undefined}
      >
        {isTooShort && 'Type at least 3 characters.'}
        {row !== null && `Enter goes to row ${formatCount(row)}.`}
      </div>
    </div>
  );
}

function ValueFilter() {
  const { address, addressNow, show } = useRowsReview();
  const [opened, setOpened] = useState(false);
  const { value } = address;
  const words = value === undefined ? 'Values' : fieldValueWords(value);
  const filterBy = (next: string | null) => show(setAddressPart(addressNow(), 'value', next));
  useScreenKey('v', () => setOpened(true));
  useOfferedActions([{ label: 'Filter by Value…', key: 'v', reason: null, act: () => setOpened(true) }]);
  return (
    <Filter isOn={value !== undefined} clear="Show rows with any value" onClear={() => filterBy(null)}>
      <Button
        variant={value === undefined ? 'default' : 'filled'}
        size="compact-md"
        title={value === undefined ? 'Filter by value' : words}
        aria-label={value === undefined ? 'Values' : `Values, ${words}`}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <IconListSearch size={16} aria-hidden />
        <span className={`ellipsis ${classes.valueWords} pre`} dir="auto">
          {words}
        </span>
      </Button>
      <ValueDrawer opened={opened} onClose={() => setOpened(false)} onValue={filterBy} />
    </Filter>
  );
}

const changeNames = Object.keys(rowChangeWords) as RowChange[];

function ChangeFilter() {
  const { record, address, addressNow, show } = useRowsReview();
  const { change } = address;
  const counts = { ...record.list?.counts, carried: record.list?.carried?.rows };
  const found = changeNames.filter((name) => (counts[name] ?? 0) > 0 || name === change);
  if (found.length === 0) return null;
  const words = change === undefined ? 'Changes' : rowChangeWords[change];
  const filterBy = (next: RowChange | null) => show(setAddressPart(addressNow(), 'change', next));
  return (
    <Filter isOn={change !== undefined} clear="Show rows with any change" onClear={() => filterBy(null)}>
      <Menu position="bottom-end" transitionProps={{ duration: 100 }} hideDetached={false}>
        <Menu.Target>
          <Button
            variant={change === undefined ? 'default' : 'filled'}
            size="compact-md"
            title="Filter by what differs from the earlier list"
            aria-label={change === undefined ? 'Changes' : `Changes, ${words}`}
          >
            <IconGitCompare size={16} aria-hidden />
            <span className={`ellipsis ${classes.valueWords} pre`}>{words}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Changes">
          {found.map((name) => (
            <Menu.Item
              key={name}
              aria-current={name === change || undefined}
              rightSection={<span className="numbers quiet">{formatCount(counts[name] ?? 0)}</span>}
              onClick={() => filterBy(name)}
            >
              {rowChangeWords[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Filter>
  );
}

type FilterProps = { isOn: boolean; clear: string; onClear: () => void; children: ReactNode };

/** `clear`: the label of the button that clears the filter. */
const Filter = ({ isOn, clear, onClear, children }: FilterProps) => (
  <div className={`row ${classes.values} gap-tight rigid at-most-full`} data-filtered={isOn || undefined}>
    {children}
    {isOn && <ClearButton label={clear} onClick={onClear} />}
  </div>
);

type ValueDrawerProps = { opened: boolean; onClose: () => void; onValue: (value: string | null) => void };

function ValueDrawer({ opened, onClose, onValue }: ValueDrawerProps) {
  const { record, address, page } = useRowsReview();
  const { value: current = '', ...filter } = pickFilters(address);
  const { issue } = filter;
  /** The chosen field. A filter by another issue discards the choice, and that issue's field is shown first. */
  const [selected, setSelected] = useState<{ issue: string | undefined; field: ValueField } | null>(null);
  const begin =
    parseFieldValue(current)?.field ?? findIssueField(page.rows, issue) ?? findFieldWithValues(page.rows);
  const field = selected?.issue === issue ? (selected?.field ?? begin) : begin;
  const metafields = Object.keys(record.fieldMapping).filter(isMetafieldField);
  const fields = [...valueFields, storeCategoryField, ...metafields];
  return (
    <SideDrawer opened={opened} onClose={onClose} size="md" title="Filter by value">
      <Stack gap="sm">
        <Select
          label="Field"
          data={fields.map((name) => ({ value: name, label: fieldLabel(name) }))}
          value={field}
          onChange={(name) => name !== null && setSelected({ issue, field: name as ValueField })}
        />
        <LoadedValues key={field} importId={record.id} {...{ field, filter }} height={320}>
          {({ empty, values }) => (
            <TabStopGroup
              as="ul"
              moves="upright"
              className="list"
              aria-label={`Values of ${fieldLabel(field)}`}
            >
              {[...(empty > 0 ? [{ value: '', rows: empty }] : []), ...values].map(({ value, rows }, at) => {
                const text = formatFieldValue({ field, value });
                return (
                  <li key={value}>
                    <TabStopButton
                      ref={at === 0 ? focusUnlessField : null}
                      className={`${classes.choice} center size-sm full flex gap-sm between`}
                      aria-pressed={text === current}
                      onClick={() => {
                        onClose();
                        onValue(text === current ? null : text);
                      }}
                    >
                      <span
                        className={`ellipsis ${classes.exact} pre`}
                        dir="auto"
                        data-empty={value === '' || undefined}
                      >
                        {value || 'empty'}
                      </span>
                      <span className="numbers">{formatCount(rows)}</span>
                    </TabStopButton>
                  </li>
                );
              })}
            </TabStopGroup>
          )}
        </LoadedValues>
      </Stack>
    </SideDrawer>
  );
}

/** Focuses a value, unless the operator has meanwhile focused an input, for example to choose a field. */
function focusUnlessField(value: HTMLElement | null): void {
  if (!(document.activeElement instanceof HTMLInputElement)) value?.focus();
}
