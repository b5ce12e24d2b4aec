import { Button } from '../../components/button.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import type { ToUpload } from './file-words.ts';
import classes from './upload.module.css';
import { uploadBlock, uploadLabel } from './upload-words.ts';

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
 * upload all files that can be uploaded.
 */
export function UploadActions({ toUpload, tested, busy, onCancel, onTest, onUpload }: UploadActionsProps) {
  const { files, fit, checking, classes: counted } = toUpload;
  const at = { busy, files, fit: fit.length, checking, valid: counted.valid };
  return (
    <>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        Cancel
      </Button>
      <Button
        variant="default"
        disabled={busy || tested === null}
        {...(files > 1 && tested !== null && { title: `Uploads the first 3 rows of ${tested}` })}
        onClick={onTest}
      >
        Test (First 3)
      </Button>
      <Button variant="default" disabled={busy || fit.length === 0} onClick={onUpload}>
        Process All
      </Button>
      <ReasonedButton className={classes.primary ?? ''} reason={uploadBlock(at)} onClick={onUpload}>
        {uploadLabel(counted.valid)}
      </ReasonedButton>
    </>
  );
}
