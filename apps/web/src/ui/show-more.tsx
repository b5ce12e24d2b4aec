import { Skeleton, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { PlainButton } from './button.tsx';
import { firstPageOf, Read } from './feedback/read.tsx';

type ShowMoreProps = {
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
  /** 'the products'. */
  what: string;
};

export function ShowMore({ pages, what }: ShowMoreProps) {
  return (
    <>
      {pages.hasNextPage && (
        <div>
          <PlainButton loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Show More
          </PlainButton>
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
  /** 'the pictures'. */
  what: string;
  label: string;
  children: (page: Page) => ReactNode;
};

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
