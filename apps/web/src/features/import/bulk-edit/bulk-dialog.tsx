import type { EditTarget } from '@draftshelf/contract/review/commands';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import type { Operation } from '@draftshelf/domain/review/operations/operation';
import { Checkbox } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { TallDialog } from '../../../ui/overlays.tsx';
import { BodyText, QuietText } from '../../../ui/text.tsx';
import classes from './bulk-dialog.module.css';
import { BulkForm } from './bulk-form.tsx';
import { type ChosenRows, changeWords, targetWords } from './chosen-rows.ts';
import { ApplyFoot, EditPreviewPanel, useApply } from './edit-preview.tsx';
import { fixesOf, leavingOut, setting, useLines } from './use-lines.ts';

export type Fix = IssueCode | 'leave-out';

/** What the dialog was opened for. `nth`: how often it has been opened. */
export type OpenedEdit = {
  rows: ChosenRows;
  /** Null: it opens with the lines that were entered before. */
  fix: Fix | null;
  nth: number;
};

type BulkDialogProps = {
  importId: string;
  edit: OpenedEdit;
  headers: readonly string[];
  opened: boolean;
  /** Returns false if the dialog has been opened again since, for another change. */
  onClose: () => void;
  onApplied: () => void;
};

/** Lines stay until they are applied. */
export function BulkDialog({ importId, edit, headers, opened, onClose, onApplied }: BulkDialogProps) {
  const { rows, fix, nth } = edit;
  const lines = useLines(rows.field);
  const form = { importId, rows, headers, onClose, onApplied };
  return (
    <TallDialog
      opened={opened}
      onClose={onClose}
      size="74rem"
      fills="tablet"
      title={
        <>
          <span className="numbers">{changeWords(rows.count)}</span>{' '}
          <QuietText component="span" fw={400} className="break-words">
            {targetWords(rows)}
          </QuietText>
        </>
      }
    >
      {fix === null ? <BulkForm {...form} lines={lines} /> : <FixForm key={nth} {...form} fix={fix} />}
    </TallDialog>
  );
}

type FormProps = Omit<ComponentProps<typeof BulkForm>, 'lines'>;

/** Lines that were entered before stay for the next time. */
function FixForm({ fix, ...form }: FormProps & { fix: Fix }) {
  // An issue without a fix: its field gets another value.
  const preset = fix === 'leave-out' ? leavingOut : (fixesOf(fix)[0] ?? setting);
  const lines = useLines(form.rows.field, preset);
  return <BulkForm {...form} lines={lines} />;
}

export type BlockEdit = {
  /** 'Paste 500 rows × 3 columns'. */
  title: string;
  target: Extract<EditTarget, { rows: number[] }>;
  operations: Operation[];
  /** A sentence about what is not done. */
  note: string | null;
  /** The rows of the filter, if they can be filled instead. */
  all: ChosenRows | null;
};

type BlockDialogProps = {
  importId: string;
  edit: BlockEdit;
  opened: boolean;
  onClose: () => void;
  onApplied: () => void;
};

export function BlockDialog({ opened, onClose, ...props }: BlockDialogProps) {
  return (
    <TallDialog
      opened={opened}
      onClose={onClose}
      size="44rem"
      title={<span className="numbers">{props.edit.title}</span>}
    >
      <BlockForm {...props} onClose={onClose} />
    </TallDialog>
  );
}

function BlockForm({ importId, edit, onClose, onApplied }: Omit<BlockDialogProps, 'opened'>) {
  const { operations, note, all } = edit;
  const [isAll, setAll] = useState(false);
  const target = isAll && all !== null ? all.target : edit.target;
  const applying = useApply({
    importId,
    edits: { target, operations },
    ...{ onApplied, onClose },
  });
  return (
    <div className={`${classes.form} stack gap-0`}>
      <div className={`${classes.block} fill-stack gap-xs`}>
        {note !== null && <BodyText>{note}</BodyText>}
        {all !== null && (
          <Checkbox
            label={`${changeWords(all.count)} instead: all that the filter shows, on all pages`}
            checked={isAll}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
        )}
        <EditPreviewPanel preview={applying.preview} isComplete />
      </div>
      <ApplyFoot
        {...{ applying, operations, onClose }}
        rows={isAll && all !== null ? all.count : edit.target.rows.length}
        onStart={applying.start}
        isFirst
      />
    </div>
  );
}
