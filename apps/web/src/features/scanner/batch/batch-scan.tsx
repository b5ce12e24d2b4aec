import type { ScannedInput } from '@draftshelf/contract/scanner/scanner';
import { readScan } from '@draftshelf/domain/scanner/read-scan';
import { normalizePrice } from '@draftshelf/domain/scanner/scanned-product';
import { Badge, Stack, Text, TextInput } from '@mantine/core';
import { IconPhotoOff, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CallError } from '../../../api/call.ts';
import { refreshAfter } from '../../../api/stale-reads.ts';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { newId } from '../../../lib/new-id.ts';
import { attempt, hasShape, isNullOr, isNumber, isText, scannedListKey } from '../../../lib/storage.ts';
import { BodyText, Button, IconButton, PlainButton, QuietText } from '../../../ui/basics.tsx';
import { useListener } from '../../../ui/hooks.ts';
import { Picture } from '../../../ui/picture.tsx';
import { choosePictures, listProposals, lookUpFailedWords, type Proposal } from '../scan/prefill.ts';
import { isScannedCode, type ScannedCode } from '../scan/reader-options.ts';
import { ScanView } from '../scan/scan-view.tsx';
import { playSignal } from '../scan/scanning.tsx';
import classes from '../scanner.module.css';
import { type CodeReply, lookUpScannedCode, saveNewProduct } from '../scanner-api.ts';

/** A view for many scans, kept in this browser until saved. While it is open, the page must not listen for scanners. */
export function BatchScan({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { lines, change, announcement, add, save, isSaving } = useBatchLines();
  const readyCount = lines.filter((line) => findSaveProblem(line) === null).length;
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
          Scan one code after the other. Each new code becomes a line here. A code that you scan again is
          counted on its line.
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
  line: ScannedLine;
  isLocked: boolean;
  onChange: (set: Partial<Pick<ScannedLine, 'name' | 'price'>>) => void;
  onRemove: () => void;
};

function BatchLine({ line, isLocked, onChange, onRemove }: BatchLineProps) {
  const { sku, photo, count, name, nameFrom, price, state, problem } = line;
  return (
    <li className={`${classes.line} flex gap-sm pad-y-xs line-below`} data-problem={problem !== null}>
      <div className={`${classes.linePicture} filled center-grid rigid dim surface-quiet rounded`}>
        <Picture src={photo} fallback={<IconPhotoOff aria-hidden />} />
      </div>
      <Stack gap="var(--tight)" className="grow">
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
        <div className="row">
          <TextInput
            className="grow"
            aria-label={`Name of ${sku}`}
            placeholder={state === 'looking' ? 'Looking it up…' : 'Name'}
            value={name}
            onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
            disabled={isLocked || state === 'known'}
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
            disabled={isLocked || state === 'known'}
            inputMode="decimal"
            enterKeyHint="next"
          />
        </div>
        <Text size="xs" c={problem === null ? 'dimmed' : 'red'} mih="1rem">
          {describeLine(line)}
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

const retryMs = 500;

/** The stored list, which other tabs may change, too. */
function useStoredLines() {
  const [lines, setLines] = useState<readonly ScannedLine[]>(readLines);
  // A ref, because codes may arrive faster than React renders, and each code must see all earlier lines.
  const latest = useRef(lines);
  useListener('window', 'storage', (event) => {
    latest.current = mergeStoredLines(latest.current, event);
    setLines(latest.current);
  });
  return {
    lines,
    latest: () => latest.current,
    change(to: (lines: readonly ScannedLine[]) => readonly ScannedLine[]) {
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
  const lookUpLine = async ({ id, code }: Pick<ScannedLine, 'id' | 'code'>) => {
    const fill = await lookUpScannedCode(code, { ask: true }).then(
      (reply) => (line: ScannedLine) => fillLine(line, reply),
      () => (line: ScannedLine) => ({ ...line, state: 'ready' as const, note: lookUpFailedWords }),
    );
    change((all) => withLine(all, id, fill));
    if (latest().find((line) => line.id === id)?.state === 'known') playSignal('known');
  };
  /** Repeats look-ups that a reload has interrupted. */
  const resume = useEffectEvent(() => {
    for (const line of latest()) if (line.state === 'looking') void lookUpLine(line);
  });
  useEffect(() => resume(), []);
  const add = (code: ScannedCode) => {
    const scan = readScan(code.text, code.format);
    if (scan === null) return setAnnouncement('This code has no characters that can be saved.');
    if (latest().length >= linesMax && !latest().some(({ sku }) => sku === scan.text)) {
      playSignal('refused');
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
      send: saveNewProduct,
      wait: (attempt) => new Promise((done) => setTimeout(done, attempt * retryMs)),
      report: (id, problem) =>
        change((all) =>
          problem === null
            ? all.filter((line) => line.id !== id)
            : withLine(all, id, (line) => ({ ...line, problem })),
        ),
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

export type ScannedLine = {
  /** The id of the product to save, created at the first scan. */
  id: string;
  /** The code as it was read, so that the look-up can be repeated. */
  code: ScannedCode;
  /** The shown code, which becomes the product's SKU. */
  sku: string;
  upc: string | null;
  /** Number of scans. */
  count: number;
  name: string;
  price: string;
  description: string;
  photo: string | null;
  /** Source of an unchecked name; null if the name was typed or accepted. */
  nameFrom: string | null;
  note: string | null;
  /** `known`: the library has the code already, so the line is not saved. */
  state: 'looking' | 'ready' | 'known';
  /** The cause of the last failed save. */
  problem: string | null;
};

/** More lines would make the list slow to save. */
const linesMax = 200;

/** Adds a line for a new code at the top, or counts another scan if a line has the code. */
export function addCode(
  lines: readonly ScannedLine[],
  scanned: Pick<ScannedLine, 'id' | 'code' | 'sku' | 'upc' | 'note'>,
): { lines: ScannedLine[]; isNew: boolean } {
  const { id, code, sku, upc, note } = scanned;
  const isSame = (line: ScannedLine) => line.sku === sku;
  if (lines.some(isSame)) {
    const countedLines = lines.map((line) => (isSame(line) ? { ...line, count: line.count + 1 } : line));
    return { lines: countedLines, isNew: false };
  }
  const line: ScannedLine = {
    ...{ id, code, sku, upc, note, count: 1, name: '', price: '', description: '', photo: null },
    ...{ nameFrom: null, state: 'looking', problem: null },
  };
  return { lines: [line, ...lines], isNew: true };
}

/** Fills the empty fields of a line from a look-up. The price never comes from a source. */
export function fillLine(line: ScannedLine, reply: CodeReply): ScannedLine {
  const { product, inImports, inStore } = reply;
  if (product !== null) {
    const { name, price, photos } = product;
    const note = 'Already in the library.';
    return { ...line, name, price, photo: photos[0] ?? null, nameFrom: null, note, state: 'known' };
  }
  const proposals = listProposals(reply);
  const proposalOf = (field: keyof Proposal['values']) =>
    proposals.map(({ values }) => values[field]).find((value) => value !== undefined) ?? '';
  const name = proposalOf('name');
  const nameFrom = proposals.find(({ values }) => values.name === name)?.source ?? null;
  const isNamed = line.name.trim() !== '';
  const [row] = inImports;
  const notes = [
    line.note,
    inStore && 'Already in the store.',
    row && `In ${row.filename}, row ${row.row}.`,
    name === '' && !isNamed ? notFoundWords(reply) : null,
  ];
  return {
    ...line,
    ...(isNamed ? {} : { name, nameFrom }),
    price: line.price || proposalOf('price'),
    description: line.description || proposalOf('description'),
    photo: line.photo ?? choosePictures(reply)[0] ?? null,
    note: notes.filter((note) => note).join(' ') || null,
    state: 'ready',
  };
}

function notFoundWords({ asked, waiting }: CodeReply): string {
  if (asked === 'quota' && waiting !== null) return `${waiting.source} has reached its limit for now.`;
  if (asked === 'failed') return lookUpFailedWords;
  if (asked === 'asking') return 'A source is being asked about this code right now.';
  return 'Nothing is known about this code.';
}

/** Changes a line. A name that the operator has changed needs no confirmation. */
export function changeLine(
  line: ScannedLine,
  change: Partial<Pick<ScannedLine, 'name' | 'price'>>,
): ScannedLine {
  const isNamed = change.name !== undefined;
  return { ...line, ...change, nameFrom: isNamed ? null : line.nameFrom, problem: null };
}

export const acceptNames = (lines: readonly ScannedLine[]): ScannedLine[] =>
  lines.map((line) => ({ ...line, nameFrom: null }));

export function findSaveProblem(line: ScannedLine): string | null {
  if (line.state === 'known') return 'Already in the library.';
  if (line.name.trim() === '') return line.state === 'looking' ? 'Looking it up…' : 'Enter a name.';
  if (line.price.trim() === '') return 'Enter a price.';
  if (normalizePrice(line.price) === null) return 'Enter an amount like 24.99.';
  return line.nameFrom === null ? null : `Check the name from ${line.nameFrom}, or accept all names.`;
}

export function describeLine(line: ScannedLine): string {
  const reason = line.problem ?? (line.state === 'known' ? null : findSaveProblem(line));
  return [countWords(line.count), line.note, reason].filter((words) => words !== null).join(' ');
}

/** The number of scans is only shown, because the library has no quantities. */
const countWords = (count: number) =>
  count === 1 ? null : `Scanned ${formatCount(count)} times; this count isn’t saved.`;

const withLine = (
  lines: readonly ScannedLine[],
  id: string,
  change: (line: ScannedLine) => ScannedLine,
): ScannedLine[] => lines.map((line) => (line.id === id ? change(line) : line));

/** Maximum number of attempts to save a line if no answer arrives. The line's id makes a repeated save harmless. */
const attemptsMax = 3;

type SaveDeps = {
  send: (id: string, input: ScannedInput) => Promise<void>;
  /** `attempt` counts from 1. */
  wait: (attempt: number) => Promise<void>;
  /** Called once per line. `problem` is null if the line was saved. */
  report: (id: string, problem: string | null) => void;
};

/** Saves lines one after the other. Returns the number of saved lines. */
export async function saveLines(lines: readonly ScannedLine[], deps: SaveDeps): Promise<number> {
  let savedCount = 0;
  // Saves in the order of scanning, so that the library is in the order of the shelf.
  for (const line of lines.filter((line) => findSaveProblem(line) === null).toReversed()) {
    const problem = await saveLine(line, deps);
    if (problem === null) savedCount += 1;
    deps.report(line.id, problem);
  }
  return savedCount;
}

async function saveLine(line: ScannedLine, { send, wait }: SaveDeps): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send(line.id, inputOf(line));
      return null;
    } catch (error) {
      const isRefused = error instanceof CallError && error.status < 500;
      if (isRefused) return error.serverMessage ?? error.message;
      if (attempt === attemptsMax) return 'The server didn’t answer. Save again: nothing is saved twice.';
      await wait(attempt);
    }
  }
}

function inputOf({ name, price, sku, upc, description, photo }: ScannedLine): ScannedInput {
  const photos = photo === null ? [] : [photo];
  return { name: name.trim(), price: price.trim(), sku, upc, description, photos };
}

/** The storage key of a line. Each line has its own, so that two tabs do not overwrite each other's lines. */
const lineKey = (id: string) => `${scannedListKey}:${id}`;

const isLine = hasShape<ScannedLine>({
  id: isText,
  code: isScannedCode,
  sku: isText,
  upc: isNullOr(isText),
  count: isNumber,
  name: isText,
  price: isText,
  description: isText,
  photo: isNullOr(isText),
  nameFrom: isNullOr(isText),
  note: isNullOr(isText),
  state: (state) => state === 'looking' || state === 'ready' || state === 'known',
  problem: isNullOr(isText),
});
/** `at`: the time at which the line was added. Newer lines are above. */
const isStored = hasShape<{ at: number; line: ScannedLine }>({ at: isNumber, line: isLine });

const addedAt = new Map<string, number>();

/** Returns the stored lines, newest first. An unreadable line stays stored. */
export const readLines = (): ScannedLine[] =>
  attempt(() => {
    splitList();
    const keys = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
    const lines = keys.flatMap((key) => readLine(key, localStorage.getItem(key)) ?? []);
    return lines.sort((a, b) => placeOf(b.id) - placeOf(a.id));
  }) ?? [];

/** Stores the changes between two lists. A line that another tab or a sign-out has removed is not stored again. */
export function storeLines(before: readonly ScannedLine[], after: readonly ScannedLine[]): void {
  const knownLines = new Set(before);
  const isRemoved = ({ id }: ScannedLine) =>
    before.some((line) => line.id === id) && localStorage.getItem(lineKey(id)) === null;
  // Without storage, as in some private windows, the list lasts as long as the tab.
  attempt(() => {
    for (const line of after.toReversed()) {
      if (!knownLines.has(line) && !isRemoved(line)) {
        localStorage.setItem(lineKey(line.id), JSON.stringify({ at: placeOf(line.id), line }));
      }
    }
    const keptIds = new Set(after.map(({ id }) => id));
    for (const { id } of before) if (!keptIds.has(id)) localStorage.removeItem(lineKey(id));
  });
}

/** Applies to `lines` a change that another tab has made in the storage. */
export function mergeStoredLines(
  lines: readonly ScannedLine[],
  { key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>,
): readonly ScannedLine[] {
  if (!key?.startsWith(lineKey(''))) return lines;
  const id = key.slice(lineKey('').length);
  if (newValue === null) return lines.filter((line) => line.id !== id);
  const changedLine = readLine(key, newValue);
  if (changedLine === null) return lines;
  return lines.some((line) => line.id === id)
    ? lines.map((line) => (line.id === id ? changedLine : line))
    : [changedLine, ...lines].sort((a, b) => placeOf(b.id) - placeOf(a.id));
}

function readLine(key: string, text: string | null): ScannedLine | null {
  if (!key.startsWith(lineKey('')) || text === null) return null;
  const stored = parsed(text);
  if (!isStored(stored)) return null;
  addedAt.set(stored.line.id, stored.at);
  return stored.line;
}

/** Splits a list that an earlier version of the app stored as one text. Unreadable lines stay in that text. */
function splitList(): void {
  const list = parsed(localStorage.getItem(scannedListKey) ?? '');
  if (!Array.isArray(list)) return;
  const lines = list.filter(isLine);
  storeLines([], lines);
  const otherItems = list.filter((item) => !isLine(item));
  if (otherItems.length === 0) localStorage.removeItem(scannedListKey);
  else localStorage.setItem(scannedListKey, JSON.stringify(otherItems));
}

const parsed = (text: string): unknown => attempt(() => JSON.parse(text));

/** Returns a line's sort key: the time when it was added, made unique so that later lines have larger keys. */
function placeOf(id: string): number {
  const at = addedAt.get(id) ?? Math.max(Date.now(), ...addedAt.values().map((before) => before + 1));
  addedAt.set(id, at);
  return at;
}
