import { type IssueFix, issueFixes } from '@draftshelf/domain/review/issue-fixes';
import { numberFields, operationsMax } from '@draftshelf/domain/review/operations/operation';
import { useState } from 'react';
import {
  createLine,
  type LineDraft,
  type LineField,
  type ReplacedValue,
  toOperation,
} from './operation-draft.ts';

/** Fields without spellings to unify: numbers, and whole rows, which have no value. */
const notClustered: readonly LineField[] = [...numberFields, 'rows'];

type Preset = { label: string; lines: (field: LineField) => Partial<LineDraft>[] };

const priceOf = (field: LineField) => (field === 'compareAtPrice' || field === 'cost' ? field : 'price');

export const newValuePreset: Preset = { label: 'Set', lines: (field) => [{ field, kind: 'set' }] };

export const leaveOutPreset: Preset = {
  label: 'Leave Out',
  lines: () => [{ field: 'rows', kind: 'leave-out' }],
};

/** `lines` gets the field of the filtered issue, or the price if that field is unknown. */
export const presets: readonly Preset[] = [
  {
    label: 'Change a Price',
    lines: (field) => [{ field: priceOf(field), kind: 'multiply' }],
  },
  newValuePreset,
  { label: 'Clear', lines: (field) => [{ field, kind: 'clear' }] },
  { label: 'Find and Replace', lines: (field) => [{ field, kind: 'replace' }] },
  {
    label: 'Unify Spellings',
    lines: (field) => [{ field: notClustered.includes(field) ? 'vendor' : field, kind: 'map' }],
  },
  { label: 'Round a Price', lines: (field) => [{ field: priceOf(field), kind: 'round' }] },
  leaveOutPreset,
];

export const listFixes = (issue: string | undefined): Preset[] =>
  issueFixes
    .filter(({ code }) => code === issue)
    .map(({ label, operations }) => ({ label, lines: () => operations.map(lineOf) }));

const lineOf = ({ kind, field, ...operation }: IssueFix['operations'][number]): Partial<LineDraft> => ({
  kind,
  field,
  ...('value' in operation ? { value: operation.value } : {}),
  ...('chars' in operation ? { chars: String(operation.chars) } : {}),
});

export const createPresetLines = (preset: Preset, field: LineField, id: number): LineDraft[] =>
  preset.lines(field).map((line, at) => createLine(id + at, line));

export type OperationLines = ReturnType<typeof useOperationLines>;

/** `field`: the field of the first line. `beginning`: the preset whose lines the form has at first. */
export function useOperationLines(field: LineField | null, beginning?: Preset) {
  const begin = field ?? 'price';
  /** Null if nothing has been entered. */
  const [entered, setEntered] = useState<LineDraft[] | null>(() =>
    beginning ? createPresetLines(beginning, begin, 1) : null,
  );
  const [nextId, setNextId] = useState(operationsMax + 1);
  const all = entered ?? [createLine(0, { field: begin })];
  const last = all.at(-1);
  const touched = entered === null ? [] : entered.filter((line) => !isUntouched(line));
  return {
    all,
    hasOwnBeginning: beginning !== undefined,
    isFull: all.length >= operationsMax,
    set: (changed: LineDraft) => setEntered(all.map((line) => (line.id === changed.id ? changed : line))),
    add: () => {
      setEntered([...all, createLine(nextId, { field: last?.field ?? begin, kind: last?.kind ?? 'set' })]);
      setNextId(nextId + 1);
    },
    remove: (id: number) => setEntered(all.filter((line) => line.id !== id)),
    /** Number of lines that are kept when a preset is chosen. */
    entered: touched.length,
    choose: (preset: Preset) => {
      const lines = createPresetLines(preset, begin, nextId);
      setEntered([...touched, ...lines]);
      setNextId(nextId + lines.length);
    },
    /** Adds values to the field's line of replacements. If there is none, adds one and removes unfinished lines. */
    replace: (field: LineField, values: readonly ReplacedValue[]) => {
      const line = all.find((other) => other.kind === 'map' && other.field === field);
      if (line !== undefined) {
        const withValues = { ...line, values: [...line.values, ...values] };
        return setEntered(all.map((other) => (other === line ? withValues : other)));
      }
      const finished = all.filter((other) => entered !== null && toOperation(other) !== null);
      setEntered([...finished, createLine(nextId, { field, kind: 'map', values: [...values] })]);
      setNextId(nextId + 1);
    },
    /** Removes the applied lines, except those that were changed after they were sent. */
    drop: (applied: readonly LineDraft[]) =>
      setEntered((now) => {
        const left = now?.filter((line) => !applied.includes(line)) ?? [];
        return left.length === 0 ? null : left;
      }),
  };
}

const isUntouched = (line: LineDraft): boolean =>
  toOperation(line) === null &&
  JSON.stringify(line) === JSON.stringify(createLine(line.id, { field: line.field, kind: line.kind }));
