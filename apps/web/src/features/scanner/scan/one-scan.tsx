import { Text, Title } from '@mantine/core';
import { PlainButton } from '../../../ui/button.tsx';
import { SmallText } from '../../../ui/text.tsx';
import classes from '../scanner.module.css';
import type { ReadCode } from './reader-options.ts';
import { ScanView, type ScanViewProps } from './scan-view.tsx';
import type { SessionScan } from './session-scans.ts';

type OneScanProps = Omit<ScanViewProps, 'children' | 'footer' | 'title'> & {
  scans: readonly SessionScan[];
};

export function OneScan({ scans, ...view }: OneScanProps) {
  return (
    <ScanView {...view}>{scans.length > 0 && <SessionScans scans={scans} onCode={view.onCode} />}</ScanView>
  );
}

type SessionScansProps = { scans: readonly SessionScan[]; onCode: (code: ReadCode) => void };

function SessionScans({ scans, onCode }: SessionScansProps) {
  return (
    <>
      <Title order={3} size="h5" id="session-scans" mt="xs">
        Scanned in this session
      </Title>
      <ul className={`list ${classes.scans}`} aria-labelledby="session-scans">
        {scans.map(({ code, text, name }) => (
          <li key={text} className={`row ${classes.line} flex gap-sm pad-y-xs line-below`}>
            <div className="grow">
              <Text size="sm" className="numbers break-words">
                {text}
              </Text>
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
}
