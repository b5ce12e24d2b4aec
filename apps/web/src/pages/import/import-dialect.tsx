import type { DialectChoice } from '@draftshelf/contract/dialect';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { type ShownImport, useReread } from '../../api/imports.ts';
import { DialectSelects } from '../../components/dialect/dialect-selects.tsx';
import { choiceWords, dialectWords, type ReadDialect } from '../../components/dialect/dialect-words.ts';
import { ErrorPanel } from '../../components/feedback/error-panel.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { countOf } from '../../lib/intl.ts';
import classes from './import.module.css';
import { rereadBlock } from './reread-block.ts';

/** How the rows of an import were read, and the way to have its stored file read anew. */
export function JobDialect({ job }: { job: ShownImport }) {
  const [changing, setChanging] = useState(false);
  if (job.dialect === null) return null;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Text size="sm">Read as {dialectWords(job.dialect)}</Text>
        <ReasonedButton
          size="compact-sm"
          variant="subtle"
          aria-label="Change how the file is read"
          reason={rereadBlock(job)}
          onClick={() => setChanging(true)}
        >
          Change
        </ReasonedButton>
      </Group>
      {job.editsWithoutRow > 0 && (
        <Text size="sm" className={classes.missing}>
          <IconAlertTriangle size={14} aria-hidden /> {editsWithoutRowWords(job.editsWithoutRow)}
        </Text>
      )}
      <Modal opened={changing} onClose={() => setChanging(false)} title="How the file is read" size="lg">
        <RereadForm importId={job.id} dialect={job.dialect} onClose={() => setChanging(false)} />
      </Modal>
    </Stack>
  );
}

function editsWithoutRowWords(edits: number): string {
  return edits === 1
    ? '1 edit finds no row in this reading. It is kept, and holds again when its row is back.'
    : `${countOf(edits, 'edit')} find no row in this reading. They are kept, and hold again when their rows are back.`;
}

type RereadFormProps = { importId: string; dialect: ReadDialect; onClose: () => void };

function RereadForm({ importId, dialect, onClose }: RereadFormProps) {
  const [choice, setChoice] = useState<DialectChoice>({});
  const reread = useReread(importId);
  const nothing = choiceWords(choice) === '';
  return (
    <Stack gap="md">
      <DialectSelects basis={dialect} basisMark="as now" choice={choice} onChange={setChoice} />
      <Text size="sm">
        The stored file is read anew; your edits are kept. What nobody has chosen is judged anew, so that it
        fits what was chosen. If the file cannot be read like this, the import stays as it is.
      </Text>
      {reread.isError && (
        <ErrorPanel title="The file was not read anew." cause={reread.error.message}>
          Look at where the import stands now, then try again.
        </ErrorPanel>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <ReasonedButton
          reason={nothing ? 'Nothing is changed yet.' : null}
          loading={reread.isPending}
          onClick={() => reread.mutate(choice, { onSuccess: onClose })}
        >
          Read Anew
        </ReasonedButton>
      </Group>
    </Stack>
  );
}
