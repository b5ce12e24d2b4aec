import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBarcode, IconPlus, IconStack2 } from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { createLoader } from '../../api/query-client.ts';
import { formatCount } from '../../lib/intl.ts';
import { readCurrentParams } from '../../lib/paths.ts';
import { Button, PlainButton, QuietText } from '../../ui/basics.tsx';
import { EmptyState } from '../../ui/brand.tsx';
import { ConfirmDialog } from '../../ui/feedback/confirm.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { useOfferedActions, useScreenKey } from '../../ui/keys.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchField } from '../../ui/table/search-field.tsx';
import { FormPage } from './form/form-page.tsx';
import {
  type CardActions,
  describeLibraryCount,
  nothingFoundWords,
  ProductCard,
  useCardActions,
} from './product-card.tsx';
import { type NewCode, prepareSound, ScanHandler, type ScanMode } from './scan/scanning.tsx';
import classes from './scanner.module.css';
import {
  type LibraryFilters,
  libraryQuery,
  type OpenForm,
  readLibraryFilters,
  readOpenForm,
  type ShownScanned,
  statusChoices,
  toLibraryParams,
  useLibrary,
} from './scanner-api.ts';

/** A search starts once typing has paused for this time. */
const typedMs = 150;

/** Number of cards drawn at first, more than most screens show. Each takes over 1 ms, and a library has thousands. */
const drawnFirst = 36;
const drawnMore = 60;

export function Component() {
  const [address, setAddress] = useSearchParams();
  const filters = readLibraryFilters(address);
  const [search] = useDebouncedValue(filters.search.trim(), typedMs);
  const library = useLibrary(search);
  const actions = useCardActions();
  const form = useFormInAddress();
  const [mode, setMode] = useState<ScanMode>('closed');
  const [drawnCount, setDrawnCount] = useState(drawnFirst);
  const drawMore = useCallback(() => setDrawnCount((count) => count + drawnMore), []);
  const { openForm, id } = form;
  const scan = (to: 'one' | 'many') => {
    prepareSound();
    setMode(to);
  };
  const listed = library.data?.pages.flatMap(({ products }) => products) ?? [];
  const filter = (changed: Partial<LibraryFilters>) =>
    setAddress(toLibraryParams({ ...readLibraryFilters(readCurrentParams()), ...changed }), {
      replace: true,
    });
  return (
    <>
      <ScanHandler mode={mode} onMode={setMode} onKnown={form.openKnown} onNew={form.openScanned} />
      {openForm === null ? (
        <Library
          {...{ library, listed, filters, actions, form, drawnCount }}
          onDrawMore={drawMore}
          onFilter={filter}
          onScan={scan}
        />
      ) : (
        <FormPage
          key={id ?? 'new'}
          id={id}
          listedProduct={form.knownProduct ?? listed.find((product) => product.id === id) ?? null}
          newCode={form.newCode}
          onScan={() => scan('one')}
          onSaved={form.close}
          onCancel={() => form.close(id ?? '')}
        />
      )}
    </>
  );
}

Component.loader = createLoader(({ request }) => [
  libraryQuery(readLibraryFilters(new URL(request.url).searchParams).search.trim()),
]);

type FormState = { isFromLibrary?: boolean } | null;

function useFormInAddress() {
  const [address, setAddress] = useSearchParams();
  const navigate = useNavigate();
  const state = useLocation().state as FormState;
  const openForm = readOpenForm(address);
  const id = openForm?.kind === 'product' ? openForm.id : null;
  const [returnTo, setReturnTo] = useState<string | null>(null);
  const [newCode, setNewCode] = useState<NewCode | null>(null);
  const [knownProduct, setKnownProduct] = useKnownProduct(id);
  // If a form is open, the next form replaces its history entry.
  const replace = openForm !== null;
  const isFromLibrary = openForm === null || state?.isFromLibrary === true;
  const open = useCallback(
    (form: OpenForm, code: NewCode | null = null) => {
      setNewCode(code);
      setReturnTo(null);
      const entry: FormState = { isFromLibrary };
      navigate(
        { search: `?${toLibraryParams(readLibraryFilters(readCurrentParams()), form)}` },
        { state: entry, replace },
      );
    },
    [navigate, replace, isFromLibrary],
  );
  return {
    openForm,
    id,
    returnTo,
    newCode,
    knownProduct,
    openNew: () => open({ kind: 'new' }),
    /** A stable function, so that only changed cards are drawn again. */
    openListed: useCallback(({ id }: ShownScanned) => open({ kind: 'product', id }), [open]),
    openKnown(product: ShownScanned) {
      setKnownProduct(product);
      open({ kind: 'product', id: product.id });
    },
    openScanned: (code: NewCode) => (openForm === null ? open({ kind: 'new' }, code) : setNewCode(code)),
    close(closedId: string) {
      setNewCode(null);
      setReturnTo(closedId);
      // Goes back to the library's history entry, so that another Back leaves the screen.
      if (state?.isFromLibrary) navigate(-1);
      else setAddress(toLibraryParams(readLibraryFilters(readCurrentParams())), { replace: true });
    },
  };
}

/** Keeps the open form's product; null if unknown. Cleared when the form closes, so that the next form reads it. */
function useKnownProduct(id: string | null) {
  const [product, setProduct] = useState<ShownScanned | null>(null);
  const [openedId, setOpenedId] = useState(id);
  if (openedId !== id) {
    setOpenedId(id);
    if (id === null) setProduct(null);
  }
  return [product?.id === id ? product : null, setProduct] as const;
}

type LibraryProps = {
  library: ReturnType<typeof useLibrary>;
  /** Products of all statuses. */
  listed: readonly ShownScanned[];
  filters: LibraryFilters;
  actions: CardActions;
  form: ReturnType<typeof useFormInAddress>;
  drawnCount: number;
  /** `onDrawMore` must be a stable function. */
  onDrawMore: () => void;
  onFilter: (changed: Partial<LibraryFilters>) => void;
  onScan: (mode: 'one' | 'many') => void;
};

function Library({ filters, onScan, ...props }: LibraryProps) {
  const { library, actions, form, onFilter } = props;
  const { openNew: onNew } = form;
  const { data } = library;
  const total = data?.pages[0]?.total ?? 0;
  // Until the reply to a search, products of the previous search are shown.
  const search = data?.pages[0]?.search ?? filters.search;
  const isEmpty = data !== undefined && total === 0 && search === '';
  useReturnedFocus(form.returnTo, props.listed.length);
  const { toDelete, ask, remove } = actions;
  const onScanOne = () => onScan('one');
  useScreenKey('n', onNew);
  useScreenKey('s', onScanOne);
  useOfferedActions([
    { label: 'New Product', key: 'n', reason: null, act: onNew },
    { label: 'Scan', key: 's', reason: null, act: onScanOne },
    { label: 'Scan Many', key: null, reason: null, act: () => onScan('many') },
  ]);
  return (
    <Stack gap="md" className={`${classes.scanner} shrink`}>
      <title>Product Scanner · Draftshelf</title>
      <PageHeader
        title="Product Scanner"
        subtitle="Scan, create, and manage products with photos, dimensions, and pricing"
      >
        <PlainButton icon={IconStack2} onClick={() => onScan('many')}>
          Scan Many
        </PlainButton>
        <PlainButton icon={IconBarcode} onClick={onScanOne}>
          Scan
        </PlainButton>
        <Button icon={IconPlus} onClick={onNew}>
          New Product
        </Button>
      </PageHeader>
      <div className="row-wrap gap-x-sm baseline">
        <Title order={2}>Product Library</Title>
        <QuietText className="numbers" role="status">
          {data === undefined ? ' ' : describeLibraryCount(formatCount(total), search)}
        </QuietText>
      </div>
      <ReadFailure what="the library" reads={[library]} />
      {!isEmpty && (
        <div className={`row-wrap ${classes.filters}`}>
          <SearchField
            label="Search products"
            placeholder="Search by name, SKU or UPC"
            maxLength={searchCharsMax}
            className={classes.search ?? ''}
            text={filters.search}
            onText={(search) => onFilter({ search })}
          />
          {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend on the screen */}
          <div role="group" aria-label="Status" className={`${classes.statuses} flex gap-hair`}>
            {statusChoices.map(({ value, label }) => (
              <Button
                key={value}
                variant={filters.status === value ? 'light' : 'subtle'}
                color={filters.status === value ? 'teal' : 'gray'}
                aria-pressed={filters.status === value}
                onClick={() => onFilter({ status: value })}
              >
                {label}
              </Button>
            ))}
          </div>
        </div>
      )}
      {library.isPending && (
        <div className={`${classes.cards} grid gap-md`} aria-hidden>
          {places.map((place) => (
            <Skeleton key={place} className={classes.skeleton ?? ''} />
          ))}
        </div>
      )}
      {isEmpty && (
        <EmptyState>
          <Text fw={600}>No Products Yet</Text>
          <Text c="dimmed" mb="sm">
            Start by creating your first product with the scanner
          </Text>
          <Button variant="light" onClick={onNew}>
            Create First Product
          </Button>
        </EmptyState>
      )}
      {data !== undefined && !isEmpty && (
        <Products {...props} filters={{ search, status: filters.status }} total={total} />
      )}
      <ConfirmDialog
        opened={toDelete !== null}
        title="Are you sure you want to delete this product?"
        confirm="Delete Product"
        keep="Keep Product"
        onConfirm={() => {
          ask(null);
          if (toDelete !== null) void remove(toDelete);
        }}
        onClose={() => ask(null)}
      >
        {`${toDelete?.name ?? ''} will be removed from the library. What is in Shopify or in a batch stays there.`}
      </ConfirmDialog>
    </Stack>
  );
}

/** The server's limit, in characters. */
const searchCharsMax = 200;

const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

function Products({ library, filters, total, ...props }: Omit<LibraryProps, 'onScan'> & { total: number }) {
  const { listed, actions, form, drawnCount, onDrawMore, onFilter } = props;
  const matches = listed.filter((product) => filters.status === '' || product.status === filters.status);
  const areAllDrawn = drawnCount >= matches.length;
  const lastCard = useCallback(
    (card: HTMLElement | null) => (card === null ? undefined : whenNear(card, onDrawMore)),
    [onDrawMore],
  );
  return (
    <>
      {matches.length === 0 ? (
        <EmptyState>
          <Text mb="sm">{nothingFoundWords(filters, library.hasNextPage ? listed.length : null)}</Text>
          <PlainButton onClick={() => onFilter({ search: '', status: '' })}>
            {filters.search.trim() === '' ? 'Show All' : 'Clear Search'}
          </PlainButton>
        </EmptyState>
      ) : (
        <ul
          className={`list ${classes.cards} grid gap-md`}
          aria-label="Products"
          aria-busy={library.isPlaceholderData}
          data-stale={library.isPlaceholderData || undefined}
          onKeyDown={moveBetweenCards}
        >
          {matches.slice(0, drawnCount).map((product, at) => (
            <li
              key={product.id}
              ref={at === drawnCount - 1 && !areAllDrawn ? lastCard : undefined}
              className={`${classes.card} flex shrink`}
              {...cardFocus(product.id, at)}
            >
              <ProductCard
                product={product}
                isSyncing={actions.isSyncing(product)}
                isDeleting={actions.isDeleting(product)}
                refusal={actions.refusalOf(product)}
                onOpen={form.openListed}
                onSync={actions.sync}
                onDelete={actions.ask}
              />
            </li>
          ))}
        </ul>
      )}
      {library.hasNextPage && areAllDrawn && (
        <PlainButton mx="auto" loading={library.isFetchingNextPage} onClick={() => library.fetchNextPage()}>
          {`Show More (${formatCount(total - listed.length)} Older)`}
        </PlainButton>
      )}
    </>
  );
}

/** Calls `onNear` when a card is within two screen heights of the screen. Returns a function that stops. */
function whenNear(card: HTMLElement, onNear: () => void): () => void {
  // A busy browser reports several changes at once, with the newest at the end.
  const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && onNear(), {
    rootMargin: '200% 0px',
  });
  observer.observe(card);
  return () => observer.disconnect();
}

const cardSelector = '[data-product]';

/** Returns props that keep the focus on a card if its control is removed; if the card is removed, on the next card. */
function cardFocus(id: string, at: number) {
  const card = `[data-product="${CSS.escape(id)}"]`;
  const sameOrLastPlace = `${cardSelector}:is(:nth-child(${at + 1}), :last-child)`;
  return {
    'data-product': id,
    'data-focus-next': `${card} button, ul:not(:has(${card})) > ${sameOrLastPlace} button`,
  };
}

const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
const controls = 'a[href], button';

/** Moves the focus by arrow keys to the same control of another card. */
function moveBetweenCards(event: KeyboardEvent<HTMLElement>): void {
  if (!arrows.includes(event.key) || !(event.target instanceof HTMLElement)) return;
  const card = event.target.closest<HTMLElement>(cardSelector);
  const cards = cardsIn(event.currentTarget);
  if (card === null) return;
  const columns = cards.filter(({ offsetTop }) => offsetTop === cards[0]?.offsetTop).length;
  const target = cards[cards.indexOf(card) + stepOf(event.key, columns)];
  if (target === undefined) return;
  const place = Array.from(card.querySelectorAll(controls)).indexOf(event.target);
  const targetControls = target.querySelectorAll<HTMLElement>(controls);
  event.preventDefault();
  (targetControls[place] ?? targetControls[0])?.focus();
}

function stepOf(key: string, columns: number): number {
  if (key === 'ArrowLeft') return -1;
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowUp' ? -columns : columns;
}

/** Focuses the heading when the form closes, then the card of the form's product once the card is drawn. */
function useReturnedFocus(returnTo: string | null, count: number): void {
  useEffect(() => {
    if (returnTo !== null) document.querySelector('h1')?.focus({ preventScroll: true });
  }, [returnTo]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new product's card is drawn later
  useEffect(() => {
    if (returnTo === null || document.activeElement?.tagName !== 'H1') return;
    const card = cardsIn(document).find(({ dataset }) => dataset.product === returnTo);
    card?.querySelector('button')?.focus();
  }, [returnTo, count]);
}

const cardsIn = (within: ParentNode) => Array.from(within.querySelectorAll<HTMLElement>(cardSelector));
