import type { KeyboardEvent } from 'react';
import { cardSelector } from './product-card.tsx';

const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
const controls = 'a[href], button';

/** Moves the focus with the arrow keys to the same control of the next card, or of the card above or below. */
export function moveBetweenCards(event: KeyboardEvent<HTMLElement>): void {
  if (!arrows.includes(event.key) || !(event.target instanceof HTMLElement)) return;
  const card = event.target.closest<HTMLElement>(cardSelector);
  const cards = Array.from(event.currentTarget.querySelectorAll<HTMLElement>(cardSelector));
  if (card === null) return;
  const columns = cards.filter((one) => one.offsetTop === cards[0]?.offsetTop).length;
  const target = cards[cards.indexOf(card) + stepOf(event.key, columns)];
  if (target === undefined) return;
  const place = Array.from(card.querySelectorAll(controls)).indexOf(event.target);
  const others = target.querySelectorAll<HTMLElement>(controls);
  event.preventDefault();
  (others[place] ?? others[0])?.focus();
}

function stepOf(key: string, columns: number): number {
  if (key === 'ArrowLeft') return -1;
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowUp' ? -columns : columns;
}
