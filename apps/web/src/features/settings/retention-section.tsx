import { type RetentionName, retentionNames } from '@draftshelf/domain/access/preferences';
import { Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { countOf } from '../../lib/intl.ts';
import { Read } from '../../ui/feedback/read.tsx';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { retentionRead, useRetention } from '../import/index.ts';
import { usePreferencesSave } from './preferences-api.ts';

const words: Record<RetentionName, { label: string; description: string; variable: string }> = {
  keepRowsDays: {
    label: 'Rows',
    description:
      'Days after an import has ended. Its page then offers to read the file again. Edits and results are kept.',
    variable: 'KEEP_ROWS_DAYS',
  },
  keepFilesDays: {
    label: 'Files',
    description: 'Days after an import has ended. A removed file can’t be read again.',
    variable: 'KEEP_FILES_DAYS',
  },
};

const choices = [7, 14, 30, 90, 180, 365, 730];
const never = 'Never removed';

export function RetentionSection() {
  return (
    <Stack component="section" gap="md" aria-labelledby="disk-space">
      <Title order={2} id="disk-space">
        Disk space
      </Title>
      <Read of={useRetention()} what="the disk-space settings" meanwhile={<Skeleton height={240} />}>
        {(retention) =>
          retentionNames.map((name) => <KeptDays key={name} name={name} retention={retention[name]} />)
        }
      </Read>
    </Stack>
  );
}

type KeptDaysProps = { name: RetentionName; retention: { days: number | null; isFixed: boolean } };

function KeptDays({ name, retention: { days, isFixed } }: KeptDaysProps) {
  const client = useQueryClient();
  const save = usePreferencesSave();
  const failure = useFailureToast();
  const { label, description, variable } = words[name];
  const all = [...new Set([...choices, ...(days === null ? [] : [days])])].sort((a, b) => a - b);
  const change = (choice: string | null) => {
    if (choice === null) return;
    save.mutate(
      { [name]: choice === never ? null : Number(choice) },
      {
        onError: (error) => failure.show('Couldn’t save the disk-space settings', error.message),
        onSettled: () => client.invalidateQueries({ queryKey: retentionRead().queryKey }),
      },
    );
  };
  return (
    <Stack gap={4}>
      <Select
        label={label}
        description={description}
        w={{ base: '100%', sm: 300 }}
        disabled={isFixed || save.isPending}
        allowDeselect={false}
        data={[...all.map((count) => ({ value: String(count), label: countOf(count, 'day') })), never]}
        value={days === null ? never : String(days)}
        onChange={change}
      />
      {isFixed && (
        <Text size="xs" c="dimmed">
          Set by the environment variable {variable}.
        </Text>
      )}
    </Stack>
  );
}
