import { expect, test } from 'vitest';
import { mappingSetWords, setWords, sureness, unmappedWords } from './mapping-words.ts';

test('how sure a field is', () => {
  const detected = (confidence: number) => sureness({ isChanged: false, setBy: null, confidence });
  expect([1, 0.9, 0.89, 0.6, 0.59].map(detected)).toEqual([
    'Certain',
    'Certain',
    'Likely',
    'Likely',
    'Guess',
  ]);
  expect(sureness({ isChanged: false, setBy: 'memory', confidence: 1 })).toBe('Remembered');
  expect(sureness({ isChanged: false, setBy: 'operator', confidence: 1 })).toBe('Set by you');
  expect(sureness({ isChanged: true, setBy: 'memory', confidence: 1 })).toBe('Set by you');
});

test('sentences about columns', () => {
  expect(unmappedWords(1)).toBe('1 unmapped column is kept with each row.');
  expect(unmappedWords(24)).toBe('24 unmapped columns are kept with each row.');
  expect(setWords({ Dealer: 'price', Colour: null, X: 'newer' })).toBe(
    'Dealer → Price, Colour → no field, X → newer',
  );
  expect(mappingSetWords({ byOperator: 2, byMemory: 1, from: 'may.csv' })).toBe(
    '2 columns set by you. 1 column remembered from may.csv.',
  );
  expect(mappingSetWords({ byOperator: 0, byMemory: 0, from: null })).toBe('');
});
