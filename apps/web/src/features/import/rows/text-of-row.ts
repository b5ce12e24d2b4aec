import { useEffect } from 'react';
import { isTyping } from '../../../ui/hooks/search-field.ts';
import { typesText } from './typed-text.ts';
import { rowOfElement } from './use-problems.ts';

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
