import type { DialectChoice } from '@draftshelf/contract/dialect';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import { type RereadChange, useReread } from '../../api/reread.ts';
import { DialectSelects } from '../../components/dialect/dialect-selects.tsx';
import { choiceWords, dialectWords, type ReadDialect } from '../../components/dialect/dialect-words.ts';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { RereadEffect } from '../../components/reread/reread-effect.tsx';
import { countOf } from '../../lib/intl.ts';
import { formerDialect } from './former-reading.ts';
import classes from './import.module.css';
import { rereadBlock } from './reread-block.ts';

/** Called when a re-read has started, with the change that restores the reading before it. */
export type OnReread = (former: RereadChange) => void;

/** The dialect of an import's rows, and a button to re-read its stored file with another one. */
export function JobDialect({ job, onReread }: { job: ShownImport; onReread: OnReread }) {
  const [changing, setChanging] = useState(false);
  if (job.dialect === null) return null;
  return (
    <Group gap={4} className={classes.reading ?? ''}>
      <Text size="sm">{dialectWords(job.dialect)}</Text>
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        aria-label="Change how this file is read"
        reason={rereadBlock(job)}
        onClick={() => setChanging(true)}
      >
        Change
      </ReasonedButton>
      <Modal opened={changing} onClose={() => setChanging(false)} title="File format" size="xl">
        <RereadForm
          importId={job.id}
          dialect={job.dialect}
          onReread={onReread}
          onClose={() => setChanging(false)}
        />
      </Modal>
    </Group>
  );
}

/** How many edits match no row of this reading. */
export function EditsWithoutRow({ edits }: { edits: number }) {
  if (edits === 0) return null;
  return (
    <Text size="sm" className={classes.missing}>
      <IconAlertTriangle size={14} aria-hidden /> {editsWithoutRowWords(edits)}
    </Text>
  );
}

function editsWithoutRowWords(edits: number): string {
  return edits === 1
    ? '1 edit doesn’t match any row right now. It’s saved and will apply again if its row returns.'
    : `${countOf(edits, 'edit')} don’t match any row right now. They’re saved and will apply again if their rows return.`;
}

type RereadFormProps = {
  importId: string;
  dialect: ReadDialect;
  onReread: OnReread;
  onClose: () => void;
};

function RereadForm({ importId, dialect, onReread, onClose }: RereadFormProps) {
  const [choice, setChoice] = useState<DialectChoice>({});
  const reread = useReread(importId);
  const nothing = choiceWords(choice) === '';
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
      <DialectSelects basis={dialect} basisMark="current" choice={choice} onChange={setChoice} />
      <RereadEffect importId={importId} change={nothing ? null : { dialect: choice }} withRecords />
      <Text size="sm">
        We’ll read the stored file again with these settings. Your edits are kept, and anything you haven’t
        set is detected again. If the file can’t be read this way, nothing changes.
      </Text>
      {reread.isError && (
        <ErrorPanel title="The file wasn’t re-read." cause={reread.error.message}>
          Check the import’s current status, then try again.
        </ErrorPanel>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonedButton
          reason={nothing ? 'Change at least one setting first.' : null}
          loading={reread.isPending}
          onClick={start}
        >
          Re-read File
        </ReasonedButton>
      </Group>
    </Stack>
  );
}
