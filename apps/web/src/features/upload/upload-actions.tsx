import { Button } from '../../ui/button.tsx';
import { Hint } from '../../ui/hint.tsx';
import { ReasonedButton } from '../../ui/reasoned-button.tsx';
import type { ToUpload } from './file-words.ts';
import classes from './upload.module.css';
import { actionHints, uploadBlock, uploadLabel } from './upload-words.ts';

type UploadActionsProps = {
  toUpload: ToUpload;
  /** The file that a test uploads; null if it cannot be uploaded. */
  tested: string | null;
  busy: boolean;
  onCancel: () => void;
  onTest: () => void;
  onUpload: () => void;
};

/**
 * The buttons of both variants in the specification. 'Upload N Products' waits for the checks, the others do not. Both
 * upload all files that can be uploaded, which their hints say.
 */
export function UploadActions({ toUpload, tested, busy, onCancel, onTest, onUpload }: UploadActionsProps) {
  const { files, fit, checking, classes: counted } = toUpload;
  const hints = actionHints({ files: fit.length, checking, classes: counted }, tested);
  const at = { busy, files, fit: fit.length, checking, valid: counted.valid };
  return (
    <>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        Cancel
      </Button>
      <Hint text={hints.test}>
        <Button variant="default" disabled={busy || tested === null} onClick={onTest}>
          Test (First 3)
        </Button>
      </Hint>
      <Hint text={hints.processAll}>
        <Button variant="default" disabled={busy || fit.length === 0} onClick={onUpload}>
          Process All
        </Button>
      </Hint>
      <ReasonedButton
        className={classes.primary ?? ''}
        reason={uploadBlock(at)}
        hint={hints.upload}
        onClick={onUpload}
      >
        {uploadLabel(counted.valid)}
      </ReasonedButton>
    </>
  );
}
