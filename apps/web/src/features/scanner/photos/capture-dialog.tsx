import { useState } from 'react';
import { countOf } from '../../../lib/intl.ts';
import { Button, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { cameraProblemWords, stopTracks, useCameraVideo } from '../scan/camera.ts';
import classes from '../scanner.module.css';
import { drawScaledPhoto } from './photos.ts';
import { ScannerDialog } from './upload-dialog.tsx';

/** JPEG quality of a captured photo, from 0 to 1. */
const captureQuality = 0.8;

type CaptureDialogProps = {
  opened: boolean;
  /** Whether the product has room for only one more photo. */
  isLast: boolean;
  onCapture: (dataUrl: string) => void;
  /** Opens the upload, for devices without a camera. */
  onUpload: () => void;
  onClose: () => void;
};

export const CaptureDialog = (props: CaptureDialogProps) => (
  <ScannerDialog
    opened={props.opened}
    onClose={props.onClose}
    title="Capture Product Photo"
    classNames={{ content: classes.camera ?? '', body: classes.dialogBody ?? '' }}
  >
    <Camera {...props} />
  </ScannerDialog>
);

function Camera({ opened, isLast, onCapture, onUpload, onClose }: CaptureDialogProps) {
  const { video, state, start } = useCameraVideo({ isOn: opened, open: openPhotoCamera, whenTaken: 'taken' });
  const isRunning = state.kind === 'running';
  const [count, setCount] = useState(0);
  const capture = () => {
    if (video.current === null || !isRunning) return;
    const { videoWidth: width, videoHeight: height } = video.current;
    onCapture(drawScaledPhoto(video.current, { width, height }).toDataURL('image/jpeg', captureQuality));
    setCount(count + 1);
  };
  return (
    <>
      <div
        className={`${classes.viewfinder} center-grid full surface-quiet relative`}
        data-state={state.kind}
      >
        <video ref={video} muted playsInline autoPlay aria-hidden />
        {/* A new element for each photo restarts the animation. */}
        {count > 0 && <div key={count} className={`${classes.flash} cover`} />}
        {!isRunning && (
          <div
            className={`stack ${classes.noPicture} cover gap-md middle center centered`}
            role={state.kind === 'stopped' ? 'alert' : 'status'}
          >
            {state.kind === 'starting' ? 'Starting the camera…' : cameraProblemWords[state.problem]}
            {state.kind === 'stopped' && (
              <div className={`row-wrap ${classes.photoButtons}`}>
                <PlainButton onClick={() => start(null)}>Try Again</PlainButton>
                <PlainButton onClick={onUpload}>Upload Photo Instead</PlainButton>
              </div>
            )}
          </div>
        )}
      </div>
      <QuietText role="status" ta="center" mih="1.5rem">
        {count > 0 && `${countOf(count, 'photo')} taken.`}
      </QuietText>
      <div className={`row-wrap ${classes.dialogButtons} end above-sm`}>
        <PlainButton onClick={onClose}>{count === 0 ? 'Cancel' : 'Done'}</PlainButton>
        <PlainButton disabled={!isRunning || isLast} onClick={capture}>
          Capture and Continue
        </PlainButton>
        <Button
          disabled={!isRunning}
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

/** Opens the camera in the resolution of photos. Rejects with the browser's error. */
async function openPhotoCamera() {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 2048 }, height: { ideal: 1536 } },
    audio: false,
  });
  return { stream, stop: () => stopTracks(stream) };
}
