import type { PushFact } from '@draftshelf/contract/imports/before-push';
import type { MappingChanges } from '@draftshelf/contract/reading/mapping';
import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogEnd } from '../../../ui/dialog-end.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import type { ShownImport } from '../imports-api.ts';
import { RereadEffect } from './reread-effect.tsx';
import { type OnReread, rereadBlock } from './reread-rules.ts';
import { useMappingChange } from './use-mapping-change.ts';

const options = ['option1Value', 'option2Value', 'option3Value'] as const;

type CombineProps = { fact: PushFact; record: ShownImport; onReread: OnReread };

/** Makes rows of one title variants of one product, by a re-read with their options, after a look at what it does. */
export function CombineTitles({ fact: { columns = [] }, record, onReread }: CombineProps) {
  const [isOpened, setOpened] = useState(false);
  const { pending, change } = useMappingChange(record.id, onReread);
  const changes = Object.fromEntries(columns.map((column, at) => [column, options[at]])) as MappingChanges;
  const names = new Intl.ListFormat('en').format(columns);
  return (
    <>
      <ReasonedButton
        size="compact-sm"
        variant="default"
        reason={rereadBlock(record)}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        Combine…
      </ReasonedButton>
      <Modal opened={isOpened} onClose={() => setOpened(false)} title="Combine as variants">
        <Stack gap="md">
          <Text size="sm" className="break-words">
            {`Rows with the same title and brand become one product with a variant each. ${names} ${columns.length === 1 ? 'is its option' : 'are its options'}. The next file with these columns is read the same way.`}
          </Text>
          <RereadEffect importId={record.id} change={{ mapping: changes }} />
          <Text size="sm" c="dimmed">
            The file is read again, and your edits are kept. You can restore the previous reading.
          </Text>
          <DialogEnd
            reason={null}
            loading={pending !== null}
            onClick={() => void change(changes).then(() => setOpened(false))}
            onCancel={() => setOpened(false)}
          >
            Combine
          </DialogEnd>
        </Stack>
      </Modal>
    </>
  );
}
