import { readScan } from '@draftshelf/domain/scanner/read-scan';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readKey } from '../../../api/read.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { newId } from '../../../lib/new-id.ts';
import type { ReadCode } from '../scan/reader-options.ts';
import { give } from '../scan/signals.ts';
import { lookUp, saveScanned } from '../scan-codes-api.ts';
import { addCode, fillLine, type Line, linesMax, withLine } from './batch-lines.ts';
import { saveLines } from './save-lines.ts';
import { readLines, storeLines, withStored } from './stored-lines.ts';

const retryMs = 500;

/** The list of scanned codes of this browser, and what is done with it. */
export function useBatchLines() {
  const [lines, setLines] = useState<readonly Line[]>(readLines);
  const [announcement, setAnnouncement] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const client = useQueryClient();
  // Codes come faster than React draws, and each one must see the line of the one before.
  const latest = useRef(lines);
  const change = (to: (lines: readonly Line[]) => readonly Line[]) => {
    const before = latest.current;
    latest.current = to(before);
    storeLines(before, latest.current);
    setLines(latest.current);
  };

  const lookUpLine = async ({ id, code }: Pick<Line, 'id' | 'code'>) => {
    const filled = await lookUp(code, { ask: true }).then(
      (reply) => (line: Line) => fillLine(line, reply),
      () => (line: Line) => ({
        ...line,
        state: 'ready' as const,
        note: 'The look-up failed.',
      }),
    );
    change((all) => withLine(all, id, filled));
    if (latest.current.find((line) => line.id === id)?.state === 'known') give('known');
  };
  // Look-ups that a reload has interrupted.
  const resume = useEffectEvent(() => {
    for (const line of latest.current) if (line.state === 'looking') void lookUpLine(line);
  });
  useEffect(() => resume(), []);
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      latest.current = withStored(latest.current, event);
      setLines(latest.current);
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);

  const add = (code: ReadCode) => {
    const scan = readScan(code.text, code.format);
    if (scan === null) return setAnnouncement('This code has no characters that can be saved.');
    if (latest.current.length >= linesMax && !latest.current.some(({ sku }) => sku === scan.text)) {
      give('refused');
      return setAnnouncement(`The list takes ${linesMax} codes. Save them first.`);
    }
    const upc = scan.gtin === null ? null : scan.text;
    const added = addCode(latest.current, { id: newId(), code, sku: scan.text, upc, note: scan.problem });
    change(() => added.lines);
    const line = added.lines.find(({ sku }) => sku === scan.text);
    const count = line?.count ?? 1;
    setAnnouncement(count === 1 ? `${scan.text} read.` : `${scan.text} read ${formatCount(count)} times.`);
    if (added.isNew && line) void lookUpLine(line);
  };

  const save = async () => {
    setIsSaving(true);
    const saved = await saveLines(latest.current, {
      send: saveScanned,
      wait: (attempt) => new Promise((done) => setTimeout(done, attempt * retryMs)),
      report: (id, problem) =>
        change((all) =>
          problem === null
            ? all.filter((line) => line.id !== id)
            : withLine(all, id, (line) => ({ ...line, problem })),
        ),
    });
    setIsSaving(false);
    const left = latest.current.length;
    setAnnouncement(
      `${countOf(saved, 'product')} saved.${left === 0 ? '' : ` ${countOf(left, 'line')} left.`}`,
    );
    if (saved > 0) void client.invalidateQueries({ queryKey: readKey('listScanned') });
    return saved;
  };
  return { lines, change, announcement, add, save, isSaving };
}
