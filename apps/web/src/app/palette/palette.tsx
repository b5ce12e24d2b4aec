import type { findAnywhere } from '@draftshelf/contract/imports/find';
import type { ReplyOf } from '@draftshelf/contract/route';
import { searchCharsMax } from '@draftshelf/domain/base/search-text';
import { statusLabel } from '@draftshelf/domain/imports/import-status';
import { Kbd, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { freshMs, readOf } from '../../api/call.ts';
import { type ShownCurrent, useKnownCurrentImports } from '../../features/import/index.ts';
import { countOf, formatCount } from '../../lib/intl.ts';
import { importPath } from '../../lib/paths.ts';
import { SmallText } from '../../ui/basics.tsx';
import { useIsNarrow } from '../../ui/hooks.ts';
import { formatKey, type OfferedAction, offeredActions } from '../../ui/keys.ts';
import classes from '../layout/shell.module.css';

/** The server is called once typing has paused for this time. */
const quietMs = 80;

type PaletteProps = {
  opened: boolean;
  screens: readonly { path: string; label: string; key: string }[];
  onClose: () => void;
};

export function Palette({ opened, screens, onClose }: PaletteProps) {
  const narrow = useIsNarrow();
  const navigate = useNavigate();
  const focused = useRef<Element | null>(null);
  // A layout effect, because it must read the focused element before the dialog takes the focus.
  useLayoutEffect(() => {
    if (opened) focused.current = document.activeElement;
  }, [opened]);
  // The chosen item. It runs after the dialog has closed, because it may open another dialog, which takes the focus.
  const chosen = useRef<PaletteItem | null>(null);
  const run = () => {
    // Restores the focus before the item runs, because the item may use or move the focus. Mantine would do so later.
    if (focused.current instanceof HTMLElement) focused.current.focus({ preventScroll: true });
    const item = chosen.current;
    chosen.current = null;
    if (item === null) return;
    if ('to' in item) navigate(item.to);
    else item.act();
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={run}
      returnFocus={false}
      title="Search"
      fullScreen={narrow}
      size="lg"
      yOffset="12vh"
      classNames={{
        content: classes.content ?? '',
        header: classes.paletteHeader ?? '',
        body: `${classes.body} stack gap-0`,
      }}
      transitionProps={{ duration: 100 }}
    >
      <Search
        screens={screens}
        onChoose={(item) => {
          chosen.current = item;
          onClose();
        }}
      />
    </Modal>
  );
}

type SearchProps = Pick<PaletteProps, 'screens'> & { onChoose: (item: PaletteItem) => void };

function Search({ screens, onChoose }: SearchProps) {
  const list = useId();
  const actions = offeredActions.all();
  const current = useKnownCurrentImports().data ?? [];
  const [text, setText] = useState('');
  const [query] = useDebouncedValue(text, quietMs);
  const finding = useFind(query);
  const found = text.trim() === '' ? undefined : finding.data;
  const local = { actions, screens, current };
  const groups = buildPaletteGroups(text, { ...local, found });
  const items = groups.flatMap((group) => group.items);
  // The active item is kept by id, because its index changes when the server's results are inserted.
  const [activeId, setActiveId] = useState<string | null>(null);
  const active = items.find(({ id }) => id === activeId) ?? items[0];
  const optionId = (item: PaletteItem) => `${list} ${item.id}`.replaceAll(/\s/g, '-');
  const choose = (item: PaletteItem | undefined) => {
    if (item !== undefined && item.reason === null) onChoose(item);
  };
  const move = (by: number) => {
    const at = active === undefined ? 0 : items.indexOf(active);
    const next = items[(at + by + items.length) % Math.max(1, items.length)];
    if (next === undefined) return;
    setActiveId(next.id);
    document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' });
  };
  const isBusy = text.trim() !== '' && (query !== text || finding.isFetching);
  // Whether the server's reply cannot replace the active item: the item was selected by arrow key, or is local.
  const isKnown = activeId !== null || buildPaletteGroups(text, { ...local, found: undefined }).length > 0;
  const enter = useEnter(text, isBusy && !isKnown, () => choose(active));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter') enter();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className="pad-x-xs line-below"
        leftSection={<IconSearch size={18} stroke={1.5} aria-hidden />}
        aria-label="Search"
        placeholder="Screens, imports, products, actions"
        role="combobox"
        aria-expanded
        aria-autocomplete="list"
        aria-controls={list}
        aria-activedescendant={active === undefined ? undefined : optionId(active)}
        autoComplete="off"
        spellCheck={false}
        maxLength={searchCharsMax}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setActiveId(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={list} role="listbox" aria-label="Results" aria-busy={isBusy} className={classes.list}>
        {groups.map((group) => (
          <Group key={group.name} group={group} active={active} optionId={optionId} onChoose={choose} />
        ))}
      </div>
      <div className={`${classes.foot} flex gap-md between pad-bar line-above`}>
        <SmallText role="status">
          {footWords({ text, results: items.length, isBusy, error: finding.error })}{' '}
          {buildSearchNote(text, found)}
        </SmallText>
        <SmallText className={`${classes.paletteKeys} rigid`} aria-hidden>
          <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> <Kbd size="xs">Enter</Kbd> <Kbd size="xs">Esc</Kbd>
        </SmallText>
      </div>
    </>
  );
}

/** Returns the handler of Enter, which waits for the reply if `mustWait`, because scanners send Enter at once. */
function useEnter(text: string, mustWait: boolean, choose: () => void): () => void {
  const [waitingText, setWaitingText] = useState<string | null>(null);
  const chooseNow = useEffectEvent(choose);
  useEffect(() => {
    if (waitingText === null || (waitingText === text && mustWait)) return;
    setWaitingText(null);
    if (waitingText === text) chooseNow();
  }, [waitingText, text, mustWait]);
  return () => (mustWait ? setWaitingText(text) : choose());
}

type Progress = { text: string; results: number; isBusy: boolean; error: Error | null };

function footWords({ text, results, isBusy, error }: Progress): string {
  if (text.trim() === '') return 'Type to find imports by name, and products by title, SKU or UPC.';
  if (isBusy) return 'Searching…';
  if (error !== null) return `Imports and products couldn’t be searched: ${error.message}.`;
  return results === 0 ? 'Nothing was found.' : `${countOf(results, 'result')}.`;
}

type GroupProps = {
  group: PaletteGroup;
  active: PaletteItem | undefined;
  optionId: (item: PaletteItem) => string;
  onChoose: (item: PaletteItem) => void;
};

function Group({ group: { name, items }, active, optionId, onChoose }: GroupProps) {
  const heading = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not be in a listbox.
    <div role="group" aria-labelledby={heading}>
      <div id={heading} className={`${classes.heading} small bold`}>
        {name}
      </div>
      {items.map((item) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
        // biome-ignore lint/a11y/useFocusableInteractive: the field points at the active option.
        <div
          key={item.id}
          id={optionId(item)}
          role="option"
          className={`${classes.option} row gap-sm rounded`}
          aria-selected={item === active}
          aria-disabled={item.reason !== null || undefined}
          // Keeps the focus in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(item)}
        >
          <span className={`${classes.label} ellipsis`} dir="auto">
            {item.label}
          </span>
          {(item.reason ?? item.detail) !== null && (
            <span className={`${classes.detail} ellipsis quiet`} dir="auto">
              {item.reason ?? item.detail}
            </span>
          )}
          {item.keys !== null && <Kbd size="xs">{item.keys}</Kbd>}
        </div>
      ))}
    </div>
  );
}

const keptMs = 10_000;

function useFind(text: string) {
  const q = text.trim();
  return useQuery({
    ...readOf('findAnywhere', { query: { q } }),
    enabled: q !== '',
    staleTime: freshMs,
    gcTime: keptMs,
    placeholderData: keepPreviousData,
  });
}

type PaletteItem = {
  id: string;
  label: string;
  /** Distinguishes items with the same label. */
  detail: string | null;
  keys: string | null;
  reason: string | null;
} & ({ to: string } | { act: () => void });

export type PaletteGroup = { name: string; items: PaletteItem[] };

type Screen = { path: string; label: string; key: string | null };

/** Tabs of screens. They are found by typing, but are not listed at first. */
const tabs: readonly Screen[] = [
  { path: '/settings?tab=onedrive', label: 'Settings: OneDrive', key: null },
  { path: '/settings?tab=connections', label: 'Settings: Connections', key: null },
  { path: '/settings?tab=csv', label: 'Settings: CSV Processing', key: null },
  { path: '/settings?tab=debug', label: 'Settings: Debug', key: null },
  { path: '/shopify?tab=products', label: 'Shopify: Products', key: null },
  { path: '/shopify?tab=batch', label: 'Shopify: Batch Push', key: null },
  { path: '/shopify?tab=analytics', label: 'Shopify: Analytics', key: null },
];
type Found = ReplyOf<typeof findAnywhere>;

type Known = {
  actions: readonly OfferedAction[];
  screens: readonly Screen[];
  /** Running imports, and imports that have just ended. */
  current: readonly (Pick<ShownCurrent, 'id' | 'filename' | 'status'> &
    Partial<Pick<ShownCurrent, 'isAsking'>>)[];
  /** The server's reply to the current text or, while that loads, to the previous text; undefined if there is none. */
  found: Found | undefined;
};

/** Number of current imports that are listed before anything is typed. */
const currentMax = 5;

export function buildPaletteGroups(
  text: string,
  { actions, screens, current, found }: Known,
): PaletteGroup[] {
  const words = wordsOf(text);
  const isSearch = words.length > 0;
  const hasAll = ({ label }: { label: string }) => holdsAll(label, words);
  const groups = [
    { name: 'This page', items: actions.filter(hasAll).map(actionItem) },
    { name: 'Screens', items: [...screens, ...(isSearch ? tabs : [])].filter(hasAll).map(screenItem) },
    { name: 'Imports', items: importsOf(current, found, words).slice(0, isSearch ? undefined : currentMax) },
    { name: 'Products', items: isSearch ? (found?.products?.found ?? []).map(productItem) : [] },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
const holdsAll = (text: string, words: readonly string[]) =>
  words.every((word) => text.toLowerCase().includes(word));

const actionItem = ({ label, key, reason, act }: OfferedAction): PaletteItem => ({
  ...{ id: `action ${label}`, label, detail: null, reason, act },
  keys: key === null ? null : formatKey(key),
});

const screenItem = ({ path, label, key }: Screen): PaletteItem => ({
  ...{ id: `screen ${path}`, label, detail: null, reason: null, to: path },
  keys: key === null ? null : `g ${key}`,
});

/** Returns the matching imports: first the local ones, then those that only the server has found. */
function importsOf(
  current: Known['current'],
  found: Found | undefined,
  words: readonly string[],
): PaletteItem[] {
  const known = current.filter(({ filename }) => holdsAll(filename, words));
  const isNew = ({ id }: { id: string }) => known.every((item) => item.id !== id);
  const more = words.length === 0 ? [] : (found?.imports ?? []).filter(isNew);
  return [...known, ...more].map(({ id, filename, status, ...of }) => ({
    ...{ id: `import ${id}`, label: filename, keys: null, reason: null, to: importPath(id) },
    detail:
      'isAsking' in of && of.isAsking
        ? 'Needs an answer'
        : statusLabel(status === 'error' ? 'failed' : status),
  }));
}

/** Opens the product's import with a search for its SKU, UPC or title. */
function productItem(product: NonNullable<Found['products']>['found'][number]): PaletteItem {
  const { importId, row, title, sku, upc, filename } = product;
  const sought = [sku, upc, title].find((value) => value !== null && [...value].length >= 3);
  const search = sought ? `?q=${encodeURIComponent(sought.slice(0, searchCharsMax))}` : '';
  return {
    ...{ id: `product ${importId} ${row}`, label: title ?? 'No title', keys: null, reason: null },
    detail: [sku ?? upc, filename].filter((part) => part !== null).join(' · '),
    to: `${importPath(importId)}${search}`,
  };
}

/** Returns a sentence that names what was not searched and why; '' if everything was searched. */
export function buildSearchNote(text: string, found: Found | undefined): string {
  if (wordsOf(text).length === 0 || found === undefined) return '';
  const { products } = found;
  if (products === null) return 'Type at least 3 characters to search products.';
  const notes = [
    products.hasMore ? 'More products match: type more.' : '',
    products.isCut ? 'That took too long, so older imports were searched only in part: type more.' : '',
    products.hasOlder
      ? `Only products of the newest ${formatCount(products.imports)} imports were searched.`
      : '',
  ];
  return notes.filter((note) => note !== '').join(' ');
}
