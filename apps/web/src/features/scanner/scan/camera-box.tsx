import { Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconBulb, IconBulbOff, IconCamera, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { IconButton, PlainButton } from '../../../ui/button.tsx';
import { QuietText } from '../../../ui/text.tsx';
import classes from '../scanner.module.css';
import { type Camera, type CameraVideo, cameraWords, openCamera, useCameraVideo } from './camera.ts';
import type { CodeReader } from './code-reader.ts';
import { readFrames } from './read-frames.ts';
import type { ReadCode } from './reader-options.ts';

type CameraBoxProps = {
  reader: CodeReader | null;
  isBroken: boolean;
  onCode: (code: ReadCode) => void;
  onReload: () => void;
  /** Ways that work without a live picture. */
  ways: ReactNode;
};

const readerWords = 'Couldn’t load the code reader.';
const aimWords = 'Hold the code in the frame.';
const distanceWords = 'Move back a little, and keep the code in the light.';
/** After this time a hint helps: many phones focus no nearer than 15 cm. */
const hintAfterMs = 4_000;

/** The ways beside the camera are always there. */
export function CameraBox({ reader, isBroken, onCode, onReload, ways }: CameraBoxProps) {
  const scanCamera = useScanCamera();
  const { video, state } = scanCamera;
  const [codes, setCodes] = useState(0);
  const report = useEffectEvent((code: ReadCode) => {
    setCodes((count) => count + 1);
    onCode(code);
  });
  const camera = state.kind === 'running' ? state.camera : null;
  const problem = isBroken ? readerWords : state.kind === 'stopped' ? cameraWords[state.problem] : null;
  useEffect(() => {
    if (camera === null || reader === null || video.current === null) return;
    return readFrames(video.current, reader, (code) => report(code));
  }, [camera, reader, video]);
  const isRunning = camera !== null && !isBroken;
  return (
    <>
      <div
        className={`${classes.picture} rigid full surface-quiet relative`}
        data-state={problem === null ? state.kind : 'stopped'}
      >
        <video ref={video} className={`${classes.video} block full`} muted playsInline autoPlay aria-hidden />
        {isRunning && (
          <div key={codes} className={`${classes.aim} rounded`} data-code={codes > 0} aria-hidden />
        )}
        {problem !== null && (
          <div className={`stack ${classes.problem} cover gap-sm middle center pad centered`} role="alert">
            <IconCamera aria-hidden />
            <Text>{problem}</Text>
            <PlainButton
              leftSection={<IconRefresh size={16} />}
              onClick={isBroken ? onReload : scanCamera.again}
            >
              Try Again
            </PlainButton>
          </div>
        )}
        {problem === null && state.kind === 'starting' && (
          <div className={`stack ${classes.problem} cover gap-sm middle center pad centered`} role="status">
            Starting the camera…
          </div>
        )}
        {isRunning && <CameraTools camera={camera} {...scanCamera} />}
      </div>
      <QuietText ta="center" mih="1.5rem" px="md" py="var(--hair)">
        {isRunning && <Hint key={codes} />}
      </QuietText>
      <div className={`${classes.ways} flex gap-sm rigid pad-bar`}>{ways}</div>
    </>
  );
}

type CameraToolsProps = Pick<ScanCamera, 'hasTorchOn' | 'changeLens' | 'switchTorch'> & { camera: Camera };

const toolLook = { variant: 'default', size: 48, iconSize: 24 };

const CameraTools = ({ camera, hasTorchOn, changeLens, switchTorch }: CameraToolsProps) => (
  <div className={`row ${classes.tools}`}>
    {camera.hasTorch && (
      <IconButton
        icon={hasTorchOn ? IconBulbOff : IconBulb}
        {...toolLook}
        label={hasTorchOn ? 'Turn Light Off' : 'Turn Light On'}
        onClick={switchTorch}
      />
    )}
    {camera.lenses.length > 1 && (
      <IconButton icon={IconRefresh} {...toolLook} label="Use Another Lens" onClick={changeLens} />
    )}
  </div>
);

function Hint() {
  const [isLate, setIsLate] = useState(false);
  useTimeout(() => setIsLate(true), hintAfterMs, { autoInvoke: true });
  return isLate ? distanceWords : aimWords;
}

type ScanCamera = Pick<CameraVideo<Camera>, 'video' | 'state'> & {
  hasTorchOn: boolean;
  again: () => void;
  changeLens: () => void;
  switchTorch: () => void;
};

function useScanCamera(): ScanCamera {
  const { video, state, start } = useCameraVideo({ isOn: true, open: openCamera, whenTaken: 'in-use' });
  const [lit, setLit] = useState<Camera | null>(null);
  const camera = state.kind === 'running' ? state.camera : null;
  const hasTorchOn = camera !== null && camera === lit;
  return {
    video,
    state,
    hasTorchOn,
    again: () => start(null),
    changeLens() {
      if (camera === null) return;
      const { lenses, deviceId } = camera;
      start(lenses[(lenses.indexOf(deviceId) + 1) % lenses.length] ?? null);
    },
    switchTorch() {
      camera?.setTorch(!hasTorchOn).then(
        () => setLit(hasTorchOn ? null : camera),
        () => {},
      );
    },
  };
}
