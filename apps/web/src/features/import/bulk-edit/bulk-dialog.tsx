import type { EditTarget } from '@draftshelf/contract/review/commands';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { Checkbox, Modal, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ComponentProps, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { tallDialog, tallDialogFoot } from '../../../ui/tall-dialog.ts';
import classes from './bulk-dialog.module.css';
import { BulkForm, NotApplied } from './bulk-form.tsx';
import { type ChosenRows, changeWords, targetWords } from './chosen-rows.ts';
import { EditPreviewPanel } from './edit-preview.tsx';
import { applyLabel } from './preview-words.ts';
import { useApply } from './use-apply.ts';
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
  onApplied: () => void;
};

const dialogClasses = tallDialog();

/** A change of many rows: its lines, and beside them what it would do. Lines stay until they are applied. */
export function BulkDialog({ importId, edit, headers, opened, onClose, onApplied }: BulkDialogProps) {
  const { rows, fix, nth } = edit;
  const fullScreen = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const lines = useLines(rows.field);
  const form = { importId, rows, headers, onClose, onApplied };
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

/** A change of marked cells: what pastes into them, fills or clears them. */
export type BlockEdit = {
  /** 'Paste 500 rows × 3 columns'. */
  title: string;
  target: Extract<EditTarget, { rows: number[] }>;
  operations: Operation[];
  /** What is not done, as a sentence; null for nothing. */
  note: string | null;
  /** All rows of the filter, which can be filled instead; null: that is not offered. */
  all: ChosenRows | null;
};

type BlockDialogProps = {
  importId: string;
  edit: BlockEdit;
  opened: boolean;
  onClose: () => void;
  onApplied: () => void;
};

/** What a change of marked cells would do, and the button that applies it as one command. */
export function BlockDialog({ opened, onClose, ...props }: BlockDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="44rem"
      padding={0}
      title={<span className="numbers">{props.edit.title}</span>}
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' } }}
      classNames={dialogClasses}
      transitionProps={{ duration: 120 }}
    >
      <BlockForm {...props} onClose={onClose} />
    </Modal>
  );
}

function BlockForm({ importId, edit, onClose, onApplied }: Omit<BlockDialogProps, 'opened'>) {
  const { operations, note, all } = edit;
  const [isAll, setAll] = useState(false);
  const target = isAll && all !== null ? all.target : edit.target;
  const { preview, start, reason, refusal, isApplying, error } = useApply({
    importId,
    edits: { target, operations },
    onIncomplete: () => {},
    onApplied: () => {
      onApplied();
      onClose();
    },
  });
  const rows = isAll && all !== null ? all.count : edit.target.rows.length;
  return (
    <div className={classes.form}>
      <div className={classes.block}>
        {note !== null && <Text size="sm">{note}</Text>}
        {all !== null && (
          <Checkbox
            label={`${changeWords(all.count)} instead: all that the filter shows, on all pages`}
            checked={isAll}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
        )}
        <EditPreviewPanel preview={preview} isComplete />
      </div>
      <div className={tallDialogFoot}>
        {error !== null && <NotApplied error={error} />}
        <div className={classes.buttons}>
          <Text size="sm" role="status" className={classes.reason}>
            {refusal}
          </Text>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReasonedButton reason={reason} loading={isApplying} onClick={start} data-autofocus>
            <span className="numbers">{applyLabel(preview.data ?? null, operations, rows)}</span>
          </ReasonedButton>
        </div>
      </div>
    </div>
  );
}
