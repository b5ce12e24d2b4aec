import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogEnd } from '../../../ui/dialog-end.tsx';
import { CallFailure } from '../../../ui/feedback/error-panel.tsx';
import { DialectFields } from './dialect-fields.tsx';
import { keysOf, type ReadDialect } from './dialect-words.ts';
import { useReread, useTables } from './mapping-api.ts';
import { RereadEffect } from './reread-effect.tsx';
import { formerDialect, type OnReread } from './reread-rules.ts';

type RereadDialogProps = {
  opened: boolean;
  importId: string;
  dialect: ReadDialect;
  onReread: OnReread;
  onClose: () => void;
};

export function RereadDialog({ opened, ...props }: RereadDialogProps) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="File format" size="xl">
      <RereadForm {...props} />
    </Modal>
  );
}

function RereadForm({ importId, dialect, onReread, onClose }: Omit<RereadDialogProps, 'opened'>) {
  const [choice, setChoice] = useState<DialectChoice>({});
  const reread = useReread(importId);
  const { tables } = useTables(importId, dialect.table !== null);
  const nothing = keysOf(choice).length === 0;
  const start = () =>
    reread.mutate(
      { dialect: choice },
      {
        onSuccess: () => {
          onReread(formerDialect(dialect, choice));
          onClose();
        },
      },
    );
  return (
    <Stack gap="md">
      <DialectFields
        basis={dialect}
        basisMark="current"
        choice={choice}
        onChange={setChoice}
        tables={tables}
        sheetRows={choice.table === undefined ? dialect.sheetRows : undefined}
      />
      <RereadEffect importId={importId} change={nothing ? null : { dialect: choice }} withRecords />
      <Text size="sm">
        We’ll read the stored file again with these settings. Your edits are kept, and anything you haven’t
        set is detected again. If the file can’t be read this way, nothing changes.
      </Text>
      <CallFailure
        error={reread.error}
        title="Couldn’t re-read the file."
        otherwise="Check the import’s current status, then try again."
      />
      <DialogEnd
        reason={nothing ? 'Change at least one setting first.' : null}
        loading={reread.isPending}
        onClick={start}
        onCancel={onClose}
      >
        Re-read File
      </DialogEnd>
    </Stack>
  );
}
