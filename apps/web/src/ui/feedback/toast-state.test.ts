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

test('a notification that waits is shown when the open one closes, also if that was replaced', () => {
  const show = (id: number, waits = false) => ({
    kind: 'show' as const,
    id,
    toast: { title: `${id}`, text: '', waits },
  });
  const openIds = (items: ReturnType<typeof toastReducer>) =>
    items.filter(({ open }) => open).map(({ id }) => id);
  const actions = [show(1), show(2, true), show(3), { kind: 'dismiss' as const, id: 3 }];
  const states = actions.map((_, at) => actions.slice(0, at + 1).reduce(toastReducer, []));
  expect(states.map(openIds)).toEqual([[1], [1], [3], [2]]);
  expect(openIds(toastReducer([], show(4, true)))).toEqual([4]);
});
