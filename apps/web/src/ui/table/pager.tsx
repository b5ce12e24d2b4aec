import { Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { formatCount } from '../../lib/intl.ts';
import { ActionIcon, Button } from '../button.tsx';
import { QuietText } from '../text.tsx';

type PagerProps = {
  page: number;
  pages: number;
  /** 'Rows 26–50 of 60'. */
  range: string;
  onPage: (page: number) => void;
};

export function Pager({ page, pages, range, onPage }: PagerProps) {
  const step = (label: string, target: number, Icon: typeof IconChevronLeft) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      disabled={target === page || target < 1 || target > pages}
      onClick={() => onPage(target)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group justify="space-between" gap="sm">
      <QuietText role="status" className="numbers">
        {range}
      </QuietText>
      {pages > 1 && (
        <Group component="nav" gap={2} aria-label="Pages">
          {step('First page', 1, IconChevronsLeft)}
          {step('Previous page', page - 1, IconChevronLeft)}
          {pageNumbers(page, pages).map((number) => (
            <Button
              key={number}
              size="compact-md"
              px="xs"
              miw={36}
              h={34}
              className="numbers"
              variant={number === page ? 'filled' : 'subtle'}
              color={number === page ? undefined : 'gray'}
              aria-current={number === page ? 'page' : undefined}
              onClick={() => onPage(number)}
            >
              {formatCount(number)}
            </Button>
          ))}
          {step('Next page', page + 1, IconChevronRight)}
          {step('Last page', pages, IconChevronsRight)}
        </Group>
      )}
    </Group>
  );
}

/** The specification's maximum. */
const pageButtonsMax = 5;

/** Around the current page and within the range. */
export function pageNumbers(current: number, pages: number): number[] {
  const shown = Math.min(pageButtonsMax, pages);
  const first = Math.min(
    Math.max(1, current - Math.floor(pageButtonsMax / 2)),
    Math.max(1, pages - shown + 1),
  );
  return Array.from({ length: shown }, (_, index) => first + index);
}

/** At least 1. */
export const pageCount = (total: number, perPage: number): number => Math.max(1, Math.ceil(total / perPage));
