import { Group, Select, TextInput } from '@mantine/core';
import { Button } from '../../ui/button.tsx';
import { FilterField } from '../../ui/table/filter-field.tsx';
import classes from './history.module.css';
import type { HistoryAddress } from './history-address.ts';

const everyStatus = 'all';

/** The specification's options. */
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

export function HistoryFilterBar({ filters, onChange }: HistoryFilterBarProps) {
  // The server compares dates in UTC.
  const today = new Date().toISOString().slice(0, 10);
  const isToday = filters.date === today;
  return (
    <Group gap="xs" className={classes.filters}>
      <Select
        aria-label="Status"
        data={statuses}
        value={filters.status === '' ? everyStatus : filters.status}
        onChange={(status) => onChange({ status: status === everyStatus ? '' : (status ?? '') })}
        className={classes.status ?? ''}
      />
      <TextInput
        type="date"
        aria-label="Completed on (UTC)"
        title="The day on which the import ended, in UTC"
        value={filters.date}
        onChange={(event) => onChange({ date: event.currentTarget.value })}
        className={classes.date ?? ''}
      />
      <Button
        variant="default"
        aria-pressed={isToday}
        onClick={() => onChange({ date: isToday ? '' : today })}
      >
        {isToday ? 'Any Date' : 'Today'}
      </Button>
      <FilterField filter={filters.file} onFilter={(file) => onChange({ file }, { replace: true })} />
    </Group>
  );
}
