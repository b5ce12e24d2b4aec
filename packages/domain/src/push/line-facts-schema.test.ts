import { expect, it } from 'vitest';
import { lineFacts } from './line-facts-schema.ts';

const difference = { part: 'variants', name: 'M · price', store: null, push: '9.00' };
const kept = { part: 'title', name: '', before: 'Lamp', ours: 'Lamp 2', now: null, reason: 'changed' };
const gone = { keys: ['s:1', 's:2'], isWhole: true, isListed: false, soldBy: null };

const cases = {
  push: {
    taken: [{}, { parts: [] }, { parts: ['title'], changes: { shown: [difference], more: 2 } }],
    refused: [null, { parts: 'title' }, { changes: { shown: [{ ...difference, store: 9 }], more: 0 } }],
  },
  undo: {
    taken: [{}, { kept: [kept] }],
    refused: [{ kept: kept }, { kept: [{ ...kept, part: 'colour' }] }, { kept: [{ ...kept, reason: '' }] }],
  },
  gone: {
    taken: [gone, { ...gone, soldBy: 'Acme' }],
    refused: [{}, { ...gone, keys: 's:1' }, { ...gone, isWhole: null }],
  },
} as const;

it.each(['push', 'undo', 'gone'] as const)('facts of %s lines are checked', (kind) => {
  for (const facts of cases[kind].taken) expect(lineFacts[kind].parse(facts)).toEqual(facts);
  for (const facts of cases[kind].refused) expect(lineFacts[kind].safeParse(facts).success).toBe(false);
});

it('facts that a version does not know are left out', () => {
  expect(lineFacts.undo.parse({ ...gone, kept: [kept] })).toEqual({ kept: [kept] });
});
