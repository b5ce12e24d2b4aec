import { Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import type { ShownImport } from '../../api/imports.ts';
import type { RereadChange } from '../../api/reread.ts';
import { dialectWords } from '../../components/dialect/dialect-words.ts';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import { countOf } from '../../lib/intl.ts';
import { lazily } from '../../lib/load-chunk.ts';
import classes from './import.module.css';
import { rereadBlock } from './reread-block.ts';

const RereadDialog = lazily(() => import('./reread-dialog.tsx').then((chunk) => chunk.RereadDialog));

/** Called when a re-read has started, with the change that restores the reading before it. */
export type OnReread = (former: RereadChange) => void;

/** The dialect of an import's rows, and a button to re-read its stored file with another one. */
export function ImportDialect({ record, onReread }: { record: ShownImport; onReread: OnReread }) {
  const [changing, setChanging] = useState(false);
  // Stays mounted once opened, because the dialog returns the focus while it closes.
  const [wanted, setWanted] = useState(false);
  if (changing && !wanted) setWanted(true);
  if (record.dialect === null) return null;
  return (
    <Group gap={4} className={classes.reading ?? ''}>
      <Text size="sm">{dialectWords(record.dialect)}</Text>
      <ReasonedButton
        size="compact-sm"
        variant="subtle"
        aria-label="Change how this file is read"
        reason={rereadBlock(record)}
        onClick={() => setChanging(true)}
      >
        Change
      </ReasonedButton>
      {wanted && (
        <Suspense fallback={null}>
          <RereadDialog
            opened={changing}
            importId={record.id}
            dialect={record.dialect}
            onReread={onReread}
            onClose={() => setChanging(false)}
          />
        </Suspense>
      )}
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
