import { Alert, Code, Collapse, CopyButton, Group, Skeleton, Stack, type StackProps } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { serverMessageOf } from '../../api/call.ts';
import { BodyText, Button, PlainButton, TextButton } from '../basics.tsx';

type FailedRead = { isError: boolean; isFetching: boolean; error: Error | null; refetch: () => unknown };

type ReadProps<Data> = {
  of: FailedRead & { data: Data | undefined };
  /** Name of the data, for example 'the rules'. */
  what: string;
  /** Shown until the data is read. */
  meanwhile: ReactNode;
  /** A poll's interval in words, as in 'every two seconds'. A poll's errors are shown only if there is no data. */
  retries?: string;
  children: (data: Data) => ReactNode;
};

/** Shows read data. If a later read fails, the data stays, and the error is shown above unless `retries` is set. */
export function ReadView<Data>({ of, what, meanwhile, retries, children }: ReadProps<Data>) {
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

/** Removes the failure of a further page from a paged read, because that failure is shown below the list. */
export const hideNextPageError = <Pages extends { isError: boolean; isFetchNextPageError: boolean }>(
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

type ShowMoreProps = {
  pages: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: () => unknown;
  };
  what: string;
};

export const MoreButton = ({ pages, what }: ShowMoreProps) => (
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

type SkeletonsProps = Pick<StackProps, 'gap' | 'className'> & { heights: readonly number[] };

/** Placeholders while data loads. Heights in pixels. */
export const Skeletons = ({ heights, ...stack }: SkeletonsProps) => (
  <Stack aria-hidden {...stack}>
    {heights.map((height, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a placeholder is identified by its position
      <Skeleton key={at} height={height} />
    ))}
  </Stack>
);

type PagedListProps<Page> = {
  of: UseInfiniteQueryResult<InfiniteData<Page>>;
  what: string;
  label: string;
  children: (page: Page) => ReactNode;
};

export function PagedList<Page>({ of, what, label, children }: PagedListProps<Page>) {
  return (
    <ReadView of={hideNextPageError(of)} what={what} meanwhile={<Skeleton height={320} aria-hidden />}>
      {({ pages }) => (
        <>
          <ul className="list" aria-label={label}>
            {pages.flatMap(children)}
          </ul>
          <MoreButton pages={of} what={what} />
        </>
      )}
    </ReadView>
  );
}

type ErrorPanelProps = {
  title: string;
  children?: ReactNode;
  /** The technical cause, at first folded. */
  cause?: string | null;
  tone?: 'failure' | 'warning';
};

export const ErrorPanel = ({ title, children, cause, tone = 'failure' }: ErrorPanelProps) => (
  <Alert
    role="alert"
    color={tone === 'failure' ? 'red' : 'yellow'}
    icon={<IconAlertTriangle aria-hidden />}
    title={title}
    styles={{ title: { overflowWrap: 'anywhere' } }}
  >
    <Stack gap="xs" align="flex-start">
      {typeof children === 'string' ? <BodyText>{children}</BodyText> : children}
      {cause !== undefined && cause !== null && cause !== '' && <FoldedText text={cause} />}
    </Stack>
  </Alert>
);

type CallFailureProps = {
  error: Error | null;
  title: string;
  /** Shown if the server gives no reason. */
  otherwise?: string;
  children?: ReactNode;
};

export function CallFailure({ error, title, otherwise, children }: CallFailureProps) {
  if (error === null) return null;
  const server = serverMessageOf(error);
  const hasCause = server === null && otherwise !== undefined;
  return (
    <ErrorPanel title={title} cause={hasCause ? error.message : null}>
      <BodyText>{server ?? otherwise ?? error.message}</BodyText>
      {children}
    </ErrorPanel>
  );
}

type FoldOutProps = {
  text: string;
  /** Name of the data in title case, for the button. */
  what?: string;
};

export function FoldedText({ text, what = 'Details' }: FoldOutProps) {
  const [open, setOpen] = useState(false);
  return (
    <Stack gap="xs" align="flex-start" w="100%">
      <Group gap="xs">
        <TextButton color="gray" px={0} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? `Hide ${what}` : `Show ${what}`}
        </TextButton>
        {open && (
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <TextButton color="gray" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </TextButton>
            )}
          </CopyButton>
        )}
      </Group>
      <Collapse expanded={open} w="100%">
        <Code block mah={320} style={{ overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Code>
      </Collapse>
    </Stack>
  );
}
