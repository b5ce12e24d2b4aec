import { expect, test } from 'vitest';
import {
  reportDurationMs,
  toastDurationMs,
  toastLimit,
  toastReducer,
  toastRemoveDelayMs,
  toastSwipeThresholdPx,
} from './toast-state.ts';

test('the constants are those of the specification', () => {
  expect([toastLimit, toastRemoveDelayMs, toastDurationMs, toastSwipeThresholdPx, reportDurationMs]).toEqual([
    1, 1_000_000, 5000, 50, 10_000,
  ]);
});

test('a new notification replaces the old one', () => {
  const first = toastReducer([], { kind: 'show', id: 1, toast: { title: 'One', text: '' } });
  const second = toastReducer(first, { kind: 'show', id: 2, toast: { title: 'Two', text: '' } });
  expect(second.map((item) => item.title)).toEqual(['Two']);
});

test('dismiss closes a notification and remove deletes it', () => {
  const shown = toastReducer([], { kind: 'show', id: 1, toast: { title: 'One', text: '' } });
  const dismissed = toastReducer(shown, { kind: 'dismiss', id: 1 });
  expect(dismissed.map((item) => item.open)).toEqual([false]);
  expect(toastReducer(dismissed, { kind: 'remove', id: 1 })).toEqual([]);
});
