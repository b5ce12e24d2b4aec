import { Group, Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { SampleButton } from './sample-button.tsx';

/** Shown at first use, with a sample file to try. */
export function EmptyQueue() {
  return (
    <Stack align="center" gap="sm" py="xl">
      <IconInbox size={36} stroke={1.5} aria-hidden />
      <Text fw={600}>No processing jobs found</Text>
      <FirstSteps />
    </Stack>
  );
}

/** First steps: try the sample file, or choose a file. */
export function FirstSteps() {
  return (
    <>
      <Text c="dimmed" ta="center">
        Upload a product CSV, or try it with a sample: a home decor manifest with about 50 rows.
      </Text>
      <Group gap="xs" justify="center">
        <SampleButton />
        <Button variant="default" component={Link} to="/upload">
          Choose a File
        </Button>
      </Group>
    </>
  );
}

/** Shown if no imports match the filter. */
export function NothingFound({ words, onClear }: { words: string; onClear: () => void }) {
  return (
    <Stack align="center" gap="sm" py="xl">
      <Text style={{ overflowWrap: 'anywhere' }}>{words}</Text>
      <Button variant="default" onClick={onClear}>
        Clear Filters
      </Button>
    </Stack>
  );
}
