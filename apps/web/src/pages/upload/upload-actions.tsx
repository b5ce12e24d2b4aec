import { Button } from '../../components/button.tsx';
import { ReasonedButton } from '../../components/reasoned-button.tsx';
import classes from './upload.module.css';
import { uploadBlock, uploadLabel } from './upload-words.ts';

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
