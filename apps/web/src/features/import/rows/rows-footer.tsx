import type { RowPage } from '@draftshelf/contract/review/rows';
import { Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { ActionIcon, Button } from '../../../ui/button.tsx';
import { Pager } from '../../../ui/table/pager.tsx';
import { filterOf, isNarrowed } from '../rows-address.ts';
import { EditBar } from './edit-bar.tsx';
import classes from './rows.module.css';
import { useRowsReview } from './rows-review.ts';
import { rangeWords } from './rows-words.ts';
import { SortState } from './sort-state.tsx';

/** What is unsaved or was fixed, and the pages. */
export function RowsFooter() {
  const { drafts, address, show, goTo, hasFilter, pageNumber, pages, heldRows, totalRows, problems, page } =
    useRowsReview();
  const { first, last } = page.sorted ?? { first: page.rows[0]?.row ?? 0, last: page.rows.at(-1)?.row ?? 0 };
  const leftOut = hasFilter ? heldRows.leftOut : 0;
  const fixed = useFixed(heldRows.fixed.size, leftOut);
  return (
    <div className={classes.pager} data-pager>
      {(drafts.unsaved.length + fixed + leftOut > 0 || problems.end !== null) && (
        <EditBar fixed={fixed} leftOut={leftOut} />
      )}
      {address.sort !== undefined && <SortState sort={address.sort} />}
      {!hasFilter && (
        <Pager
          page={pageNumber}
          pages={pages}
          range={`Rows ${formatCount(first)}–${formatCount(last)} of ${formatCount(totalRows)}`}
          onPage={(target) => goTo({ ...filterOf(address), page: target })}
        />
      )}
      {hasFilter && page.rows.length > 0 && (
        <FilteredPager
          page={page}
          stillMatch={heldRows.stillMatch}
          onClear={isNarrowed(address) ? () => show({}) : null}
          onPage={(key) => goTo({ ...filterOf(address), ...key })}
        />
      )}
    </div>
  );
}

/** How many rows of the filter were fixed since it was opened: those of the page, or more by a change of many rows. */
function useFixed(onPage: number, leftOut: number): number {
  const { record, address, hasFilter, page, isLoading } = useRowsReview();
  const key = JSON.stringify([record.id, { ...address, after: 0, before: 0 }]);
  const matching = page.matching ?? 0;
  const [first, setFirst] = useState({ key, matching });
  const isOther = first.key !== key || matching > first.matching;
  if (isOther && !isLoading) setFirst({ key, matching });
  if (!hasFilter) return 0;
  return onPage === 0 || isOther ? onPage : Math.max(onPage, first.matching - matching - leftOut);
}

/** The cursor of a page of filtered rows. */
export type PageKey = { after: number } | { before: number };

type PagingProps = { page: RowPage; onPage: (key: PageKey) => void };

/** `stillMatch`: the rows of the page that have not left the filter. */
type FilteredPagerProps = PagingProps & {
  stillMatch: number;
  /** Null: nothing but a class selects the rows. */
  onClear: (() => void) | null;
};

/** Moves between pages of filtered rows. They have no numbers, because the pages before a cursor are not counted. */
function FilteredPager({ page, stillMatch, onPage, onClear }: FilteredPagerProps) {
  const { rows, matching, earlier, later } = page;
  const first = page.sorted?.first ?? rows[0]?.row ?? 1;
  const last = page.sorted?.last ?? rows.at(-1)?.row ?? 0;
  const step = (label: string, enabled: boolean, key: PageKey, Icon: typeof IconChevronLeft) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      disabled={!enabled}
      onClick={() => onPage(key)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm">
        <Text role="status" size="sm" c="dimmed" className="numbers">
          {rangeWords({ onPage: rows.length, stillMatch, matching })}
        </Text>
        {onClear !== null && (
          <Button size="compact-sm" variant="default" onClick={onClear}>
            Clear Filters
          </Button>
        )}
      </Group>
      {(earlier || later) && (
        <Group component="nav" gap={2} aria-label="Pages">
          {step('First page', earlier, { after: 0 }, IconChevronsLeft)}
          {step('Previous page', earlier, { before: first }, IconChevronLeft)}
          {step('Next page', later, { after: last }, IconChevronRight)}
          {step('Last page', later, { before: page.totalRows + 1 }, IconChevronsRight)}
        </Group>
      )}
    </Group>
  );
}
