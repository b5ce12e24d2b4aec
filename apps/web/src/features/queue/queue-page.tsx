import { statusLabel } from '@draftshelf/domain/imports/import-status';
import { Group, Stack, Title } from '@mantine/core';
import { IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { createLoader } from '../../api/query-client.ts';
import { awaitingAnswerStatus, readCurrentParams, toFilterStatus } from '../../lib/paths.ts';
import { Button, PlainButton, QuietText } from '../../ui/basics.tsx';
import { ReadView } from '../../ui/feedback/read.tsx';
import { HelpTip, LastReadTime, TitledSection } from '../../ui/hint.tsx';
import { useMedia } from '../../ui/hooks.ts';
import { useOfferedActions } from '../../ui/keys.ts';
import { PageHeader, UploadLink } from '../../ui/page-header.tsx';
import { SearchField } from '../../ui/table/search-field.tsx';
import {
  countOpenQuestions,
  type ImportPage,
  importsRead,
  ReportInUrl,
  type ShownImport,
  useImports,
  useRunningCount,
} from '../import/index.ts';
import { EmptyQueue, NoMatchingImports } from './empty-queue.tsx';
import classes from './queue.module.css';
import { describeQueuePage, QueueList, useQueueActions } from './queue-list.tsx';

export function Component() {
  const [search, setSearch] = useSearchParams();
  const address = readAddress(search);
  const list = useImports(address.before);
  const setFilter = (filter: Partial<QueueAddress>) =>
    setSearch(addressOf({ ...readAddress(readCurrentParams()), ...filter }), { replace: true });
  const goTo = (before: string | null) =>
    setSearch(addressOf({ ...readAddress(readCurrentParams()), before }));
  const actions = useQueueActions();
  useOfferedActions([{ label: 'Refresh', key: null, reason: null, act: () => void list.refetch() }]);
  const running = useRunningCount();
  const imports = list.data?.imports;
  return (
    <Stack gap="lg">
      <title>{`${running > 0 ? `(${running}) ` : ''}Processing Queue · Draftshelf`}</title>
      <PageHeader title="Processing Queue" subtitle="Your imports, newest first.">
        <UploadLink />
      </PageHeader>
      <Stack component="section" aria-labelledby="active-jobs" gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="active-jobs">
            Active Jobs <HelpTip topic="progress tracking" /> <LastReadTime reading={list} />
          </Title>
          <Group gap="xs" className={classes.tools ?? ''}>
            {address.status !== null && (
              <StatusFilter status={address.status} onClear={() => setFilter({ status: null })} />
            )}
            <SearchField
              label="Filter by file name"
              text={address.file}
              disabled={list.data?.total === 0}
              onText={(file) => setFilter({ file })}
            />
            <RefreshButton onRefresh={list.refetch} />
          </Group>
        </Group>
        <ReadView
          of={list}
          what="the queue"
          meanwhile={<QueueList imports={undefined} actions={actions} />}
          retries="every two seconds"
        >
          {(page) => <Imports page={page} address={address} actions={actions} onFilter={setFilter} />}
        </ReadView>
        <ReportInUrl onAction={(action, report) => actions.run(report, action)} />
        {list.data !== undefined && (
          <QueuePages page={list.data} isFiltered={isFiltered(address)} onPage={goTo} />
        )}
      </Stack>
      {/* This section comes last, so that it moves no import when it has loaded. */}
      {imports !== undefined && (
        <HowItWorks hasCompleted={imports.some(({ status }) => status === 'completed')} />
      )}
    </Stack>
  );
}

Component.loader = createLoader(({ request }) => [
  importsRead(new URL(request.url).searchParams.get('before')),
]);

type QueueAddress = { file: string; status: string | null; before: string | null };

const readAddress = (search: URLSearchParams): QueueAddress => ({
  file: search.get('file') ?? '',
  status: search.get('status'),
  before: search.get('before'),
});

const addressOf = ({ file, status, before }: QueueAddress): Record<string, string> => ({
  ...(file === '' ? {} : { file }),
  ...(status === null ? {} : { status }),
  ...(before === null ? {} : { before }),
});

const isFiltered = ({ file, status }: QueueAddress) => file !== '' || status !== null;

const steps = [
  { name: 'File upload', text: 'Your CSV is stored unchanged and split into chunks.' },
  { name: 'Field mapping', text: 'Columns are matched to product fields.' },
  { name: 'Validation', text: 'Each row is checked for a title and a valid price.' },
  { name: 'Store upload', text: 'Once you’ve reviewed them, products are pushed as drafts by default.' },
  { name: 'Completion', text: 'See what happened to each product, with a link to the store.' },
] as const;

/** Unfolded at first if no import was pushed yet and the window is wide. */
function HowItWorks({ hasCompleted }: { hasCompleted: boolean }) {
  const isWide = useMedia('(min-width: 75em)');
  return (
    <TitledSection
      id="how-it-works"
      title="How the Queue Works"
      className="panel"
      folded={hasCompleted || !isWide}
    >
      <ol className={`list ${classes.steps} grid gap-md size-sm`}>
        {steps.map((step, index) => (
          <li key={step.name} className="row top">
            <span className={`${classes.stepNumber} rigid selected bold centered`} aria-hidden>
              {index + 1}
            </span>
            <span>
              <strong>{step.name}</strong>
              <br />
              {step.text}
            </span>
          </li>
        ))}
      </ol>
    </TitledSection>
  );
}

function StatusFilter({ status, onClear }: { status: string; onClear: () => void }) {
  const label = status === awaitingAnswerStatus ? 'with a question' : statusLabel(status);
  return (
    <Button
      variant="light"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Only ${label}. Show all imports`}
      onClick={onClear}
    >
      Only {label}
    </Button>
  );
}

/** The icon turns during the read, because the reply usually changes nothing on the screen. */
function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [isReading, setReading] = useState(false);
  return (
    <PlainButton
      leftSection={<IconRefresh size={16} aria-hidden className={isReading ? classes.turning : undefined} />}
      aria-busy={isReading}
      onClick={() => {
        setReading(true);
        onRefresh().finally(() => setReading(false));
      }}
    >
      Refresh
    </PlainButton>
  );
}

/** Returns the status to show. An import with open questions is not shown as ready. */
const shownStatus = (record: ShownImport): string =>
  toFilterStatus(record.status, countOpenQuestions(record) > 0);

type ImportsProps = {
  page: ImportPage;
  address: QueueAddress;
  actions: ReturnType<typeof useQueueActions>;
  onFilter: (filter: Partial<QueueAddress>) => void;
};

function Imports({ page, address: { file, status }, actions, onFilter }: ImportsProps) {
  const matches = page.imports.filter(
    (record) =>
      record.filename.toLowerCase().includes(file.toLowerCase()) &&
      (status === null || shownStatus(record) === status),
  );
  if (page.total === 0) return <EmptyQueue />;
  if (matches.length > 0) return <QueueList imports={matches} actions={actions} />;
  if (page.imports.length === 0) return null;
  return (
    <NoMatchingImports
      words={file === '' ? 'No imports have this status now.' : `No imports match “${file}”.`}
      onClear={() => onFilter({ file: '', status: null })}
    />
  );
}

type QueuePagesProps = {
  page: ImportPage;
  isFiltered: boolean;
  /** A null `before` shows the newest imports. */
  onPage: (before: string | null) => void;
};

function QueuePages({ page, isFiltered: isSearch, onPage }: QueuePagesProps) {
  const isNewest = page.before === null;
  const words = describeQueuePage({
    count: page.imports.length,
    total: page.total,
    isNewest,
    isFiltered: isSearch,
  });
  if (words === null) return null;
  return (
    <Group justify="center" gap="sm">
      <QuietText className="numbers">{words}</QuietText>
      {!isNewest && (
        <PlainButton size="compact-md" onClick={() => onPage(null)}>
          Show Newest
        </PlainButton>
      )}
      {page.nextBefore !== null && (
        <PlainButton size="compact-md" onClick={() => onPage(page.nextBefore)}>
          Show Older
        </PlainButton>
      )}
    </Group>
  );
}
