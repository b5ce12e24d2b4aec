import type { CanonicalField } from '@draftshelf/domain/canonical-fields';
import { Group, Text } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { ShownDetails, ShownImport } from '../../api/imports.ts';
import { useMapping } from '../../api/mapping.ts';
import { useReread } from '../../api/reread.ts';
import { LazyMappingEditor } from '../../components/mapping/lazy-mapping-editor.tsx';
import { mappingSetWords, noColumnWords } from '../../components/mapping/mapping-words.ts';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { lazily } from '../../lib/load-chunk.ts';
import { formerMapping } from './former-reading.ts';
import classes from './import.module.css';
import type { OnReread } from './import-dialect.tsx';
import { rereadBlock } from './reread-block.ts';

const RereadEffect = lazily(() =>
  import('../../components/reread/reread-effect.tsx').then((chunk) => chunk.RereadEffect),
);

const Remembered = lazily(() => import('./remembered.tsx').then((chunk) => chunk.Remembered));

type ImportMappingProps = {
  record: ShownImport;
  mappingSet: ShownDetails['mappingSet'];
  /** Required fields without a column. */
  missing: readonly CanonicalField[];
  onReread: OnReread;
};

/** What was set of an import's mapping, and a button to change it, which re-reads the stored file. */
export function ImportMapping({ record, mappingSet, missing, onReread }: ImportMappingProps) {
  const [changing, setChanging] = useState(false);
  const mapping = useMapping(record.id, changing);
  const change = useReread(record.id);
  const close = () => {
    setChanging(false);
    change.reset();
  };
  const words = [...missing.map(noColumnWords), mappingSetWords(mappingSet)].join(' ').trim();
  return (
    <Group gap={4} className={classes.reading ?? ''}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {words === '' ? 'All fields were matched automatically.' : words}
      </Text>
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        reason={rereadBlock(record)}
        onClick={() => setChanging(true)}
      >
        Change Mapping…
      </ReasonedButton>
      <LazyMappingEditor
        opened={changing}
        // A refused re-read reads the mapping again; the editor and its focus stay.
        columns={mapping.isFetching && change.isIdle ? undefined : mapping.data?.columns}
        loadError={mapping.isFetching ? null : mapping.error}
        onRetry={() => mapping.refetch()}
        save="Re-read File"
        note="We’ll read the stored file again with this mapping. Your edits are kept, and fields you haven’t set are matched again."
        saving={change.isPending}
        saveError={change.error}
        effectOf={(draft) => (
          <Suspense fallback={<Text size="sm">&nbsp;</Text>}>
            <RereadEffect
              importId={record.id}
              change={Object.keys(draft).length === 0 ? null : { mapping: draft }}
            />
          </Suspense>
        )}
        onSave={(changes) =>
          change.mutate(
            { mapping: changes },
            {
              onSuccess: () => {
                onReread(formerMapping(mapping.data?.columns ?? [], changes));
                close();
              },
            },
          )
        }
        onClose={close}
      >
        <Suspense fallback={null}>
          <Remembered columns={mapping.data?.columns} />
        </Suspense>
      </LazyMappingEditor>
    </Group>
  );
}
