import { expect, test } from 'vitest';
import { findTabStops, type TabStop } from './tab-stops.tsx';

/** Two rows, each with a box outside of cells and two cells, of which the first holds a button. */
const rows: TabStop[] = [1, 2].flatMap((row) => [
  { id: `box ${row}`, cell: null, row },
  { id: `title ${row}`, cell: `title ${row}`, row },
  { id: `open ${row}`, cell: `title ${row}`, row },
  { id: `price ${row}`, cell: `price ${row}`, row },
]);

const idsOf = (last: string | null, hasFocus: boolean) => [...findTabStops(rows, { last, hasFocus })];

test('without a last stop, Tab leads to the first cell and to what it holds', () => {
  expect(idsOf(null, false)).toEqual(['title 1', 'open 1']);
  expect(idsOf('gone', false)).toEqual(['title 1', 'open 1']);
});

test('in a cell, Tab goes through its row; outside, it returns to the cell', () => {
  expect(idsOf('price 2', true)).toEqual(['title 2', 'price 2']);
  expect(idsOf('price 2', false)).toEqual(['price 2']);
  expect(idsOf('open 2', true)).toEqual(['title 2', 'open 2', 'price 2']);
});

test('a control outside of cells is the only stop', () => {
  expect(idsOf('box 2', true)).toEqual(['box 2']);
});

test('without cells the first control is the stop, and an empty table has none', () => {
  const links: TabStop[] = [
    { id: 'a', cell: null, row: 1 },
    { id: 'b', cell: null, row: 2 },
  ];
  expect([...findTabStops(links, { last: null, hasFocus: false })]).toEqual(['a']);
  expect([...findTabStops(links, { last: 'b', hasFocus: false })]).toEqual(['b']);
  expect([...findTabStops([], { last: 'b', hasFocus: true })]).toEqual([]);
});
