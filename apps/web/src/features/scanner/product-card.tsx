import type { MatchChoice } from '@draftshelf/domain/access/preferences';
import { formatDollars } from '@draftshelf/domain/base/money';
import { formatDimensions } from '@draftshelf/domain/scanner/scanned-product';
import { UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDot,
  IconHelpCircle,
  IconPhoto,
  IconTrash,
} from '@tabler/icons-react';
import { memo, useCallback, useState } from 'react';
import { type CallRequest, serverMessageOf } from '../../api/call.ts';
import { formatCount, joinWords } from '../../lib/intl.ts';
import { BodyText, Button, IconButton, PlainButton, SmallText } from '../../ui/basics.tsx';
import { usePending } from '../../ui/feedback/use-call.ts';
import { Picture } from '../../ui/picture.tsx';
import { type Look, LookBadge } from '../import/index.ts';
import classes from './scanner.module.css';
import {
  deletionKey,
  describeSyncFailure,
  type LibraryFilters,
  readStoreState,
  type ShownScanned,
  type SyncRequest,
  syncKey,
  useDeleteProduct,
  useSyncProduct,
} from './scanner-api.ts';

/** Looks of the known statuses. */
const statusLooks = new Map<string, Look>([
  ['synced', { icon: IconCheck, color: 'green', variant: 'light' }],
  ['active', { icon: IconCircleDot, color: 'teal', variant: 'light' }],
]);
const otherLook: Look = { icon: IconHelpCircle, color: 'gray', variant: 'outline' };

type ProductCardProps = {
  product: ShownScanned;
  isSyncing: boolean;
  isDeleting: boolean;
  refusal: SyncRefusal | null;
  onOpen: (product: ShownScanned) => void;
  onSync: (product: ShownScanned, whenInStore?: MatchChoice) => void;
  onDelete: (product: ShownScanned) => void;
};

/** Memoized, so that a card is drawn again only if its properties change. */
export const ProductCard = memo((props: ProductCardProps) => {
  const { product, isSyncing, isDeleting, refusal, onOpen, onSync } = props;
  return (
    <>
      <div className={`${classes.head} stack relative gap-0`}>
        <FirstPhoto photo={product.photos[0]} />
        <span className={`${classes.badge} rounded`}>
          {/* The status as the server names it. CSS capitalizes it. */}
          <LookBadge
            look={statusLooks.get(product.status) ?? otherLook}
            word={product.status}
            tt="capitalize"
          />
        </span>
        <div className={`stack ${classes.cardText} gap-hair`}>
          <UnstyledButton
            id={nameIdOf(product)}
            className={`${classes.opener} stretched row top full gap-0`}
            title={product.name}
            onClick={() => onOpen(product)}
          >
            <span className={`${classes.name} clamp strong break-words`} dir="auto">
              {product.name}
            </span>
          </UnstyledButton>
          <div className="flex gap-sm between size-sm">
            <span className={`ellipsis ${classes.sku} dim`} title={product.sku}>
              {product.sku}
            </span>
            <span className="numbers">{formatDollars(product.price)}</span>
          </div>
          <Measures product={product} />
        </div>
      </div>
      <Places product={product} />
      <div className={`row ${classes.cardActions} pad-sm`}>
        <PlainButton aria-describedby={nameIdOf(product)} onClick={() => onOpen(product)}>
          Edit
        </PlainButton>
        {product.status !== 'synced' && (
          <Button
            variant="light"
            loading={isSyncing}
            disabled={isSyncing || isDeleting}
            aria-describedby={nameIdOf(product)}
            onClick={() => onSync(product)}
          >
            Sync
          </Button>
        )}
        <IconButton
          icon={IconTrash}
          iconSize={18}
          ml="auto"
          size="lg"
          label={`Delete ${product.name}`}
          loading={isDeleting}
          disabled={isDeleting}
          onClick={() => props.onDelete(product)}
        />
      </div>
      {refusal !== null && (
        <div className={`stack ${classes.refusal}`} role="alert">
          <BodyText c="var(--text-bad)" className="break-words">
            <IconAlertTriangle size={14} aria-hidden />{' '}
            {refusal.inStore === null ? refusal.message : `Already in the store: ${refusal.inStore.title}.`}
          </BodyText>
          {refusal.inStore !== null && (
            <div className={`row-wrap ${classes.refusalActions} size-sm`}>
              <PlainButton size="compact-md" onClick={() => onSync(product, 'update')}>
                Update That Product
              </PlainButton>
              <PlainButton size="compact-md" onClick={() => onSync(product, 'create')}>
                Create Another
              </PlainButton>
              <a href={refusal.inStore.storeUrl} target="_blank" rel="noreferrer">
                View in Shopify
              </a>
            </div>
          )}
        </div>
      )}
    </>
  );
});

const nameIdOf = ({ id }: ShownScanned) => `product-${id}`;

const FirstPhoto = memo(({ photo }: { photo: string | undefined }) => (
  <Picture
    className={`${classes.photo} center-grid dim full surface-quiet`}
    src={photo}
    fallback={
      <span className={`${classes.photo} center-grid dim full surface-quiet`}>
        <IconPhoto size={28} stroke={1.25} aria-hidden />
      </span>
    }
  />
));

function Measures({ product }: { product: ShownScanned }) {
  const measures = joinWords([formatDimensions(product.dimensions) ?? '', weightWords(product.weight) ?? '']);
  if (measures === '') return null;
  return (
    <SmallText component="div" className="numbers">
      {measures}
    </SmallText>
  );
}

function Places({ product: { batches, storeUrl } }: { product: ShownScanned }) {
  const [newest] = batches;
  if (newest === undefined && storeUrl === null) return null;
  return (
    <SmallText component="div" className={`${classes.places} flex gap-x-sm wrap shrink`}>
      {newest !== undefined && (
        <span className="ellipsis" title={newest.filename}>
          {batchWords(newest)}
        </span>
      )}
      {storeUrl !== null && (
        <a href={storeUrl} target="_blank" rel="noreferrer">
          View in Shopify
        </a>
      )}
    </SmallText>
  );
}

/** Returns the weight; null if it was not measured. */
export const weightWords = ({ value, unit }: ShownScanned['weight']): string | null =>
  value === 0 ? null : `${value} ${unit}`;

const batchWords = ({ filename, row }: ShownScanned['batches'][number]): string =>
  row === null ? `In ${filename}` : `In ${filename}, row ${row}`;

export const describeLibraryCount = (count: string, search: string): string =>
  search === '' ? `${count} product(s) scanned` : `${count} product(s) found`;

/** Returns the sentence for an empty list. `among`: number of products shown, if the library has more; else null. */
export function nothingFoundWords({ search, status }: LibraryFilters, among: number | null): string {
  const kind = status === '' ? '' : `${status} `;
  const where = among === null ? '' : ` among the ${formatCount(among)} shown`;
  return search === ''
    ? `There are no ${kind}products${where}.`
    : `No ${kind}products match “${search}”${where}.`;
}

type SyncRefusal = { message: string; inStore: { title: string; storeUrl: string } | null };

export type CardActions = ReturnType<typeof useCardActions>;

/** Actions of the cards. `sync` and `ask` are stable functions, so that only changed cards are drawn again. */
export function useCardActions() {
  const { mutateAsync } = useSyncProduct();
  const deletion = useDeleteProduct();
  const syncing = usePending<SyncRequest>(syncKey);
  const deleting = usePending<CallRequest<'deleteScanned'>>(deletionKey);
  const [toDelete, ask] = useState<ShownScanned | null>(null);
  /** Refused syncs by product id. `version`: the product's version at the refusal. */
  const [refusals, setRefusals] = useState<
    Readonly<Record<string, SyncRefusal & { version: number | null }>>
  >({});
  const sync = useCallback(
    ({ id, version }: ShownScanned, whenInStore?: MatchChoice) => {
      setRefusals(({ [id]: _before, ...others }) => others);
      mutateAsync({ id, ...(whenInStore === undefined ? {} : { whenInStore }) }).catch((error: Error) => {
        const message = serverMessageOf(error) || describeSyncFailure(error);
        setRefusals((now) => ({ ...now, [id]: { version, message, inStore: readStoreState(error) } }));
      });
    },
    [mutateAsync],
  );
  return {
    sync,
    isSyncing: (product: ShownScanned) => syncing.some(({ id }) => id === product.id),
    /** Returns the refusal of a product's sync; null if this version of the product was not refused. */
    refusalOf({ id, version }: ShownScanned): SyncRefusal | null {
      const refusal = refusals[id];
      return refusal?.version === version ? refusal : null;
    },
    toDelete,
    ask,
    isDeleting: ({ id }: ShownScanned) => deleting.some(({ params }) => params?.id === id),
    remove: ({ id }: ShownScanned) => deletion.mutate({ params: { id } }),
  };
}
