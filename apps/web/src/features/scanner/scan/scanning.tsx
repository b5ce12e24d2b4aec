import { readScan, type Scan } from '@draftshelf/domain/scanner/read-scan';
import { useState } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../ui/feedback/toast-state.ts';
import { lazyOverlay } from '../../../ui/later.tsx';
import { type CodeReply, lookUpScannedCode, type ShownScanned } from '../scanner-api.ts';
import { useKeyboardScanner } from './listen-for-scanner.ts';
import { addScan, storedScans } from './prefill.ts';
import type { ScannedCode } from './reader-options.ts';

const OneScan = lazyOverlay(() => import('./scan-view.tsx'), 'OneScan');
const BatchScan = lazyOverlay(() => import('../batch/batch-scan.tsx'), 'BatchScan');

export type ScanMode = 'closed' | 'one' | 'many';

export type NewCode = {
  id: string;
  code: ScannedCode;
  scan: Scan;
  /** Null if the look-up failed. */
  reply: CodeReply | null;
  /** Id of the field that had the focus when a hand-held scanner was used; null without a field, or for other scans. */
  fieldId: string | null;
};

type ScanningProps = {
  mode: ScanMode;
  onMode: (mode: ScanMode) => void;
  onKnown: (product: ShownScanned) => void;
  onNew: (code: NewCode) => void;
};

/** Listens for hand-held scanners while no scan view is open. A known code opens its product, a new code a form. */
export function ScanHandler({ mode, onMode, onKnown, onNew }: ScanningProps) {
  const [announcement, setAnnouncement] = useState<string | null>(null);
  const scans = storedScans.use();
  const open = async (code: ScannedCode, field: HTMLElement | null = null) => {
    const scan = readScan(code.text, code.format);
    if (scan === null) return setAnnouncement('This code has no characters that can be saved.');
    setAnnouncement(`${scan.text} read.`);
    const reply = await lookUpScannedCode(code, { ask: false }).catch(() => null);
    onMode('closed');
    const name = reply?.product?.name ?? null;
    storedScans.set(addScan(storedScans.get(), { code, text: scan.text, name }));
    if (reply?.product) {
      playSignal('known');
      setAnnouncement(`${scan.text} read. ${reply.product.name} opened.`);
      return onKnown(reply.product);
    }
    onNew({ id: newId(), code, scan, reply, fieldId: field?.id || null });
  };
  useKeyboardScanner((text, field) => {
    // If a dialog is open, the scan is refused with a notification.
    const toDo = whatToDoFirst(readScan(text)?.text ?? text);
    if (toDo !== null) {
      playSignal('refused');
      return void toast({ title: 'Code not used', text: toDo, tone: 'failure' });
    }
    playSignal('read');
    void open({ text, format: null }, field);
  }, mode === 'closed');
  return (
    <>
      {mode === 'closed' && (
        <div role="status" className="visually-hidden">
          {announcement}
        </div>
      )}
      <OneScan
        opened={mode === 'one'}
        announcement={announcement}
        scans={scans}
        onCode={(code) => void open(code)}
        onClose={() => onMode('closed')}
      />
      <BatchScan opened={mode === 'many'} onClose={() => onMode('closed')} />
    </>
  );
}

/** Returns what to do before a code can be used; null if it can be used now. An open dialog must be answered first. */
function whatToDoFirst(code: string): string | null {
  const dialog = Array.from(document.querySelectorAll('[role="dialog"], [role="alertdialog"]')).at(-1);
  if (dialog === undefined) return null;
  if (dialog.getAttribute('role') === 'alertdialog') {
    return `Answer the question on the screen, then scan ${code} again.`;
  }
  const label = document.getElementById(dialog.getAttribute('aria-labelledby') ?? '')?.textContent;
  return `Close ${label ? `“${label}”` : 'the dialog'}, then scan ${code} again.`;
}

export type ScanSignal = 'read' | 'known' | 'refused';

const tones: Record<ScanSignal, { hz: number; ms: number }> = {
  read: { hz: 1_760, ms: 90 },
  known: { hz: 1_175, ms: 160 },
  refused: { hz: 330, ms: 240 },
};

let audio: AudioContext | undefined;

/** Call it while a click or key is handled, because browsers allow sound only then. */
export function prepareSound(): void {
  if (typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  if (audio.state !== 'running') audio.resume().catch(() => {});
}

export function playSignal(signal: ScanSignal): void {
  const { hz, ms } = tones[signal];
  navigator.vibrate?.(ms);
  if (audio?.state !== 'running') return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const endS = audio.currentTime + ms / 1_000;
  tone.frequency.value = hz;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  // Fades the tone out, because an abrupt end would sound like a click.
  volume.gain.exponentialRampToValueAtTime(0.001, endS);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(endS);
}
