import { readScan, type Scan } from '@draftshelf/domain/read-scan';
import { Suspense, useState } from 'react';
import { type CodeReply, lookUp } from '../../../api/scan-codes.ts';
import { lazily } from '../../../lib/load-chunk.ts';
import { useEver } from '../../../lib/use-ever.ts';
import type { ReadCode } from './reader-options.ts';
import { give } from './signals.ts';
import { useKeyboardScanner } from './use-keyboard-scanner.ts';

const ScanView = lazily(() => import('./scan-view.tsx').then((chunk) => chunk.ScanView));
const BatchScan = lazily(() => import('../batch/batch-scan.tsx').then((chunk) => chunk.BatchScan));

/** The view that is open: for one code, for many, or none. */
export type ScanMode = 'closed' | 'one' | 'many';

/** A code that the library does not have. `reply`: what else is known; null: that could not be read. */
export type NewCode = { code: ReadCode; scan: Scan; reply: CodeReply | null };

type ScanningProps = {
  mode: ScanMode;
  onMode: (mode: ScanMode) => void;
  /** Opens a product of the library. */
  onKnown: (id: string) => void;
  /** Opens or fills the form of a new product. */
  onNew: (code: NewCode) => void;
};

/**
 * Scanning on the scanner's page: the two views, and hand-held scanners while neither is open. A code opens its
 * product, or the form of a new one.
 */
export function Scanning({ mode, onMode, onKnown, onNew }: ScanningProps) {
  const [announcement, setAnnouncement] = useState<string | null>(null);
  const isOneMounted = useEver(mode === 'one');
  const isManyMounted = useEver(mode === 'many');
  const take = async (code: ReadCode) => {
    const scan = readScan(code.text, code.format);
    if (scan === null) return setAnnouncement('This code has no characters that can be saved.');
    setAnnouncement(`${scan.text} read.`);
    const reply = await lookUp(code, { ask: false }).catch(() => null);
    onMode('closed');
    if (reply?.product) {
      give('known');
      setAnnouncement(`${scan.text} read. ${reply.product.name} opened.`);
      return onKnown(reply.product.id);
    }
    onNew({ code, scan, reply });
  };
  useKeyboardScanner((text) => {
    // A dialog is about something else. The keys are kept from it all the same.
    if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return give('refused');
    give('read');
    void take({ text, format: null });
  }, mode === 'closed');
  return (
    <>
      {mode === 'closed' && (
        <div role="status" className="visually-hidden">
          {announcement}
        </div>
      )}
      <Suspense fallback={null}>
        {isOneMounted && (
          <ScanView
            opened={mode === 'one'}
            announcement={announcement}
            onCode={(code) => void take(code)}
            onClose={() => onMode('closed')}
          />
        )}
        {isManyMounted && <BatchScan opened={mode === 'many'} onClose={() => onMode('closed')} />}
      </Suspense>
    </>
  );
}
