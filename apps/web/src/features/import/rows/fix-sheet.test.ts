import { expect, test } from 'vitest';
import { readSwipe } from './row-cards.tsx';

const from = { x: 200, y: 100 };

test.each([
  ['to the left leads to the next problem', { x: 120, y: 110 }, 'next'],
  ['to the right leads to the previous one', { x: 290, y: 60 }, 'previous'],
  ['of a tap leads nowhere', { x: 190, y: 100 }, null],
  ['of a finger that scrolls leads nowhere', { x: 130, y: 160 }, null],
] as const)('a movement %s', (_name, to, direction) => {
  expect(readSwipe(from, to)).toBe(direction);
  expect(readSwipe(null, to)).toBeNull();
});
