import type { Category } from '@draftshelf/contract/push/readiness';
import { formatFieldValue } from '@draftshelf/domain/base/field-value';
import { Anchor, Group, Select, Skeleton, Stack, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { readOf } from '../../../api/call.ts';
import { countOf } from '../../../lib/intl.ts';
import { valueRowsPath } from '../../../lib/paths.ts';
import { QuietText, SubtleButton } from '../../../ui/basics.tsx';
import { ReadView } from '../../../ui/feedback/read.tsx';
import { useCall } from '../../../ui/feedback/use-call.ts';
import { ViewDrawer } from '../../../ui/overlays.tsx';
import classes from './readiness.module.css';
import { type Readiness, ReadinessFields, readinessRead } from './readiness-fields.tsx';

type ReadinessDrawerProps = { importId: string; opened: boolean; onClose: () => void };

/** Shows the readiness of the products. The operator also maps each category of the supplier to a store category. */
export function ReadinessDrawer({ importId, opened, onClose }: ReadinessDrawerProps) {
  const reading = useQuery({ ...readinessRead(importId), enabled: opened });
  return (
    <ViewDrawer opened={opened} title="Readiness" width={680} onClose={onClose}>
      <ReadView of={reading} what="the readiness" meanwhile={<Skeleton height={420} aria-hidden />}>
        {(readiness) => (
          <Stack gap="md">
            <ReadinessFields importId={importId} readiness={readiness} onShow={onClose} />
            <Categories importId={importId} readiness={readiness} onClose={onClose} />
          </Stack>
        )}
      </ReadView>
    </ViewDrawer>
  );
}

type PartProps = { importId: string; readiness: Readiness; onClose: () => void };

function Categories({ importId, readiness: { paths }, onClose }: PartProps) {
  if (paths.length === 0) {
    return <QuietText>Map a column to type to choose Shopify’s category for each of its values.</QuietText>;
  }
  return (
    <section aria-labelledby="own-categories">
      <Title order={3} id="own-categories">
        Categories
      </Title>
      <QuietText>
        Choose a Shopify category for each category of the supplier. Your choice is remembered for later lists
        and sent with the next push. A category that a product already has in the store stays, unless
        Draftshelf set it.
      </QuietText>
      <ul className="list">
        {paths.map(({ path, field, products, category }) => (
          <li key={`${field} ${path}`} className={`${classes.path} grid gap-sm pad-y-xs line-below`}>
            <div className="break-words">
              <div className="strong" dir="auto">
                {path}
              </div>
              <Anchor
                component={Link}
                to={valueRowsPath(importId, formatFieldValue({ field, value: path }))}
                onClick={onClose}
              >
                {countOf(products, 'product')}
              </Anchor>
            </div>
            <CategorySelect importId={importId} path={path} category={category} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const searchWaitMs = 250;

type CategorySelectProps = { importId: string; path: string; category: Category | null };

/** Returns the last part of a category path, with which the search for a store category begins. */
const lastPart = (path: string): string =>
  path
    .split(/[>/|»›]/)
    .at(-1)
    ?.trim() ?? path;

function CategorySelect({ importId, path, category }: CategorySelectProps) {
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [sought] = useDebouncedValue(
    search.trim() === (category?.name ?? '') ? '' : search.trim(),
    searchWaitMs,
  );
  const q = sought || lastPart(path);
  const found = useQuery({ ...readOf('findCategories', { query: { q } }), enabled: isOpen });
  const choose = useCall('chooseCategory', { failed: 'Couldn’t set the category' });
  const set = (chosen: Category | null) =>
    choose.mutate({ params: { id: importId }, body: { path, category: chosen } });
  const categories = found.data?.categories ?? [];
  const all =
    category && !categories.some(({ id }) => id === category.id) ? [category, ...categories] : categories;
  return (
    <Group gap={6} wrap="nowrap" align="start">
      <Select
        className="grow"
        aria-label={`Shopify category for ${path}`}
        placeholder="Search Shopify’s categories"
        data={all.map(({ id, name }) => ({ value: id, label: name }))}
        value={category?.id ?? null}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        onDropdownOpen={() => setOpen(true)}
        // The store has already filtered the options.
        filter={({ options }) => options}
        nothingFoundMessage={
          found.isError
            ? 'The store doesn’t answer'
            : found.isFetching
              ? 'Searching…'
              : 'No such category. Try one word.'
        }
        maxDropdownHeight={320}
        onChange={(id) => {
          const chosen = all.find((one) => one.id === id);
          if (chosen) set(chosen);
        }}
      />
      {category && (
        <SubtleButton aria-label={`Remove the category of ${path}`} onClick={() => set(null)}>
          Remove
        </SubtleButton>
      )}
    </Group>
  );
}
