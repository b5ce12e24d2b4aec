import { Skeleton, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { firstPageOf, Read } from './feedback/read.tsx';

type ShowMoreProps = {
  /** The pages of a list, from `useInfiniteQuery`. */
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
  /** What is listed: 'the products'. */
  what: string;
};

/** The button below a list that reads its next page, and why that failed. */
export function ShowMore({ pages, what }: ShowMoreProps) {
  return (
    <>
      {pages.hasNextPage && (
        <div>
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show More
          </Button>
        </div>
      )}
      {pages.isFetchNextPageError && (
        <Text size="sm" role="alert">
          The rest of {what} couldn’t be loaded: {pages.error?.message}
        </Text>
      )}
    </>
  );
}

type PagedListProps<Page> = {
  of: UseInfiniteQueryResult<InfiniteData<Page>>;
  /** What is listed: 'the pictures'. */
  what: string;
  label: string;
  /** The lines of a page. */
  children: (page: Page) => ReactNode;
};

/** A list that is read page by page: the lines so far, and the next page on click. */
export function PagedList<Page>({ of, what, label, children }: PagedListProps<Page>) {
  return (
    <Read of={firstPageOf(of)} what={what} meanwhile={<Skeleton height={320} aria-hidden />}>
      {({ pages }) => (
        <>
          <ul className="list" aria-label={label}>
            {pages.flatMap(children)}
          </ul>
          <ShowMore pages={of} what={what} />
        </>
      )}
    </Read>
  );
}
