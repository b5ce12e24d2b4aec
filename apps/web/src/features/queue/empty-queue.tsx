import { resolveSamplePictures, sampleFile } from '@draftshelf/domain/reading/sample';
import { Group, Stack, Text } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { Button, PlainButton } from '../../ui/basics.tsx';
import { ErrorPanel } from '../../ui/feedback/read.tsx';
import { useSettings } from '../settings/index.ts';
import { useUploadRun } from '../upload/index.ts';

export const EmptyQueue = () => (
  <Stack align="center" gap="sm" py="xl">
    <IconInbox size={36} stroke={1.5} aria-hidden />
    <Text fw={600}>No processing jobs found</Text>
    <FirstSteps />
  </Stack>
);

export const FirstSteps = () => (
  <>
    <Text c="dimmed" ta="center">
      Upload a product CSV, or try it with a sample: a home decor manifest with about 50 rows.
    </Text>
    <Group gap="xs" justify="center">
      <SampleButton />
      <PlainButton component={Link} to="/upload">
        Choose a File
      </PlainButton>
    </Group>
  </>
);

export const NoMatchingImports = ({ words, onClear }: { words: string; onClear: () => void }) => (
  <Stack align="center" gap="sm" py="xl">
    <Text style={{ overflowWrap: 'anywhere' }}>{words}</Text>
    <PlainButton onClick={onClear}>Clear Filters</PlainButton>
  </Stack>
);

/** `isCompact` shows the button within a line of text. */
export function SampleButton({ isCompact = false }: { isCompact?: boolean }) {
  const run = useUploadRun();
  const settings = useSettings().data;
  const navigate = useNavigate();
  const trySample = useMutation({
    mutationFn: fetchSample,
    onSuccess: (file) => {
      const enableUpc = settings?.upcLookup ?? true;
      const enableAi = settings?.aiValidation ?? true;
      run.start([{ file, options: { enableUpc, enableAi, testMode: false } }]);
      navigate('/upload');
    },
  });
  return (
    <>
      <Button
        variant="light"
        {...(isCompact && { size: 'compact-sm' })}
        loading={trySample.isPending}
        onClick={() => trySample.mutate()}
      >
        Try the Sample File
      </Button>
      {trySample.isError && (
        <ErrorPanel title="Couldn’t load the sample file." cause={trySample.error.message}>
          Reload the page and try again.
        </ErrorPanel>
      )}
    </>
  );
}

async function fetchSample(): Promise<File> {
  const response = await fetch(sampleFile.path);
  if (!response.ok) throw new Error(`${response.status}: ${sampleFile.path}`);
  const text = resolveSamplePictures(location.origin, await response.text());
  return new File([text], sampleFile.filename, { type: 'text/csv' });
}
