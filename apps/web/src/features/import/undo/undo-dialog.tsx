import { Modal, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { tallDialog } from '../../../ui/tall-dialog.ts';
import { Moment } from '../../../ui/time.tsx';
import { NoPreview } from './no-preview.tsx';
import { PreviewProgress } from './preview-progress.tsx';
import classes from './push-undo.module.css';
import { usePushUndo } from './push-undo-api.ts';
import { UndoPreview } from './undo-preview.tsx';
import { UndoResult } from './undo-result.tsx';

export type UndoDialogProps = {
  importId: string;
  filename: string;
  opened: boolean;
  onClose: () => void;
};

const dialogClasses = tallDialog();

/** What gets the focus of a control that a new preview takes the place of. */
const nextFocus = '[role="dialog"] :is(input:checked, [data-close])';

/** The undo of an import's push: its preview, which the operator carries out, and afterwards its result. */
export function UndoDialog({ importId, filename, opened, onClose }: UndoDialogProps) {
  const { data: undo } = usePushUndo(importId);
  const fullScreen = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={opened}
      // Esc closes the question that is open, not the dialog.
      onClose={() => document.querySelector('[role="alertdialog"]') === null && onClose()}
      size="72rem"
      fullScreen={fullScreen}
      padding={0}
      title={
        <>
          Undo Push
          {undo?.pushedAt != null && (
            <>
              {' '}
              of <Moment time={undo.pushedAt} />
            </>
          )}{' '}
          <Text component="span" size="sm" c="dimmed" fw={400} className="break-words" dir="auto">
            {filename}
          </Text>
        </>
      }
      closeButtonProps={{ 'aria-label': 'Close' }}
      attributes={{ header: { role: 'presentation' }, content: { 'data-focus-next': nextFocus } }}
      classNames={dialogClasses}
      transitionProps={{ duration: 120 }}
    >
      <Content importId={importId} filename={filename} onClose={onClose} />
    </Modal>
  );
}

/** What the dialog has in each state of the undo. */
function Content({ importId, filename, onClose }: Omit<UndoDialogProps, 'opened'>) {
  const read = usePushUndo(importId);
  const undo = read.data;
  if (undo === undefined) {
    return (
      <div className={`${classes.form} ${classes.message}`}>
        <ReadFailure what="the undo" reads={[read]} />
      </div>
    );
  }
  const props = { importId, undo, onClose };
  if (undo.state === 'previewing') return <PreviewProgress undo={undo} onClose={onClose} />;
  if (undo.state === 'ready') return <UndoPreview key={undo.previewedAt} {...props} filename={filename} />;
  if (undo.results.length > 0 || undo.state === 'undoing' || undo.state === 'paused') {
    return <UndoResult {...props} />;
  }
  return <NoPreview {...props} />;
}
