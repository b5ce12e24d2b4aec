import { Anchor, Text } from '@mantine/core';
import type { Reply } from '../../../api/call.ts';
import { countOf } from '../../../lib/intl.ts';
import { ViewDrawer } from '../../../ui/editor-drawer.tsx';
import { PagedList } from '../../../ui/paged-list.tsx';
import { StoreLink } from '../store-link.tsx';
import classes from './list.module.css';
import { changesUrl, useMissing } from './list-api.ts';
import { shownKey } from './list-tallies.ts';
import { itemWords } from './list-words.ts';

type MissingDrawerProps = {
  importId: string;
  /** The file of the earlier list. */
  since: string;
  count: number;
  opened: boolean;
  onClose: () => void;
};

/** What the earlier list had and this one has not, over the page. */
export function MissingDrawer({ opened, onClose, ...props }: MissingDrawerProps) {
  return (
    <ViewDrawer opened={opened} title="Not in this list" width={560} onClose={onClose}>
      <Missing {...props} />
    </ViewDrawer>
  );
}

function Missing({ importId, since, count }: Omit<MissingDrawerProps, 'opened' | 'onClose'>) {
  const pages = useMissing(importId);
  return (
    <div className="stack">
      <Text size="sm" className="numbers break-words">
        {countOf(count, 'row')} of {since} {count === 1 ? 'isn’t' : 'aren’t'} in this list. Nothing happens to{' '}
        {count === 1 ? 'its product' : 'their products'} in the store.{' '}
        <Anchor href={changesUrl(importId)} download inherit underline="always">
          Download all changes (CSV)
        </Anchor>
      </Text>
      <PagedList of={pages} what="what is missing" label="Not in this list">
        {({ items }) => items.map((item) => <MissingItem key={item.key} item={item} />)}
      </PagedList>
    </div>
  );
}

type Item = Reply<'listMissing'>['items'][number];

function MissingItem({ item }: { item: Item }) {
  const { title, storeUrl } = item;
  return (
    <li className={`row ${classes.item}`}>
      <div className="grow">
        <Text size="sm" fw={550} dir="auto" className="break-words">
          {title ?? 'No title'}
        </Text>
        <Text size="sm" c="dimmed" className="numbers break-words">
          {itemWords(item)}
        </Text>
      </div>
      {storeUrl !== null && <StoreLink url={storeUrl} name={title ?? shownKey(item.key)} />}
    </li>
  );
}
