import { readScan } from '@draftshelf/domain/scanner/read-scan';
import { Badge, Stack, Text, TextInput } from '@mantine/core';
import { IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { refreshAfter } from '../../../api/stale-reads.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { newId } from '../../../lib/new-id.ts';
import { Button, IconButton, PlainButton } from '../../../ui/button.tsx';
import { useListener } from '../../../ui/hooks.ts';
import { Picture } from '../../../ui/picture.tsx';
import { BodyText, QuietText } from '../../../ui/text.tsx';
import { lookUpFailedWords } from '../scan/prefill.ts';
import type { ReadCode } from '../scan/reader-options.ts';
import { ScanView } from '../scan/scan-view.tsx';
import { give } from '../scan/scanning.tsx';
import classes from '../scanner.module.css';
import { lookUp, saveScanned } from '../scanner-api.ts';
import {
  acceptNames,
  addCode,
  changeLine,
  fillLine,
  type Line,
  linesMax,
  readLines,
  saveLines,
  storeLines,
  whyNotSaved,
  withLine,
  withStored,
  wordsOf,
} from './batch-lines.ts';

/** The list stays in this browser until it is saved. The page must not listen for hand-held scanners meanwhile. */
export function BatchScan({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { lines, change, announcement, add, save, isSaving } = useBatchLines();
  const readyCount = lines.filter((line) => whyNotSaved(line) === null).length;
  const proposedNames = lines.filter((line) => line.nameFrom !== null && line.state === 'ready').length;
  return (
    <ScanView
      opened={opened}
      title="Scan many codes"
      onCode={add}
      onClose={onClose}
      announcement={announcement}
      footer={
        <>
          {proposedNames > 0 && (
            <PlainButton onClick={() => change(acceptNames)}>Accept All Names</PlainButton>
          )}
          <Button disabled={readyCount === 0} loading={isSaving} onClick={() => void save()}>
            {readyCount === 0 ? 'Save All' : `Save All (${readyCount})`}
          </Button>
        </>
      }
    >
      {lines.length === 0 ? (
        <QuietText py="sm">
          Scan one code after the other. Each becomes a line here. The same code again is counted on its line.
        </QuietText>
      ) : (
        <ul className="list" aria-label={countOf(lines.length, 'scanned code')}>
          {lines.map((line) => (
            <BatchLine
              key={line.id}
              line={line}
              isLocked={isSaving}
              onChange={(set) =>
                change((all) => withLine(all, line.id, (current) => changeLine(current, set)))
              }
              onRemove={() => change((all) => all.filter(({ id }) => id !== line.id))}
            />
          ))}
        </ul>
      )}
    </ScanView>
  );
}

type BatchLineProps = {
  line: Line;
  isLocked: boolean;
  onChange: (set: Partial<Pick<Line, 'name' | 'price'>>) => void;
  onRemove: () => void;
};

function BatchLine({ line, isLocked, onChange, onRemove }: BatchLineProps) {
  const { sku, photo, problem } = line;
  const noPicture = <IconPhotoOff aria-hidden />;
  return (
    <li className={`${classes.line} flex gap-sm pad-y-xs line-below`} data-problem={problem !== null}>
      <div className={`${classes.linePicture} filled center-grid rigid dim surface-quiet rounded`}>
        {photo === null ? noPicture : <Picture src={photo} fallback={noPicture} />}
      </div>
      <Stack gap="var(--tight)" className="grow">
        <LineHead line={line} />
        <LineInputs line={line} disabled={isLocked || line.state === 'known'} onChange={onChange} />
        <Text size="xs" c={problem === null ? 'dimmed' : 'red'} mih="1rem">
          {wordsOf(line)}
        </Text>
      </Stack>
      <IconButton
        icon={IconTrash}
        iconSize={20}
        size={48}
        label={`Remove ${sku}`}
        disabled={isLocked}
        onClick={onRemove}
      />
    </li>
  );
}

const LineHead = ({ line: { sku, count, nameFrom } }: { line: Line }) => (
  <div className={`row-wrap ${classes.lineHead}`}>
    <BodyText component="span" className="numbers break-words">
      {sku}
    </BodyText>
    {count > 1 && (
      <Badge variant="light" size="md">
        ×{count}
      </Badge>
    )}
    {nameFrom !== null && (
      <Badge variant="outline" size="md">
        {nameFrom}
      </Badge>
    )}
  </div>
);

type LineInputsProps = Pick<BatchLineProps, 'line' | 'onChange'> & { disabled: boolean };

const LineInputs = ({ line: { sku, name, price, state }, disabled, onChange }: LineInputsProps) => (
  <div className="row">
    <TextInput
      className="grow"
      aria-label={`Name of ${sku}`}
      placeholder={state === 'looking' ? 'Looking it up…' : 'Name'}
      value={name}
      onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      disabled={disabled}
      autoCapitalize="words"
      enterKeyHint="next"
    />
    <TextInput
      flex="none"
      w="5.5rem"
      aria-label={`Price of ${sku}`}
      placeholder="0.00"
      value={price}
      onChange={({ currentTarget }) => onChange({ price: currentTarget.value })}
      disabled={disabled}
      inputMode="decimal"
      enterKeyHint="next"
    />
  </div>
);

const retryMs = 500;

/** Other tabs may change the list too. */
function useStoredLines() {
  const [lines, setLines] = useState<readonly Line[]>(readLines);
  // Codes come faster than React draws, and each must see the previous line.
  const latest = useRef(lines);
  useListener('window', 'storage', (event) => {
    latest.current = withStored(latest.current, event);
    setLines(latest.current);
  });
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

function useBatchLines() {
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
    if (savedCount > 0) void refreshAfter(client, [{ name: 'createScanned' }]);
  };
  return { lines, change, announcement, add, save, isSaving };
}

/** A reload restarts interrupted look-ups. */
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

/** A saved line (`problem` null) is removed. */
function withResult(lines: readonly Line[], id: string, problem: string | null): readonly Line[] {
  if (problem === null) return lines.filter((line) => line.id !== id);
  return withLine(lines, id, (line) => ({ ...line, problem }));
}
