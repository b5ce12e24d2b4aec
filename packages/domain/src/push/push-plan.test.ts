import { expect, it } from 'vitest';
import type { PushChoice } from './push-choices.ts';
import {
  countPlannedProducts,
  findDeviation,
  isSamePlanSettings,
  toPlanSumKey,
  toSums,
  unasked,
} from './push-plan.ts';

const planned = (outcome: string, code: string | null = null, choice: PushChoice | null = null) => ({
  ...{ outcome, code, choice, about: 'drifted', plannedChoice: null },
});
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
  expect(findDeviation(planned(outcome, code), planned(done, doneCode), changed)).toBe(deviation);
});

it.each([
  ['use-ours', 'updated', null, null],
  ['keep-store', 'unchanged', null, null],
  ['skip', 'skipped', 'drifted', null],
  ['use-ours', 'skipped', 'choice-outdated', 'store'],
  ['use-ours', 'failed', 'store-refused', 'refused'],
  [null, 'updated', null, 'store'],
] as const)('skipped as drifted, then %s was chosen: %s %s', (choice, done, doneCode, deviation) => {
  const made = planned('skipped', 'drifted', choice);
  expect(findDeviation(made, planned(done, doneCode), none)).toBe(deviation);
});

it.each([
  ['skip', 'skipped', 'drifted', null],
  [null, 'skipped', 'drifted', null],
  ['keep-store', 'unchanged', null, null],
  ['skip', 'skipped', 'deleted-in-store', 'store'],
  ['use-ours', 'unchanged', null, 'store'],
] as const)('updated by use-ours, then %s was chosen: %s %s', (choice, done, doneCode, deviation) => {
  const made = { ...planned('updated', null, choice), plannedChoice: 'use-ours' as const };
  expect(findDeviation(made, planned(done, doneCode), none)).toBe(deviation);
});

it('plans of older versions say nothing about changes that don’t overlap', () => {
  const older = { draftMode: true, whenInStore: 'skip' };
  expect(isSamePlanSettings(older, { ...older, sendNonOverlapping: false })).toBe(true);
  expect(isSamePlanSettings(older, { ...older, sendNonOverlapping: true })).toBe(false);
});

it('sums are listed by outcome and code', () => {
  const sums = { [toPlanSumKey('created', null)]: 2, [toPlanSumKey('skipped', 'in-store')]: 3 };
  expect(toSums(sums)).toEqual([
    { outcome: 'created', code: null, products: 2 },
    { outcome: 'skipped', code: 'in-store', products: 3 },
  ]);
});

it('counts the products of a plan, and those that the store had', () => {
  const sums = { created: 5, updated: 2, unchanged: 1, 'skipped:drifted': 3, 'skipped:missing-fields': 4 };
  expect(countPlannedProducts(sums)).toEqual({ all: 15, inStore: 6 });
});

it('what is asked about is not among the other differences', () => {
  const of = (part: string, name: string) => ({ part, name, store: 'a', push: 'b' });
  const [price, sku, title] = [of('variants', 'price'), of('variants', 'SKU'), of('title', '')];
  expect(unasked({ asked: [sku], differences: [title, price, sku] })).toEqual([title, price]);
});
