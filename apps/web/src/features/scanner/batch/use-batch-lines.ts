import { readScan } from '@draftshelf/domain/scanner/read-scan';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readKey } from '../../../api/read.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { newId } from '../../../lib/new-id.ts';
import { lookUpFailedWords } from '../scan/prefill.ts';
import type { ReadCode } from '../scan/reader-options.ts';
import { give } from '../scan/signals.ts';
import { lookUp, saveScanned } from '../scan-codes-api.ts';
import { addCode, fillLine, type Line, linesMax, saveLines, withLine } from './batch-lines.ts';
import { readLines, storeLines, withStored } from './stored-lines.ts';

const retryMs = 500;

/** The list of scanned codes of this browser. Other tabs may change it, too. */
function useStoredLines() {
  const [lines, setLines] = useState<readonly Line[]>(readLines);
  // Codes come faster than React draws, and each one must see the line of the one before.
  const latest = useRef(lines);
  useEffect(() => {
    const follow = (event: StorageEvent) => {
      latest.current = withStored(latest.current, event);
      setLines(latest.current);
    };
    addEventListener('storage', follow);
    return () => removeEventListener('storage', follow);
  }, []);
  return {
    lines,
    latest: () => latest.current,
    change(to: (lines: readonly Line[]) => readonly Line[]) {
      const before = latest.current;
      latest.current = to(before);
      storeLines(before, latest.current);
      setLines(latest.current);
    },
  };
}

/** The list of scanned codes, and what is done with it. */
export function useBatchLines() {
  const { lines, latest, change } = useStoredLines();
  const [announcement, setAnnouncement] = useState<string | null>(null);
  const [isSaving, setIsSaving] = useState(false);
  const client = useQueryClient();
  const lookUpLine = useLineLookUp({ latest, change });
  const add = (code: ReadCode) => {
    const scan = readScan(code.text, code.format);
    if (scan === null) return setAnnouncement('This code has no characters that can be saved.');
    if (latest().length >= linesMax && !latest().some(({ sku }) => sku === scan.text)) {
      give('refused');
      return setAnnouncement(`The list holds ${linesMax} codes. Save them first.`);
    }
    const upc = scan.gtin === null ? null : scan.text;
    const result = addCode(latest(), { id: newId(), code, sku: scan.text, upc, note: scan.problem });
    change(() => result.lines);
    const line = result.lines.find(({ sku }) => sku === scan.text);
    const count = line?.count ?? 1;
    setAnnouncement(count === 1 ? `${scan.text} read.` : `${scan.text} read ${formatCount(count)} times.`);
    if (result.isNew && line) void lookUpLine(line);
  };
  const save = async () => {
    setIsSaving(true);
    const savedCount = await saveLines(latest(), {
      send: saveScanned,
      wait: (attempt) => new Promise((done) => setTimeout(done, attempt * retryMs)),
      report: (id, problem) => change((all) => withResult(all, id, problem)),
    });
    setIsSaving(false);
    const leftCount = latest().length;
    setAnnouncement(
      `${countOf(savedCount, 'product')} saved.${leftCount === 0 ? '' : ` ${countOf(leftCount, 'line')} left.`}`,
    );
    if (savedCount > 0) void client.invalidateQueries({ queryKey: readKey('listScanned') });
  };
  return { lines, change, announcement, add, save, isSaving };
}

/** Returns what looks up the code of a line. Look-ups that a reload has interrupted begin again. */
function useLineLookUp({ latest, change }: Pick<ReturnType<typeof useStoredLines>, 'latest' | 'change'>) {
  const lookUpLine = async ({ id, code }: Pick<Line, 'id' | 'code'>) => {
    const fill = await lookUp(code, { ask: true }).then(
      (reply) => (line: Line) => fillLine(line, reply),
      () => (line: Line) => ({ ...line, state: 'ready' as const, note: lookUpFailedWords }),
    );
    change((all) => withLine(all, id, fill));
    if (latest().find((line) => line.id === id)?.state === 'known') give('known');
  };
  const resume = useEffectEvent(() => {
    for (const line of latest()) if (line.state === 'looking') void lookUpLine(line);
  });
  useEffect(() => resume(), []);
  return lookUpLine;
}

/** The list after a line was sent. `problem`: why it was not saved; null: it was, so it goes. */
function withResult(lines: readonly Line[], id: string, problem: string | null): readonly Line[] {
  if (problem === null) return lines.filter((line) => line.id !== id);
  return withLine(lines, id, (line) => ({ ...line, problem }));
}
