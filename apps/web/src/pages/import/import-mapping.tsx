import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { ShownDetails, ShownImport } from '../../api/imports.ts';
import { useMapping, useMappingChange, useRecalledMapping } from '../../api/mapping.ts';
import { LazyMappingEditor } from '../../components/mapping/lazy-mapping-editor.tsx';
import { mappingSetWords } from '../../components/mapping/mapping-words.ts';
import { RememberedNote } from '../../components/mapping/remembered-note.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { rereadBlock } from './reread-block.ts';

type ImportMappingProps = { job: ShownImport; mappingSet: ShownDetails['mappingSet'] };

/** What was set of an import's mapping, and a button to change it, which re-reads the stored file. */
export function ImportMapping({ job, mappingSet }: ImportMappingProps) {
  const [changing, setChanging] = useState(false);
  const mapping = useMapping(job.id, changing);
  const change = useMappingChange(job.id);
  const close = () => {
    setChanging(false);
    change.reset();
  };
  const words = mappingSetWords(mappingSet);
  return (
    <Group gap="xs">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {words === '' ? 'All fields were matched automatically.' : words}
      </Text>
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        reason={rereadBlock(job)}
        onClick={() => setChanging(true)}
      >
        Change Mapping…
      </ReasonedButton>
      <LazyMappingEditor
        opened={changing}
        columns={mapping.isFetching ? undefined : mapping.data?.columns}
        loadError={mapping.isFetching ? null : mapping.error}
        onRetry={() => mapping.refetch()}
        save="Re-read File"
        note="We’ll read the stored file again with this mapping. Your edits are kept, and fields you haven’t set are matched again."
        saving={change.isPending}
        saveError={change.error}
        onSave={(changes) => change.mutate(changes, { onSuccess: close })}
        onClose={close}
      >
        <Remembered columns={mapping.data?.columns} />
      </LazyMappingEditor>
    </Group>
  );
}

/** Names the file that columns are remembered from, if they are. */
function Remembered({
  columns,
}: {
  columns: NonNullable<ReturnType<typeof useMapping>['data']>['columns'] | undefined;
}) {
  const from = columns?.find(({ setBy }) => setBy === 'memory')?.rememberedFrom ?? null;
  const headers = from === null ? null : (columns ?? []).map(({ header }) => header);
  const recalled = useRecalledMapping(headers).data?.mapping;
  if (from === null) return null;
  const fingerprint = recalled?.filename === from ? recalled.fingerprint : null;
  return <RememberedNote filename={from} fingerprint={fingerprint} />;
}
