import { Skeleton, Stack, TextInput } from '@mantine/core';
import { IconArchive, IconCircleCheck, IconPencil, IconPhoto } from '@tabler/icons-react';
import { useState } from 'react';
import { countOf, formatCount } from '../../lib/intl.ts';
import { rememberStore } from '../../lib/storage.ts';
import { SubtleButton } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { searchFieldMark } from '../../ui/keys.ts';
import { Picture } from '../../ui/picture.tsx';
import { RecordList } from '../../ui/table/record-list.tsx';
import type { Column } from '../../ui/table/record-table.tsx';
import { BodyText, Moment, OutsideLink, QuietText } from '../../ui/text.tsx';
import { type Look, LookBadge, statusLook } from '../import/index.ts';
import type { StoreTabProps } from './overview-tab.tsx';
import classes from './shopify.module.css';
import {
  inventoryOf,
  priceWords,
  productsShown,
  type StoreProduct,
  type StoreStatus,
  searchProducts,
} from './store-api.ts';

/** Searches the products that were changed last. */
export function ProductsTab({ products, store, adminUrl }: StoreTabProps) {
  const [search, setSearch] = useState('');
  if (products === undefined) return <Skeleton height={320} />;
  const all = products.products;
  const matches = searchProducts(all, search);
  const isFiltered = search.trim() !== '';
  const count = isFiltered
    ? `${formatCount(matches.length)} of ${countOf(all.length, 'product')}`
    : countOf(all.length, 'product');
  const isCut = matches.length > productsShown;
  return (
    <Stack gap="sm">
      {products.problem !== null && (
        <ErrorPanel title="Couldn’t load the store’s products." cause={products.problem}>
          Test the connection, then open this page again.
        </ErrorPanel>
      )}
      <TextInput
        aria-label="Search products"
        placeholder="Search products..."
        maw={360}
        maxLength={200}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        {...searchFieldMark}
      />
      <QuietText className="numbers" role="status">
        {count}
        {isCut && ` · first ${productsShown} shown`}
      </QuietText>
      {all.some(({ variants }) => variants.length > 1) && (
        <QuietText>Price and inventory are those of a product’s first variant.</QuietText>
      )}
      {matches.length === 0 ? (
        <Nothing search={isFiltered ? search : null} onClear={() => setSearch('')} />
      ) : (
        <ProductList
          products={matches.slice(0, productsShown)}
          currency={store?.currency ?? null}
          adminUrl={adminUrl}
        />
      )}
    </Stack>
  );
}

function Nothing({ search, onClear }: { search: string | null; onClear: () => void }) {
  if (search === null) return <BodyText>No products found in your Shopify store</BodyText>;
  return (
    <Stack gap="xs" align="flex-start">
      <BodyText className="break-words">{`No products found matching "${search}"`}</BodyText>
      <SubtleButton px={0} onClick={onClear}>
        Clear search
      </SubtleButton>
    </Stack>
  );
}

const tableRem = 48;

type ListProps = { products: readonly StoreProduct[]; currency: string | null; adminUrl: string | null };

const imageOf = ({ images }: StoreProduct) => <ProductImage image={images[0]} />;
const statusOf = ({ status }: StoreProduct) => <StoreStatusBadge status={status} />;
const updatedOf = (product: StoreProduct) => <Moment time={product.updated_at} />;

const columnsOf = ({ currency, adminUrl }: Omit<ListProps, 'products'>): Column<StoreProduct>[] => [
  { head: 'Image', rem: 4, cell: imageOf },
  {
    head: 'Product',
    className: 'break-words',
    cell: ({ title, vendor }) => (
      <>
        <BodyText fw={550}>{title}</BodyText>
        <QuietText>{vendor}</QuietText>
      </>
    ),
  },
  { head: 'Status', rem: 7.5, cell: statusOf },
  { head: 'Price', rem: 7.5, align: 'right', cell: (product) => priceWords(product, currency) },
  { head: 'Inventory', rem: 6, align: 'right', cell: (product) => formatCount(inventoryOf(product)) },
  { head: 'Updated', rem: 9.5, cell: updatedOf },
  {
    head: 'Link',
    isHeadHidden: true,
    rem: 4,
    cell: (product) => <ViewLink product={product} adminUrl={adminUrl} />,
  },
];

const ProductList = ({ products, currency, adminUrl }: ListProps) => (
  <RecordList
    label="Store products"
    isOneStop
    className={classes.products}
    columns={columnsOf({ currency, adminUrl })}
    records={products}
    tableRem={tableRem}
    card={(product) => (
      <li key={product.id} className={`${classes.card} row gap-sm pad-y-xs line-below relative`}>
        {imageOf(product)}
        <div className="grow">
          <div className="row between">
            <BodyText fw={550} title={product.title} className="ellipsis">
              {product.title}
            </BodyText>
            {statusOf(product)}
          </div>
          <div className="row between">
            <QuietText className="ellipsis numbers">{cardWords(product, currency)}</QuietText>
            <QuietText className="rigid to-the-end numbers">{updatedOf(product)}</QuietText>
            <ViewLink product={product} adminUrl={adminUrl} />
          </div>
        </div>
      </li>
    )}
  />
);

function cardWords(product: StoreProduct, currency: string | null): string {
  const stock = `${formatCount(inventoryOf(product))} in stock`;
  return [priceWords(product, currency), stock, product.vendor].filter(Boolean).join(' · ');
}

const ViewLink = ({ product, adminUrl }: { product: StoreProduct; adminUrl: string | null }) =>
  adminUrl === null ? null : (
    <OutsideLink
      size="sm"
      href={`${adminUrl}/products/${product.id}`}
      underline="always"
      aria-label={`View ${product.title}`}
      className={`${classes.view} inline-flex center`}
      onClick={rememberStore}
    >
      View
    </OutsideLink>
  );

function ProductImage({ image }: { image: StoreProduct['images'][number] | undefined }) {
  const none = (
    <div className={`${classes.image} center-grid dim surface-quiet`} aria-hidden>
      <IconPhoto size={16} stroke={1.5} />
    </div>
  );
  if (image === undefined) return none;
  return (
    <Picture
      className={`${classes.image} center-grid dim surface-quiet`}
      src={image.src}
      alt={image.alt ?? ''}
      fallback={none}
    />
  );
}

const storeLooks: Record<StoreStatus, Look> = {
  active: { icon: IconCircleCheck, color: 'green', variant: 'light' },
  draft: { icon: IconPencil, color: 'yellow', variant: 'light' },
  archived: { icon: IconArchive, color: 'gray', variant: 'light' },
};

/** Unknown statuses are shown as they are. */
function StoreStatusBadge({ status }: { status: string }) {
  const look = Object.hasOwn(storeLooks, status) ? storeLooks[status as StoreStatus] : statusLook(status);
  return <LookBadge look={look} word={status.charAt(0).toUpperCase() + status.slice(1)} />;
}
