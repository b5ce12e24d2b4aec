import { Modal, Text } from '@mantine/core';
import { useMediaQuery, useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import classes from '../scanner.module.css';
import { drawn } from './prepare-photo.ts';
import { useCamera } from './use-camera.ts';

/** The specification's quality of a captured JPEG. */
const captureQuality = 0.8;

type CaptureDialogProps = {
  opened: boolean;
  /** The product has room for one more photo only. */
  isLast: boolean;
  /** Gets a JPEG as a data URL. */
  onCapture: (dataUrl: string) => void;
  /** The way out without a camera. */
  onUpload: () => void;
  onClose: () => void;
};

/** Takes photos with the back camera. */
export function CaptureDialog({ opened, isLast, onCapture, onUpload, onClose }: CaptureDialogProps) {
  // Mantine returns the focus only to what had it when `opened` changed.
  const isShown = useMounted() && opened;
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  return (
    <Modal
      opened={isShown}
      onClose={onClose}
      title="Capture Product Photo"
      size="lg"
      fullScreen={isNarrow}
      classNames={{ content: classes.camera ?? '', body: classes.dialogBody ?? '' }}
    >
      <Camera {...{ opened, isLast, onCapture, onUpload, onClose }} />
    </Modal>
  );
}

function Camera({ opened, isLast, onCapture, onUpload, onClose }: CaptureDialogProps) {
  const { video, state, again } = useCamera(opened);
  const [count, setCount] = useState(0);
  const capture = () => {
    if (video.current === null || state.kind !== 'ready') return;
    const { videoWidth: width, videoHeight: height } = video.current;
    onCapture(drawn(video.current, { width, height }).toDataURL('image/jpeg', captureQuality));
    setCount(count + 1);
  };
  return (
    <>
      <div className={classes.viewfinder} data-state={state.kind}>
        <video ref={video} muted playsInline autoPlay aria-hidden />
        {/* A new element per photo, so that the animation runs again. */}
        {count > 0 && <div key={count} className={classes.flash} />}
        {state.kind !== 'ready' && (
          <div className={classes.noPicture} role={state.kind === 'failed' ? 'alert' : 'status'}>
            {state.kind === 'starting' ? 'Starting the camera…' : state.reason}
            {state.kind === 'failed' && (
              <div className={classes.photoButtons}>
                <Button variant="default" onClick={again}>
                  Try Again
                </Button>
                <Button variant="default" onClick={onUpload}>
                  Upload Photo Instead
                </Button>
              </div>
            )}
          </div>
        )}
      </div>
      <Text size="sm" c="dimmed" role="status" className={classes.takenLine}>
        {count > 0 && `${count} taken`}
      </Text>
      <div className={classes.dialogButtons}>
        <Button variant="default" onClick={onClose}>
          {count === 0 ? 'Cancel' : 'Done'}
        </Button>
        <Button variant="default" disabled={state.kind !== 'ready' || isLast} onClick={capture}>
          Capture and Continue
        </Button>
        <Button
          disabled={state.kind !== 'ready'}
          onClick={() => {
            capture();
            onClose();
          }}
        >
          Capture Photo
        </Button>
      </div>
    </>
  );
}
