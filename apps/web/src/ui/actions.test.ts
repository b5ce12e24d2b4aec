import { expect, test } from 'vitest';
import { createOfferedActions, findActionOfKey, formatKey, type OfferedAction } from './keys.ts';

const action = (label: string, key: string | null = null): OfferedAction => ({
  ...{ label, key, reason: null },
  act: () => {},
});
const labels = (actions: readonly OfferedAction[]) => actions.map(({ label }) => label);

test('the actions of all components are offered, and those of one that has gone are not', () => {
  const offers = createOfferedActions();
  offers.set('bar', [action('Push', 'P')]);
  offers.set('list', [action('Refresh')]);
  expect(labels(offers.all())).toEqual(['Push', 'Refresh']);
  offers.set('bar', [action('Pause'), action('Cancel')]);
  expect(labels(offers.all())).toEqual(['Pause', 'Cancel', 'Refresh']);
  offers.remove('bar');
  expect(labels(offers.all())).toEqual(['Refresh']);
});

test('only Shift and its letter run an action, also with Caps Lock', () => {
  const actions = [action('Refresh'), action('Push', 'P'), action('New Product', 'n')];
  const runBy = (key: string, shiftKey: boolean) => findActionOfKey(actions, { key, shiftKey })?.label;
  expect(runBy('P', true)).toBe('Push');
  expect(runBy('p', true)).toBe('Push');
  expect(runBy('P', false)).toBeUndefined();
  expect(runBy('D', true)).toBeUndefined();
  // The screen has this key itself.
  expect(runBy('n', false)).toBeUndefined();
  expect(runBy('N', true)).toBeUndefined();
  expect([formatKey('P'), formatKey('n')]).toEqual(['⇧P', 'n']);
});
