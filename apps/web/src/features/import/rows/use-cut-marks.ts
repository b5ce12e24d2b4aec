import { type RefObject, useLayoutEffect } from 'react';

/**
 * Marks the sentences of a row that are cut, so that the row shows them in full while it has the focus. Returns what to
 * call when it gets the focus.
 */
export function useCutMarks(row: RefObject<HTMLElement | null>): () => void {
  const mark = () => {
    // Also where a saved edit has left no sentence.
    for (const sentences of row.current?.querySelectorAll<HTMLElement>('[data-full], [data-cut]') ?? []) {
      sentences.toggleAttribute('data-cut', sentences.hasAttribute('data-full') && isCut(sentences));
    }
  };
  // The sentences of a row with the focus change when it is saved.
  useLayoutEffect(() => {
    if (row.current?.contains(document.activeElement)) mark();
  });
  return mark;
}

/** Some of the sentences are only an icon, or do not fit into their line. */
function isCut(sentences: HTMLElement): boolean {
  const line = sentences.querySelector('ul') ?? sentences;
  return sentences.querySelector('[data-elsewhere]') !== null || line.scrollWidth > line.clientWidth;
}
