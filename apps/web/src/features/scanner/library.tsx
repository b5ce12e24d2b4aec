import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconBarcode, IconPlus, IconStack2 } from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useEffect } from 'react';
import { formatCount } from '../../lib/intl.ts';
import { useOfferedActions } from '../../ui/actions.ts';
import { EmptyState } from '../../ui/brand.tsx';
import { Button, PlainButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/feedback/confirm.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { useScreenKey } from '../../ui/keys.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchField } from '../../ui/table/search-field.tsx';
import { QuietText } from '../../ui/text.tsx';
import { countWords, nothingFoundWords, ProductCard } from './product-card.tsx';
import classes from './scanner.module.css';
import { hasStatus, isFiltered, type LibraryFilters, statusChoices } from './scanner-address.ts';
import type { ShownScanned, useLibrary } from './scanner-api.ts';
import type { CardActions } from './use-card-actions.ts';

type LibraryProps = {
  library: ReturnType<typeof useLibrary>;
  filters: LibraryFilters;
  actions: CardActions;
  /** The card of the product whose form was open gets the focus. */
  returnTo: string | null;
  drawnCount: number;
  /** Must stay the same function. */
  onDrawMore: () => void;
  onFilter: (changed: Partial<LibraryFilters>) => void;
  /** Must stay the same function: only cards with a change are drawn again. */
  onOpen: (product: ShownScanned) => void;
  onNew: () => void;
  onScan: (mode: 'one' | 'many') => void;
};

export function Library({ filters, returnTo, onNew, onScan, ...props }: LibraryProps) {
  const { library, actions, onFilter } = props;
  const { data } = library;
  const total = data?.pages[0]?.total ?? 0;
  const products = data?.pages.flatMap((page) => page.products) ?? [];
  // The previous search's data is shown until the next answer.
  const search = data?.pages[0]?.search ?? filters.search;
  const isEmpty = data !== undefined && total === 0 && search === '';
  useReturnedFocus(returnTo, products.length);
  return (
    <Stack gap="md" className={`${classes.scanner} shrink`}>
      <title>Product Scanner · Draftshelf</title>
      <LibraryHeader onNew={onNew} onScan={onScan} />
      <div className="row-wrap gap-x-sm baseline">
        <Title order={2}>Product Library</Title>
        <QuietText className="numbers" role="status">
          {data === undefined ? ' ' : countWords(formatCount(total), search)}
        </QuietText>
      </div>
      <ReadFailure what="the library" reads={[library]} />
      {!isEmpty && <FilterBar filters={filters} onFilter={onFilter} />}
      {library.isPending && <Skeletons />}
      {isEmpty && <NoProducts onNew={onNew} />}
      {data !== undefined && !isEmpty && (
        <Products {...props} filters={{ search, status: filters.status }} products={products} total={total} />
      )}
      <DeleteQuestion actions={actions} />
    </Stack>
  );
}

function LibraryHeader({ onNew, onScan }: Pick<LibraryProps, 'onNew' | 'onScan'>) {
  const onScanOne = () => onScan('one');
  useScreenKey('n', onNew);
  useScreenKey('s', onScanOne);
  useOfferedActions([
    { label: 'New Product', key: 'n', reason: null, act: onNew },
    { label: 'Scan', key: 's', reason: null, act: onScanOne },
    { label: 'Scan Many', key: null, reason: null, act: () => onScan('many') },
  ]);
  return (
    <PageHeader
      title="Product Scanner"
      subtitle="Scan, create, and manage products with photos, dimensions, and pricing"
    >
      <PlainButton leftSection={<IconStack2 size={16} aria-hidden />} onClick={() => onScan('many')}>
        Scan Many
      </PlainButton>
      <PlainButton leftSection={<IconBarcode size={16} aria-hidden />} onClick={onScanOne}>
        Scan
      </PlainButton>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
        New Product
      </Button>
    </PageHeader>
  );
}

/** The server's limit. */
const searchCharsMax = 200;

type FilterBarProps = { filters: LibraryFilters; onFilter: LibraryProps['onFilter'] };

const FilterBar = ({ filters, onFilter }: FilterBarProps) => (
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
);

const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];

/** The specification shows six. */
const Skeletons = () => (
  <div className={`${classes.cards} grid gap-md`} aria-hidden>
    {places.map((place) => (
      <Skeleton key={place} className={classes.skeleton ?? ''} />
    ))}
  </div>
);

const NoProducts = ({ onNew }: { onNew: () => void }) => (
  <EmptyState>
    <Text fw={600}>No Products Yet</Text>
    <Text c="dimmed" mb="sm">
      Start by creating your first product with the scanner
    </Text>
    <Button variant="light" onClick={onNew}>
      Create First Product
    </Button>
  </EmptyState>
);

type ProductsProps = Omit<LibraryProps, 'returnTo' | 'onNew' | 'onScan'> & {
  /** Products of any status. */
  products: readonly ShownScanned[];
  /** Number of matches of the search. */
  total: number;
};

function Products({ library, filters, actions, products, total, ...props }: ProductsProps) {
  const { drawnCount, onDrawMore, onFilter, onOpen } = props;
  const matches = products.filter((product) => hasStatus(product, filters));
  const areAllDrawn = drawnCount >= matches.length;
  const lastCard = useCallback(
    (card: HTMLElement | null) => (card === null ? undefined : whenNear(card, onDrawMore)),
    [onDrawMore],
  );
  return (
    <>
      {matches.length === 0 ? (
        <NothingFound
          filters={filters}
          among={library.hasNextPage ? products.length : null}
          onClear={() => onFilter({ search: '', status: '' })}
        />
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
                onOpen={onOpen}
                onSync={actions.sync}
                onDelete={actions.ask}
              />
            </li>
          ))}
        </ul>
      )}
      {library.hasNextPage && areAllDrawn && (
        <PlainButton mx="auto" loading={library.isFetchingNextPage} onClick={() => library.fetchNextPage()}>
          {`Show More (${formatCount(total - products.length)} Older)`}
        </PlainButton>
      )}
    </>
  );
}

/** Calls `onNear` when a card is nearer than two heights of the screen. */
function whenNear(card: HTMLElement, onNear: () => void): () => void {
  // A busy browser reports several changes at once, the newest last.
  const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && onNear(), {
    rootMargin: '200% 0px',
  });
  observer.observe(card);
  return () => observer.disconnect();
}

type NothingFoundProps = {
  filters: LibraryFilters;
  /** Number of searched products if there are more. */
  among: number | null;
  onClear: () => void;
};

const NothingFound = ({ filters, among, onClear }: NothingFoundProps) => (
  <EmptyState>
    <Text mb="sm">{nothingFoundWords(filters, among)}</Text>
    <PlainButton onClick={onClear}>
      {isFiltered({ search: filters.search, status: '' }) ? 'Clear Search' : 'Show All'}
    </PlainButton>
  </EmptyState>
);

const DeleteQuestion = ({ actions: { toDelete, ask, remove } }: { actions: CardActions }) => (
  <Confirm
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
  </Confirm>
);

const cardSelector = '[data-product]';

/** A card's removed control leaves the focus to the same card, else to the card that takes its place. */
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

/** Moves to the same control of another card. */
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

/** Focuses the heading when the form closes, then its product's card once that is drawn. */
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
