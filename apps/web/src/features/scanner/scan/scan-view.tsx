import { Text, TextInput, Title } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { IconBulb, IconBulbOff, IconCamera, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { BodyText, Button, IconButton, PlainButton, QuietText, SmallText } from '../../../ui/basics.tsx';
import { TallDialog } from '../../../ui/overlays.tsx';
import classes from '../scanner.module.css';
import { type Camera, cameraProblemWords, openCamera, readFrames, useCameraVideo } from './camera.ts';
import { useCodeReader } from './code-reader.ts';
import { useKeyboardScanner } from './listen-for-scanner.ts';
import type { SessionScan } from './prefill.ts';
import type { ScannedCode } from './reader-options.ts';
import { playSignal, prepareSound } from './scanning.tsx';

type ScanViewProps = {
  opened: boolean;
  title?: string;
  /** Called for a code from the camera, a photo, a hand-held scanner or typing. The view stays open. */
  onCode: (code: ScannedCode) => void;
  onClose: () => void;
  announcement: string | null;
  children?: ReactNode;
  footer?: ReactNode;
};

/** The view for scanning. While it is open, it listens for hand-held scanners, so the page must not. */
export const ScanView = ({ opened, title = 'Scan a code', onClose, ...props }: ScanViewProps) => (
  <TallDialog opened={opened} onClose={onClose} title={title} size="lg" fills="phone" header={classes.header}>
    <ScanBody {...props} onClose={onClose} />
  </TallDialog>
);

type ScanBodyProps = Omit<ScanViewProps, 'opened' | 'title'>;

function ScanBody({ onCode, onClose, announcement, children, footer }: ScanBodyProps) {
  const report = (code: ScannedCode) => {
    playSignal('read');
    onCode(code);
  };
  const reading = useCodeReader(report);
  const [isTyping, setIsTyping] = useState(false);
  useKeyboardScanner((text) => report({ text, format: null }));
  return (
    <div className="fill-stack" onPointerDown={prepareSound}>
      <CameraBox reading={reading} onCode={report} onType={() => setIsTyping(true)} />
      {isTyping && <TypedCode onCode={report} />}
      <BodyText
        className="numbers break-words"
        flex="none"
        mih="1.75rem"
        px="md"
        py="var(--hair)"
        role="status"
        aria-live="polite"
      >
        {reading.photoProblem ?? announcement}
      </BodyText>
      <div className={`${classes.lines} fill-scroll`}>{children}</div>
      <div className={`${classes.foot} flex gap-sm rigid pad-bar line-above`}>
        <PlainButton onClick={onClose}>Close</PlainButton>
        {footer}
      </div>
    </div>
  );
}

function TypedCode({ onCode }: { onCode: (code: ScannedCode) => void }) {
  const [text, setText] = useState('');
  const submit = () => {
    if (text.trim() === '') return;
    onCode({ text, format: null });
    setText('');
  };
  return (
    <form
      className={`${classes.typed} flex gap-sm rigid pad-bar`}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextInput
        className="grow"
        label="Code"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        autoComplete="off"
        autoCapitalize="characters"
        enterKeyHint="go"
        data-autofocus
        autoFocus
        size="md"
      />
      <Button type="submit" size="md" disabled={text.trim() === ''}>
        Use Code
      </Button>
    </form>
  );
}

type OneScanProps = Omit<ScanViewProps, 'children' | 'footer' | 'title'> & { scans: readonly SessionScan[] };

export const OneScan = ({ scans, ...view }: OneScanProps) => (
  <ScanView {...view}>
    {scans.length > 0 && (
      <>
        <Title order={3} size="h5" id="session-scans" mt="xs">
          Scanned in this session
        </Title>
        <ul className={`list ${classes.scans}`} aria-labelledby="session-scans">
          {scans.map(({ code, text, name }) => (
            <li key={text} className={`row ${classes.line} flex gap-sm pad-y-xs line-below`}>
              <div className="grow">
                <BodyText className="numbers break-words">{text}</BodyText>
                <SmallText truncate dir="auto">
                  {name ?? 'New product'}
                </SmallText>
              </div>
              <PlainButton
                aria-label={name === null ? `Use Again: ${text}` : `Open: ${name}`}
                onClick={() => view.onCode(code)}
              >
                {name === null ? 'Use Again' : 'Open'}
              </PlainButton>
            </li>
          ))}
        </ul>
      </>
    )}
  </ScanView>
);

type CameraBoxProps = {
  reading: ReturnType<typeof useCodeReader>;
  onCode: (code: ScannedCode) => void;
  onType: () => void;
};

const readerWords = 'Couldn’t load the code reader.';
const aimWords = 'Hold the code in the frame.';
const distanceWords = 'Move back a little, and keep the code in the light.';
/** A hint appears after this time, because many phones focus no nearer than 15 cm. */
const hintAfterMs = 4_000;

/** The camera's picture. The alternatives to the camera are always shown below. */
function CameraBox({ reading, onCode, onType }: CameraBoxProps) {
  const { reader, isBroken } = reading;
  const { video, state, start } = useCameraVideo({ isOn: true, open: openCamera, whenTaken: 'in-use' });
  const [lit, setLit] = useState<Camera | null>(null);
  const [codes, setCodes] = useState(0);
  const report = useEffectEvent((code: ScannedCode) => {
    setCodes((count) => count + 1);
    onCode(code);
  });
  const camera = state.kind === 'running' ? state.camera : null;
  const hasTorchOn = camera !== null && camera === lit;
  const changeLens = ({ lenses, deviceId }: Camera) =>
    start(lenses[(lenses.indexOf(deviceId) + 1) % lenses.length] ?? null);
  const switchTorch = (of: Camera) =>
    of.setTorch(!hasTorchOn).then(
      () => setLit(hasTorchOn ? null : of),
      () => {},
    );
  const problem = isBroken
    ? readerWords
    : state.kind === 'stopped'
      ? cameraProblemWords[state.problem]
      : null;
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
            <PlainButton icon={IconRefresh} onClick={isBroken ? reading.reload : () => start(null)}>
              Try Again
            </PlainButton>
          </div>
        )}
        {problem === null && state.kind === 'starting' && (
          <div className={`stack ${classes.problem} cover gap-sm middle center pad centered`} role="status">
            Starting the camera…
          </div>
        )}
        {isRunning && (
          <div className={`row ${classes.tools}`}>
            {camera.hasTorch && (
              <IconButton
                icon={hasTorchOn ? IconBulbOff : IconBulb}
                {...toolLook}
                label={hasTorchOn ? 'Turn Light Off' : 'Turn Light On'}
                onClick={() => void switchTorch(camera)}
              />
            )}
            {camera.lenses.length > 1 && (
              <IconButton
                icon={IconRefresh}
                {...toolLook}
                label="Use Another Lens"
                onClick={() => changeLens(camera)}
              />
            )}
          </div>
        )}
      </div>
      <QuietText ta="center" mih="1.5rem" px="md" py="var(--hair)">
        {isRunning && <Hint key={codes} />}
      </QuietText>
      {/* Other ways to enter a code. */}
      <div className={`${classes.ways} flex gap-sm rigid pad-bar`}>
        <PlainButton
          component="label"
          className={`${classes.photoButton} relative`}
          busy={reading.isReadingPhoto}
        >
          Read from a Photo
          <input
            type="file"
            accept="image/*"
            capture="environment"
            className={classes.fileInput}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              // Clears the input, so that the same photo can be chosen again.
              currentTarget.value = '';
              if (file !== undefined) reading.readPhoto(file);
            }}
          />
        </PlainButton>
        <PlainButton onClick={onType}>Type It In</PlainButton>
      </div>
    </>
  );
}

const toolLook = { variant: 'default', size: 48, iconSize: 24 };

function Hint() {
  const [isLate, setIsLate] = useState(false);
  useTimeout(() => setIsLate(true), hintAfterMs, { autoInvoke: true });
  return isLate ? distanceWords : aimWords;
}
