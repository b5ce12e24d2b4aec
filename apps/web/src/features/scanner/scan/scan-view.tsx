import { TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Button, PlainButton } from '../../../ui/button.tsx';
import { TallDialog } from '../../../ui/overlays.tsx';
import { BodyText, SmallText } from '../../../ui/text.tsx';
import classes from '../scanner.module.css';
import { CameraBox } from './camera-box.tsx';
import { type PhotoReading, useCodeReader } from './code-reader.ts';
import { useKeyboardScanner } from './listen-for-scanner.ts';
import type { SessionScan } from './prefill.ts';
import type { ReadCode } from './reader-options.ts';
import { give, prepareSound } from './scanning.tsx';

export type ScanViewProps = {
  opened: boolean;
  title?: string;
  /** Called for codes of the camera, a photo, a hand-held scanner or typing. The view stays open. */
  onCode: (code: ReadCode) => void;
  onClose: () => void;
  announcement: string | null;
  children?: ReactNode;
  footer?: ReactNode;
};

/** Hears hand-held scanners while open; the page must not listen then. */
export const ScanView = ({ opened, title = 'Scan a code', onClose, ...props }: ScanViewProps) => (
  <TallDialog opened={opened} onClose={onClose} title={title} size="lg" fills="phone" header={classes.header}>
    <ScanBody {...props} onClose={onClose} />
  </TallDialog>
);

type ScanBodyProps = Omit<ScanViewProps, 'opened' | 'title'>;

function ScanBody({ onCode, onClose, announcement, children, footer }: ScanBodyProps) {
  const report = (code: ReadCode) => {
    give('read');
    onCode(code);
  };
  const reading = useCodeReader(report);
  const [isTyping, setIsTyping] = useState(false);
  useKeyboardScanner((text) => report({ text, format: null }));
  return (
    <div className="fill-stack" onPointerDown={prepareSound}>
      <CameraBox
        reader={reading.reader}
        isBroken={reading.isBroken}
        onCode={report}
        onReload={reading.reload}
        ways={
          <>
            <PhotoButton reading={reading} />
            <PlainButton onClick={() => setIsTyping(true)}>Type It In</PlainButton>
          </>
        }
      />
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

/** On phones it opens the camera app, which also works without https. */
const PhotoButton = ({ reading }: { reading: PhotoReading }) => (
  <PlainButton component="label" className={`${classes.photoButton} relative`} busy={reading.isReadingPhoto}>
    Read from a Photo
    <input
      type="file"
      accept="image/*"
      capture="environment"
      className={classes.fileInput}
      onChange={({ currentTarget }) => {
        const [file] = currentTarget.files ?? [];
        // The same photo may be chosen again.
        currentTarget.value = '';
        if (file !== undefined) reading.readPhoto(file);
      }}
    />
  </PlainButton>
);

function TypedCode({ onCode }: { onCode: (code: ReadCode) => void }) {
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
  <ScanView {...view}>{scans.length > 0 && <SessionScans scans={scans} onCode={view.onCode} />}</ScanView>
);

type SessionScansProps = { scans: readonly SessionScan[]; onCode: (code: ReadCode) => void };

const SessionScans = ({ scans, onCode }: SessionScansProps) => (
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
            onClick={() => onCode(code)}
          >
            {name === null ? 'Use Again' : 'Open'}
          </PlainButton>
        </li>
      ))}
    </ul>
  </>
);
