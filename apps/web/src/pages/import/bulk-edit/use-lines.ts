import { operationsMax } from '@draftshelf/domain/operations/operation';
import { useState } from 'react';
import { type LineDraft, newLine, operationOf, type ReplacedValue } from './operation-draft.ts';
import type { LineField } from './operation-kinds.ts';
import { linesOf, type Preset } from './presets.ts';

export type Lines = ReturnType<typeof useLines>;

/** The lines of the dialog. `field`: the one that the rows are filtered by, with which the first line begins. */
export function useLines(field: LineField | null) {
  const begin = field ?? 'price';
  /** Null: nothing has been entered. */
  const [entered, setEntered] = useState<LineDraft[] | null>(null);
  const [nextId, setNextId] = useState(1);
  /** Counts the presets that were chosen: the first input gets the focus then. */
  const [chosenPresets, setChosenPresets] = useState(0);
  const all = entered ?? [newLine(0, { field: begin })];
  const last = all.at(-1);
  return {
    all,
    chosenPresets,
    isFull: all.length >= operationsMax,
    set: (changed: LineDraft) => setEntered(all.map((line) => (line.id === changed.id ? changed : line))),
    add: () => {
      setEntered([...all, newLine(nextId, { field: last?.field ?? begin, kind: last?.kind ?? 'set' })]);
      setNextId(nextId + 1);
    },
    remove: (id: number) => setEntered(all.filter((line) => line.id !== id)),
    choose: (preset: Preset) => {
      const lines = linesOf(preset, begin, nextId);
      setEntered(lines);
      setNextId(nextId + lines.length);
      setChosenPresets(chosenPresets + 1);
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
