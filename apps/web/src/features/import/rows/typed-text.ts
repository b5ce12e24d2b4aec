import { useEffect } from 'react';
import { isTyping } from '../../../ui/hooks/search-field.ts';
import { rowOfElement } from './use-problems.ts';

/** Keys that begin a character without entering one: an accent, or a letter that an input method composes. */
const composing = ['Dead', 'Process', 'Unidentified'];

/** Whether a key enters text: a character, a part of a character, or what was copied. */
export function typesText(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (composing.includes(key)) return true;
  if (key === 'Insert') return shiftKey;
  // Characters outside the basic plane have two units. On a Mac, Alt enters characters of its own.
  if ([...key].length !== 1 || event.getModifierState('AltGraph')) return [...key].length === 1;
  return ctrlKey || metaKey ? key.toLowerCase() === 'v' && !altKey : !altKey || key > '~';
}

const endsText = ({ key, ctrlKey, metaKey }: KeyboardEvent) =>
  /^(Enter|Tab|Escape|Arrow|F\d)/.test(key) || ctrlKey || metaKey;

/**
 * Text that is typed into a row of the table stays there. If the focus is moved meanwhile, as when the row leaves the
 * page, the rest of the text would run keys of the screen or go to another row: it is dropped until a key or a press
 * ends the text.
 */
export function useTextOfRow(): void {
  useEffect(() => {
    let row: number | null = null;
    const end = () => {
      row = null;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (endsText(event)) return end();
      const here = isTyping(event.target) ? rowOfElement(event.target) : null;
      if (row === null && typesText(event)) row = here;
      if (row === null || row === here) return;
      event.preventDefault();
      event.stopPropagation();
    };
    const unmounting = new AbortController();
    const options = { capture: true, signal: unmounting.signal };
    document.addEventListener('keydown', onKeyDown, options);
    document.addEventListener('pointerdown', end, options);
    return () => unmounting.abort();
  }, []);
}
