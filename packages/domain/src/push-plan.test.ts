import { expect, it } from 'vitest';
import { deviationOf, sumKey, sumsOf } from './push-plan.ts';

const planned = (outcome: string, code: string | null = null) => ({ outcome, code });
const none = { edited: false, settings: false };

it.each([
  ['created', null, 'created', null, none, null],
  ['skipped', 'drifted', 'skipped', 'drifted', { edited: true, settings: true }, null],
  ['created', null, 'updated', null, { edited: true, settings: true }, 'edited'],
  ['created', null, 'failed', 'store-refused', { edited: true, settings: false }, 'edited'],
  ['created', null, 'failed', 'store-refused', { edited: false, settings: true }, 'refused'],
  ['created', null, 'skipped', 'in-store', { edited: false, settings: true }, 'settings'],
  ['updated', null, 'skipped', 'drifted', none, 'store'],
  ['skipped', 'drifted', 'skipped', 'deleted-in-store', none, 'store'],
  ['unchanged', null, 'updated', null, none, 'store'],
  ['skipped', 'blocked', 'skipped', 'not-sent', none, 'other'],
] as const)('%s %s, then %s %s', (outcome, code, done, doneCode, changed, deviation) => {
  expect(deviationOf(planned(outcome, code), planned(done, doneCode), changed)).toBe(deviation);
});

it('sums are listed by outcome and code', () => {
  const sums = { [sumKey('created', null)]: 2, [sumKey('skipped', 'in-store')]: 3 };
  expect(sumsOf(sums)).toEqual([
    { outcome: 'created', code: null, products: 2 },
    { outcome: 'skipped', code: 'in-store', products: 3 },
  ]);
});
