import { operationsMax } from '@draftshelf/domain/review/operations/operation';
import { useState } from 'react';
import { type LineDraft, newLine, operationOf, type ReplacedValue } from './operation-draft.ts';
import type { LineField } from './operation-kinds.ts';
import { linesOf, type Preset } from './presets.ts';

export type Lines = ReturnType<typeof useLines>;

/**
 * The lines of the dialog. `field`: the one that the rows are filtered by, with which the first line begins. `given`:
 * lines that it opens with.
 */
export function useLines(field: LineField | null, given?: Preset) {
  const begin = field ?? 'price';
  /** Null: nothing has been entered. */
  const [entered, setEntered] = useState<LineDraft[] | null>(() => (given ? linesOf(given, begin, 1) : null));
  const [nextId, setNextId] = useState(operationsMax + 1);
  const all = entered ?? [newLine(0, { field: begin })];
  const last = all.at(-1);
  const kept = entered === null ? [] : entered.filter((line) => !isUntouched(line));
  return {
    all,
    /** It opened with lines of its own. */
    isGiven: given !== undefined,
    isFull: all.length >= operationsMax,
    set: (changed: LineDraft) => setEntered(all.map((line) => (line.id === changed.id ? changed : line))),
    add: () => {
      setEntered([...all, newLine(nextId, { field: last?.field ?? begin, kind: last?.kind ?? 'set' })]);
      setNextId(nextId + 1);
    },
    remove: (id: number) => setEntered(all.filter((line) => line.id !== id)),
    /** Lines that were entered: a preset is added to them. */
    kept: kept.length,
    choose: (preset: Preset) => {
      const lines = linesOf(preset, begin, nextId);
      setEntered([...kept, ...lines]);
      setNextId(nextId + lines.length);
    },
    /** Adds values to the line that replaces values of the field; else to a new line, instead of unfinished ones. */
    replace: (field: LineField, values: readonly ReplacedValue[]) => {
      const line = all.find((one) => one.kind === 'map' && one.field === field);
      if (line !== undefined) {
        const added = { ...line, values: [...line.values, ...values] };
        return setEntered(all.map((one) => (one === line ? added : one)));
      }
      const finished = all.filter((one) => entered !== null && operationOf(one) !== null);
      setEntered([...finished, newLine(nextId, { field, kind: 'map', values: [...values] })]);
      setNextId(nextId + 1);
    },
    reset: () => setEntered(null),
  };
}

/** Whether a line still needs an entry and has got none. */
const isUntouched = (line: LineDraft): boolean =>
  operationOf(line) === null &&
  JSON.stringify(line) === JSON.stringify(newLine(line.id, { field: line.field, kind: line.kind }));
