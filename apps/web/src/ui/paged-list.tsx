import { Skeleton } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { firstPageOf, Read } from './feedback/read.tsx';
import { ShowMore } from './show-more.tsx';

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
