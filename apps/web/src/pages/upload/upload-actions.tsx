import { Button } from '@mantine/core';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import classes from './upload.module.css';
import { uploadLabel } from './upload-words.ts';

type UploadActionsProps = {
  valid: number;
  complete: boolean;
  busy: boolean;
  onCancel: () => void;
  onTest: () => void;
  onAll: () => void;
  onUpload: () => void;
};

/** The buttons of both variants in the specification. 'Upload N Products' waits for the preview, the others do not. */
export function UploadActions(props: UploadActionsProps) {
  const { valid, complete, busy, onCancel, onTest, onAll, onUpload } = props;
  return (
    <>
      <Button variant="subtle" color="gray" onClick={onCancel}>
        Cancel
      </Button>
      <Button variant="default" disabled={busy} onClick={onTest}>
        Test (First 3)
      </Button>
      <Button variant="default" disabled={busy} onClick={onAll}>
        Process All
      </Button>
      <ReasonedButton
        className={classes.primary ?? ''}
        reason={uploadBlock({ busy, complete, valid })}
        onClick={onUpload}
      >
        {uploadLabel(valid)}
      </ReasonedButton>
    </>
  );
}

/** Why 'Upload N Products' is disabled; null if it is enabled. */
function uploadBlock(at: { busy: boolean; complete: boolean; valid: number }): string | null {
  if (at.busy) return 'Another upload is in progress.';
  if (!at.complete) return 'The file is still being read.';
  return at.valid === 0 ? 'No product has both a title and a valid price.' : null;
}
