import type { InlineField } from '@draftshelf/domain/base/field-look';
import type { KeyboardEvent, RefObject } from 'react';
import { firstField, needsFix } from '../cell-marks.ts';
import { type RowEntry, useRowsReview } from './rows-review.ts';

/** After a save the focus returns to the cell or stays, the next problem is edited, or the row stays open. */
export type Then = 'stay' | 'away' | 'next' | 'open';

/**
 * Enter goes from a 'problem' to the next one. Arrow keys leave a cell that is typed 'over', and stay in its 'text'.
 */
export type Begun = 'problem' | 'over' | 'text';

type FieldKeys = {
  begun: RefObject<Begun>;
  /** No other value is replaced. */
  savesItself: boolean;
  save: (then: Then) => void;
};

export function useFieldKeys({ row, fields }: RowEntry, { begun, savesItself, save }: FieldKeys) {
  const { address, heldRows } = useRowsReview();
  /** Goes to a row below or above; in a list of problems to a wrong cell. */
  const saveAndStep = (step: Step, at: InlineField) => {
    const { rows } = heldRows;
    const next = rows[rows.findIndex((one) => one.row === row.row) + step];
    const isOfProblems = address.issue !== undefined || (address.class ?? 'valid') !== 'valid';
    if (next === undefined) {
      const goesToProblem = step === 1 && isOfProblems;
      const cell = document.querySelector(`tr[data-row="${row.row}"] td[data-field="${at}"]`);
      const isBeside = !goesToProblem && asksForPage(cell, step === 1);
      return save(goesToProblem ? 'next' : isBeside ? 'away' : 'stay');
    }
    const to = isOfProblems && !needsFix(next, [at]) ? firstField(next, fields, address.issue) : at;
    const inNext = (tag: string) =>
      document.querySelector<HTMLElement>(`tr[data-row="${next.row}"] ${tag}[data-field="${to}"]`);
    // Before the reply: what is typed next is for that cell.
    (inNext('input') ?? inNext('td'))?.focus();
    save('away');
  };
  return (event: KeyboardEvent, at: InlineField): void => {
    if (event.key === 'Enter' && begun.current === 'problem') save('next');
    if (begun.current === 'problem') return;
    // The browser goes to the next field.
    if (event.key === 'Tab' && savesItself) save('open');
    const beside = begun.current === 'over' && savesItself ? fieldBeside(event) : undefined;
    if (beside !== undefined) {
      event.preventDefault();
      beside.focus();
      beside.select();
      save('open');
      return;
    }
    const step = stepOf(event, begun.current);
    if (step === undefined || !(savesItself || event.key === 'Enter')) return;
    event.preventDefault();
    saveAndStep(step, at);
  };
}

/** At the ends of the row, the field that has the focus. */
function fieldBeside(event: KeyboardEvent): HTMLInputElement | undefined {
  const { key, target, currentTarget } = event;
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || hasModifier(event) || event.shiftKey) return undefined;
  const fields = [...currentTarget.querySelectorAll<HTMLInputElement>('input[data-field]')];
  const at = fields.indexOf(target as HTMLInputElement);
  return fields[at + (key === 'ArrowRight' ? 1 : -1)] ?? fields[at];
}

const hasModifier = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => ctrlKey || metaKey || altKey;

/** `detail`: true for the page behind, false for the one before. */
export const pageStep = 'page-step';

function asksForPage(cell: Element | null, isDown: boolean): boolean {
  const event = new CustomEvent(pageStep, { bubbles: true, cancelable: true, detail: isDown });
  return cell?.dispatchEvent(event) === false;
}

type Step = 1 | -1;

function stepOf(event: KeyboardEvent, begun: Begun): Step | undefined {
  const { key, shiftKey } = event;
  if (hasModifier(event)) return undefined;
  if (key === 'Enter') return shiftKey ? -1 : 1;
  if (begun !== 'over' || shiftKey) return undefined;
  if (key === 'ArrowDown') return 1;
  return key === 'ArrowUp' ? -1 : undefined;
}

/** Keys that begin a character without entering one: an accent, or a letter that an input method composes. */
const composing = ['Dead', 'Process', 'Unidentified'];

/** A character, a part of a character, or what was copied. */
export function typesText(event: globalThis.KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (composing.includes(key)) return true;
  if (key === 'Insert') return shiftKey;
  // Characters outside the basic plane have two units. On a Mac, Alt enters characters of its own.
  if ([...key].length !== 1 || event.getModifierState('AltGraph')) return [...key].length === 1;
  return ctrlKey || metaKey ? key.toLowerCase() === 'v' && !altKey : !altKey || key > '~';
}
