import { expect, test } from 'vitest';
import { describeTestTotals, type TestResult, testWord } from './test-panel.tsx';

const result = (status: TestResult['status'], duration: number): TestResult => ({
  name: 'a test',
  status,
  details: '',
  duration,
});

test('each state of a test has its word', () => {
  const of = (status: TestResult['status']) => testWord(result(status, 1), false);
  expect([of('passed'), of('failed'), of('warning')]).toEqual(['PASS', 'FAIL', 'WARN']);
  expect([testWord(undefined, true), testWord(undefined, false)]).toEqual(['RUN', 'PENDING']);
});

test('the totals add up', () => {
  const results = [result('passed', 10.4), result('passed', 20), result('warning', 5), result('failed', 1)];
  expect(describeTestTotals(results)).toBe('2 passed, 1 failed, 1 warning of 4 · 36 ms');
});
