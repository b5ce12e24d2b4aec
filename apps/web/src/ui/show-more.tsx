import { Text } from '@mantine/core';
import { Button } from './button.tsx';

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
