import { type FocusEvent, useEffect, useRef } from 'react';
import { cardSelector } from './product-card.tsx';

type Focused = { element: HTMLElement; product: string | undefined; at: number };

/**
 * Keeps the focus among the cards when the control that has it goes: it moves to the same card, as after a sync, else
 * to the card in its place, as after a deletion, else to the heading. Returns the handlers of the list.
 */
export function useKeptFocus() {
  const last = useRef<Focused | null>(null);
  useEffect(() => {
    if (last.current === null || last.current.element.isConnected || !isFocusLost()) return;
    const { product, at } = last.current;
    last.current = null;
    const cards = allCards(document);
    const card = cards.find((one) => one.dataset.product === product) ?? cards[at] ?? cards.at(-1);
    (card?.querySelector('button') ?? document.querySelector('h1'))?.focus();
  });
  return {
    onFocus({ target, currentTarget }: FocusEvent<HTMLElement>) {
      const card = target.closest<HTMLElement>(cardSelector);
      if (card === null) return;
      const at = allCards(currentTarget).indexOf(card);
      last.current = { element: target, product: card.dataset.product, at };
    },
    /** The question before a deletion takes the focus and returns it. */
    onBlur({ relatedTarget }: FocusEvent<HTMLElement>) {
      if (relatedTarget !== null && !isInQuestion(relatedTarget)) last.current = null;
    },
  };
}

const allCards = (within: ParentNode) => Array.from(within.querySelectorAll<HTMLElement>(cardSelector));

const isInQuestion = (element: Element) => element.closest('[role="alertdialog"]') !== null;

/** Nothing has the focus, or only a question that is closing. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || isInQuestion(activeElement);
}
