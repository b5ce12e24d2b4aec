import { type KeyboardEvent, useEffect } from 'react';

const cardSelector = '[data-product]';

/**
 * The attributes of a card at this place of the list. When the focused control of a card disappears, the focus goes to
 * the same card, as after a sync, else to the card that takes its place, as after a deletion.
 */
export function cardFocus(id: string, at: number) {
  const card = `[data-product="${CSS.escape(id)}"]`;
  const sameOrLastPlace = `${cardSelector}:is(:nth-child(${at + 1}), :last-child)`;
  return {
    'data-product': id,
    'data-focus-next': `${card} button, ul:not(:has(${card})) > ${sameOrLastPlace} button`,
  };
}

const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
const controls = 'a[href], button';

/** Moves the focus with the arrow keys to the same control of the next card, or of the card above or below. */
export function moveBetweenCards(event: KeyboardEvent<HTMLElement>): void {
  if (!arrows.includes(event.key) || !(event.target instanceof HTMLElement)) return;
  const card = event.target.closest<HTMLElement>(cardSelector);
  const cards = cardsIn(event.currentTarget);
  if (card === null) return;
  const columns = cards.filter(({ offsetTop }) => offsetTop === cards[0]?.offsetTop).length;
  const target = cards[cards.indexOf(card) + stepOf(event.key, columns)];
  if (target === undefined) return;
  const place = Array.from(card.querySelectorAll(controls)).indexOf(event.target);
  const targetControls = target.querySelectorAll<HTMLElement>(controls);
  event.preventDefault();
  (targetControls[place] ?? targetControls[0])?.focus();
}

function stepOf(key: string, columns: number): number {
  if (key === 'ArrowLeft') return -1;
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowUp' ? -columns : columns;
}

/** Gives the focus to the heading when the form closes, then to the card of its product as soon as that is drawn. */
export function useReturnedFocus(returnTo: string | null, count: number): void {
  useEffect(() => {
    if (returnTo !== null) document.querySelector('h1')?.focus({ preventScroll: true });
  }, [returnTo]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new product's card is drawn later
  useEffect(() => {
    if (returnTo === null || document.activeElement?.tagName !== 'H1') return;
    const card = cardsIn(document).find(({ dataset }) => dataset.product === returnTo);
    card?.querySelector('button')?.focus();
  }, [returnTo, count]);
}

const cardsIn = (within: ParentNode) => Array.from(within.querySelectorAll<HTMLElement>(cardSelector));
