import { expect, it } from 'vitest';
import { saysNone } from './system-api.ts';

it('says that no push worker is running only while that is known', () => {
  expect(saysNone({ isError: false, data: { pushWorkers: 0 } })).toBe(true);
  expect(saysNone({ isError: false, data: { pushWorkers: 1 } })).toBe(false);
  expect(saysNone({ isError: false, data: undefined })).toBe(false);
  expect(saysNone({ isError: true, data: { pushWorkers: 0 } })).toBe(false);
});
