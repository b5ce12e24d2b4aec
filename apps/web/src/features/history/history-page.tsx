import { historyImportsMax } from '@draftshelf/domain/imports/import-status';
import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { fillImport } from '../../api/bare-replies.ts';
import { freshMs, readOf } from '../../api/call.ts';
import { createLoader } from '../../api/query-client.ts';
import { formatCount } from '../../lib/intl.ts';
import { readCurrentParams } from '../../lib/paths.ts';
import { PlainButton, QuietText } from '../../ui/basics.tsx';
import { EmptyState } from '../../ui/brand.tsx';
import { ReadFailure } from '../../ui/feedback/read.tsx';
import { PageHeader, UploadLink } from '../../ui/page-header.tsx';
import { countPages, Pager } from '../../ui/table/record-table.tsx';
import { SearchField } from '../../ui/table/search-field.tsx';
import { ReportInUrl } from '../import/index.ts';
import { useNamedSuppliers } from '../suppliers/index.ts';
import classes from './history.module.css';
import {
  type HistoryAddress,
  HistoryList,
  isFiltered,
  readHistoryFilters,
  toHistoryParams,
  useHistoryActions,
} from './history-list.tsx';

const importsPerPage = 50;

export function Component() {
  const [search, setSearch] = useSearchParams();
  const filters = readHistoryFilters(search);
  const show = (changed: Partial<HistoryAddress>, options?: { replace: boolean }) =>
    setSearch(toHistoryParams({ ...readHistoryFilters(readCurrentParams()), ...changed }), options);
  const history = useQuery({ ...historyRead(filters), placeholderData: keepPreviousData });
  const actions = useHistoryActions();
  const imports = history.data?.filter((record) =>
    record.filename.toLowerCase().includes(filters.file.toLowerCase()),
  );
  const pages = countPages(imports?.length ?? 0, importsPerPage);
  const page = Math.min(filters.page, pages);
  const first = (page - 1) * importsPerPage;
  const rows = imports?.slice(first, first + importsPerPage);
  const count = rows?.length ?? 0;
  return (
    <Stack gap="lg">
      <title>History · Draftshelf</title>
      <PageHeader
        title="History"
        subtitle="Imports that have ended, newest first. Editing or undoing a pushed import moves it back to the queue."
      />
      <HistoryFilterBar
        filters={filters}
        onChange={(changed, options) => show({ page: 1, ...changed }, options)}
      />
      <ReadFailure what="the history" reads={[history]} />
      {imports?.length === 0 && (
        <NothingFound isFiltered={isFiltered(filters)} onClear={() => setSearch({})} />
      )}
      {(history.isPending || count > 0) && (
        <HistoryList imports={rows} actions={actions} isStale={history.isPlaceholderData} />
      )}
      {history.data !== undefined && history.data.length >= historyImportsMax && (
        <QuietText ta="center">
          {`The newest ${formatCount(historyImportsMax)} imports are listed. Choose a date to see older ones.`}
        </QuietText>
      )}
      {imports !== undefined && pages > 1 && (
        <Pager
          page={page}
          pages={pages}
          range={`Imports ${formatCount(first + 1)}–${formatCount(first + count)} of ${formatCount(imports.length)}`}
          onPage={(target) => show({ page: target })}
        />
      )}
      <ReportInUrl onAction={(action, report) => actions.run(report, action)} />
    </Stack>
  );
}

Component.loader = createLoader(({ request }) => [
  historyRead(readHistoryFilters(new URL(request.url).searchParams)),
]);

const NothingFound = ({ isFiltered: filtered, onClear }: { isFiltered: boolean; onClear: () => void }) => (
  <EmptyState>
    <Text fw={600}>No processing history found</Text>
    <Text c="dimmed">Try adjusting your filters</Text>
    {!filtered && (
      <Text c="dimmed">No filter is set. Imports are listed once they’re pushed, failed or cancelled.</Text>
    )}
    <Group justify="center" mt="sm">
      {filtered ? <PlainButton onClick={onClear}>Clear Filters</PlainButton> : <UploadLink />}
    </Group>
  </EmptyState>
);

const everyStatus = 'all';

const statuses = [
  { value: everyStatus, label: 'All Status' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];

type HistoryFilterBarProps = {
  filters: HistoryAddress;
  onChange: (changed: Partial<HistoryAddress>, options?: { replace: boolean }) => void;
};

function HistoryFilterBar({ filters, onChange }: HistoryFilterBarProps) {
  // The server compares dates in UTC.
  const today = new Date().toISOString().slice(0, 10);
  const isToday = filters.date === today;
  const suppliers = useNamedSuppliers();
  return (
    <Group gap="xs" className={classes.filters ?? ''}>
      <Select
        aria-label="Status"
        data={statuses}
        value={filters.status === '' ? everyStatus : filters.status}
        onChange={(status) => onChange({ status: status === everyStatus ? '' : (status ?? '') })}
        className={classes.filter ?? ''}
      />
      <TextInput
        type="date"
        aria-label="Completed on (UTC)"
        title="The day on which the import ended, in UTC"
        value={filters.date}
        onChange={(event) => onChange({ date: event.currentTarget.value })}
        className={classes.filter ?? ''}
      />
      <PlainButton aria-pressed={isToday} onClick={() => onChange({ date: isToday ? '' : today })}>
        {isToday ? 'Any Date' : 'Today'}
      </PlainButton>
      {suppliers.length > 0 && (
        <Select
          aria-label="Supplier"
          placeholder="All Suppliers"
          clearable
          searchable
          data={suppliers.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={filters.supplier || null}
          onChange={(supplier) => onChange({ supplier: supplier ?? '' })}
          className={classes.filter ?? ''}
        />
      )}
      <SearchField
        label="Filter by file name"
        text={filters.file}
        onText={(file) => onChange({ file }, { replace: true })}
      />
    </Group>
  );
}

/** `date`: the beginning of the completion time, for example a day or a month; '' for all imports. */
type HistoryFilters = { status: string; date: string; supplier: string };

const historyRead = ({ status, date, supplier }: HistoryFilters) => {
  const given = Object.entries({ status, date, supplier }).filter(([, value]) => value !== '');
  const query = Object.fromEntries(given);
  const request = Object.keys(query).length === 0 ? {} : { query };
  return queryOptions({
    ...readOf('listHistory', request, (reply) =>
      reply.map((ended) => ({ undone: null, ...fillImport(ended) })),
    ),
    staleTime: freshMs,
  });
};
