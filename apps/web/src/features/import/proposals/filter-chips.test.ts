import { expect, it } from 'vitest';
import { filterChips } from './filter-chips.ts';

const counts = [
  { field: 'description', source: 'ai', label: 'AI', count: 5 },
  { field: 'type', source: 'rule', label: 'your rules', count: 60 },
  { field: 'type', source: 'own', label: 'your earlier imports', count: 2 },
];
const shown = (chips: ReturnType<typeof filterChips>) => ({
  fields: chips.fields.map(({ label, count }) => [label, count]),
  sources: chips.sources.map(({ label, count }) => [label, count]),
});

it('counts the proposals of each field and source, the largest first', () => {
  expect(shown(filterChips(counts, {}))).toEqual({
    fields: [
      ['Type', 62],
      ['Description', 5],
    ],
    sources: [
      ['Your rules', 60],
      ['AI', 5],
      ['Your earlier imports', 2],
    ],
  });
});

it('keeps the chips of an active filter when all of its proposals are decided', () => {
  expect(shown(filterChips(counts.slice(0, 1), { field: 'type', source: 'rule' }))).toEqual({
    fields: [['Type', 0]],
    sources: [['Your rules', 0]],
  });
  expect(shown(filterChips([], { source: 'ai' }))).toEqual({ fields: [], sources: [['AI', 0]] });
});
