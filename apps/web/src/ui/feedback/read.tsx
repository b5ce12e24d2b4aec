import { Skeleton } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatClock } from '../../lib/intl.ts';
import { Button, PlainButton } from '../button.tsx';
import { Hint } from '../hint.tsx';
import { BodyText, QuietText } from '../text.tsx';
import { ErrorPanel } from './error-panel.tsx';

type FailedRead = { isError: boolean; isFetching: boolean; error: Error | null; refetch: () => unknown };

type ReadProps<Data> = {
  of: FailedRead & { data: Data | undefined };
  /** 'the rules'. */
  what: string;
  /** Shown until it has been read. */
  meanwhile: ReactNode;
  /** 'every two seconds', for polls. Data that was read once then stays without an error. */
  retries?: string;
  children: (data: Data) => ReactNode;
};

/** If a repeated read fails, the earlier data stays below the error. */
export function Read<Data>({ of, what, meanwhile, retries, children }: ReadProps<Data>) {
  return (
    <>
      {retries === undefined ? (
        <ReadFailure what={what} reads={[of]} />
      ) : (
        of.isError &&
        of.data === undefined && (
          <ErrorPanel title={titleOf(what)} cause={of.error?.message ?? null}>
            {`Retrying ${retries}…`}
          </ErrorPanel>
        )
      )}
      {of.data !== undefined ? children(of.data) : !of.isError && meanwhile}
    </>
  );
}

/** Hides the failure of a further page, which is shown below the list. */
export const firstPageOf = <Pages extends { isError: boolean; isFetchNextPageError: boolean }>(
  pages: Pages,
) => ({ ...pages, isError: pages.isError && !pages.isFetchNextPageError });

const titleOf = (what: string) => `Couldn’t load ${what}.`;

export function ReadFailure({ what, reads }: { what: string; reads: readonly FailedRead[] }) {
  const failed = reads.filter(({ isError }) => isError);
  if (failed.length === 0) return null;
  return (
    <ErrorPanel title={titleOf(what)} cause={failed[0]?.error?.message ?? null}>
      <Button
        busy={failed.some(({ isFetching }) => isFetching)}
        onClick={() => {
          for (const { refetch } of failed) void refetch();
        }}
      >
        Try Again
      </Button>
    </ErrorPanel>
  );
}

type AsOfProps = {
  /** The poll that shows the data. */
  reading: { isError: boolean; data: unknown; dataUpdatedAt: number; error: Error | null };
};

/** Shown when the last poll failed. The top bar says if the server is gone. */
export const AsOf = ({ reading: { isError, data, dataUpdatedAt, error } }: AsOfProps) =>
  !isError || data === undefined ? null : (
    <Hint
      text={`Couldn’t be read since then: ${error?.message ?? 'unknown cause'}. It is tried again every two seconds.`}
    >
      <QuietText span fw={400} className="numbers" tabIndex={0}>
        as of {formatClock(dataUpdatedAt)}
      </QuietText>
    </Hint>
  );

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

export const ShowMore = ({ pages, what }: ShowMoreProps) => (
  <>
    {pages.hasNextPage && (
      <div>
        <PlainButton loading={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Show More
        </PlainButton>
      </div>
    )}
    {pages.isFetchNextPageError && (
      <BodyText role="alert">
        The rest of {what} couldn’t be loaded: {pages.error?.message}
      </BodyText>
    )}
  </>
);

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
