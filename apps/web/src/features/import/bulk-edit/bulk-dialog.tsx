import type { IssueCode } from '@draftshelf/domain/review/issues';
import { Modal, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ComponentProps } from 'react';
import { tallDialog } from '../../../ui/tall-dialog.ts';
import { BulkForm } from './bulk-form.tsx';
import { type ChosenRows, changeWords, targetWords } from './chosen-rows.ts';
import { fixesOf, leavingOut, setting, useLines } from './use-lines.ts';

/** What the dialog is opened to do: fix an issue, or leave the rows out of the push. */
export type Fix = IssueCode | 'leave-out';

/** What the dialog was opened for. `nth`: how often it has been opened. */
export type OpenedEdit = {
  rows: ChosenRows;
  /** What its lines are to do; null: it opens with the lines that were entered before. */
  fix: Fix | null;
  nth: number;
};

type BulkDialogProps = {
  importId: string;
  edit: OpenedEdit;
  /** The headers of the file. */
  headers: readonly string[];
  opened: boolean;
  onClose: () => void;
};

const dialogClasses = tallDialog();

/** A change of many rows: its lines, and beside them what it would do. Lines stay until they are applied. */
export function BulkDialog({ importId, edit, headers, opened, onClose }: BulkDialogProps) {
  const { rows, fix, nth } = edit;
  const fullScreen = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const lines = useLines(rows.field);
  const form = { importId, rows, headers, onClose };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="74rem"
      fullScreen={fullScreen}
      padding={0}
      title={
        <>
          <span className="numbers">{changeWords(rows.count)}</span>{' '}
          <Text component="span" size="sm" c="dimmed" fw={400} className="break-words">
            {targetWords(rows)}
          </Text>
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' } }}
      classNames={dialogClasses}
      transitionProps={{ duration: 120 }}
    >
      {fix === null ? <BulkForm {...form} lines={lines} /> : <FixForm key={nth} {...form} fix={fix} />}
    </Modal>
  );
}

type FormProps = Omit<ComponentProps<typeof BulkForm>, 'lines'>;

/** A form with lines of its own. Lines that were entered before stay for the next time. */
function FixForm({ fix, ...form }: FormProps & { fix: Fix }) {
  // An issue without a fix: its field gets another value.
  const preset = fix === 'leave-out' ? leavingOut : (fixesOf(fix)[0] ?? setting);
  const lines = useLines(form.rows.field, preset);
  return <BulkForm {...form} lines={lines} />;
}
