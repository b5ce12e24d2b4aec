import { statusLabel } from '@draftshelf/domain/imports/import-status';
import { Group, Stack, Text, Title } from '@mantine/core';
import { IconRefresh, IconUpload, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { loaderOf } from '../../api/loader.ts';
import { addressNow } from '../../lib/address-now.ts';
import { useOfferedActions } from '../../ui/actions/offered-actions.ts';
import { Button } from '../../ui/button.tsx';
import { AsOf } from '../../ui/feedback/as-of.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { HelpTip } from '../../ui/help/help-tip.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { FilterField } from '../../ui/table/filter-field.tsx';
import { type ImportPage, importsRead, ReportInUrl, useImports, useRunningCount } from '../import/index.ts';
import { EmptyQueue, NothingFound } from './empty-queue.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { pageWords } from './page-words.ts';
import classes from './queue.module.css';
import { QueueList } from './queue-list.tsx';
import { useQueueActions } from './use-queue-actions.ts';

export function Component() {
  const [search, setSearch] = useSearchParams();
  const { file, status, before } = readAddress(search);
  const list = useImports(before);
  const setFilter = (filter: Partial<QueueAddress>) =>
    setSearch(addressOf({ ...readAddress(addressNow()), ...filter }), { replace: true });
  const goTo = (target: string | null) =>
    setSearch(addressOf({ ...readAddress(addressNow()), before: target }));
  const actions = useQueueActions();
  useOfferedActions([{ label: 'Refresh', key: null, reason: null, act: () => void list.refetch() }]);
  const running = useRunningCount();
  const page = list.data;
  const imports = page?.imports;
  const shown = imports?.filter(
    (record) =>
      record.filename.toLowerCase().includes(file.toLowerCase()) &&
      (status === null || record.status === status),
  );
  return (
    <Stack gap="lg">
      <title>{`${running > 0 ? `(${running}) ` : ''}Processing Queue · Draftshelf`}</title>
      <PageHeader title="Processing Queue" subtitle="Your imports, newest first.">
        <Button component={Link} to="/upload" leftSection={<IconUpload size={16} aria-hidden />}>
          Upload CSV
        </Button>
      </PageHeader>
      <HowItWorks isKnown={imports?.some(({ status }) => status === 'completed') ?? false} />
      <Stack component="section" aria-labelledby="active-jobs" gap="sm">
        <Group justify="space-between" gap="sm">
          <Title order={2} id="active-jobs">
            Active Jobs <HelpTip topic="progress tracking" /> <AsOf reading={list} />
          </Title>
          <Group gap="xs" className={classes.tools ?? ''}>
            {status !== null && <StatusFilter status={status} onClear={() => setFilter({ status: null })} />}
            <FilterField
              filter={file}
              disabled={page?.total === 0}
              onFilter={(text) => setFilter({ file: text })}
            />
            <RefreshButton onRefresh={list.refetch} />
          </Group>
        </Group>
        {list.isError && imports === undefined && (
          <ErrorPanel title="Couldn’t load the queue." cause={list.error.message}>
            Retrying every two seconds…
          </ErrorPanel>
        )}
        {(list.isPending || (shown?.length ?? 0) > 0) && <QueueList imports={shown} actions={actions} />}
        {page?.total === 0 && <EmptyQueue />}
        {imports !== undefined && imports.length > 0 && shown?.length === 0 && (
          <NothingFound
            words={file === '' ? 'No imports have this status now.' : `No imports match “${file}”.`}
            onClear={() => setFilter({ file: '', status: null })}
          />
        )}
        <ReportInUrl
          onAction={(action, report) => actions.run(report, action)}
          onOpen={actions.dismissReport}
        />
        {page !== undefined && (
          <QueuePages page={page} isFiltered={file !== '' || status !== null} onPage={goTo} />
        )}
      </Stack>
    </Stack>
  );
}

Component.loader = loaderOf(({ request }) => [importsRead(new URL(request.url).searchParams.get('before'))]);

/** Filter and page in the URL. */
type QueueAddress = { file: string; status: string | null; before: string | null };

function readAddress(search: URLSearchParams): QueueAddress {
  return { file: search.get('file') ?? '', status: search.get('status'), before: search.get('before') };
}

function addressOf({ file, status, before }: QueueAddress): Record<string, string> {
  return {
    ...(file === '' ? {} : { file }),
    ...(status === null ? {} : { status }),
    ...(before === null ? {} : { before }),
  };
}

/** The status filter, with a button that removes it. */
function StatusFilter({ status, onClear }: { status: string; onClear: () => void }) {
  const label = statusLabel(status);
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

/** Turns its icon while it reads, because the reply usually changes nothing on the screen. */
function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [isReading, setReading] = useState(false);
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden className={isReading ? classes.turning : undefined} />}
      aria-busy={isReading}
      onClick={() => {
        setReading(true);
        onRefresh().finally(() => setReading(false));
      }}
    >
      Refresh
    </Button>
  );
}

type QueuePagesProps = {
  page: ImportPage;
  isFiltered: boolean;
  /** Shows the imports before a cursor, or the newest if it is null. */
  onPage: (before: string | null) => void;
};

/** The part of all imports that is shown, and buttons for the others. Renders nothing if all are shown. */
function QueuePages({ page, isFiltered, onPage }: QueuePagesProps) {
  const isNewest = page.before === null;
  const words = pageWords({ shown: page.imports.length, total: page.total, isNewest, isFiltered });
  if (words === null) return null;
  return (
    <Group justify="center" gap="sm">
      <Text size="sm" c="dimmed" className="numbers">
        {words}
      </Text>
      {!isNewest && (
        <Button variant="default" size="compact-md" onClick={() => onPage(null)}>
          Show Newest
        </Button>
      )}
      {page.nextBefore !== null && (
        <Button variant="default" size="compact-md" onClick={() => onPage(page.nextBefore)}>
          Show Older
        </Button>
      )}
    </Group>
  );
}
