import { expect, test } from 'vitest';
import { findNextStep } from './file-list.tsx';

const step = (status: string, lacking = 0) => {
  const record = { status, warningProducts: lacking, errorProducts: 0 };
  return findNextStep('a', record, (id) => `/queue?report=${id}`);
};

test('an import that waits for the operator is reviewed: the products that lack something first', () => {
  expect(step('queued', 3)).toEqual({
    words: 'Review 3 Products',
    to: '/queue/a?class=needs-you',
    needsOperator: true,
  });
  expect(step('queued', 1).words).toBe('Review 1 Product');
  expect(step('processed')).toEqual({ words: 'Review', to: '/queue/a', needsOperator: true });
});

test('one that was pushed, or is at work, is not offered for review', () => {
  expect(step('completed', 3)).toEqual({
    words: 'View Report',
    to: '/queue?report=a',
    needsOperator: false,
  });
  for (const status of ['uploading', 'processing', 'paused', 'failed', 'cancelled']) {
    expect(step(status, 3)).toEqual({ words: 'Open Import', to: '/queue/a', needsOperator: false });
  }
});
