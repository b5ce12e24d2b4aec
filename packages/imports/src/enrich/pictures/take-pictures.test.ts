import { expect, test } from 'vitest';
import { groupsOf } from './take-pictures.ts';

const picture = (bytes: number, n: number) => ({
  n,
  place: { ...{ offset: 0, packed: bytes, method: 0, crc: 0 }, bytes },
});
const groups = (...bytes: number[]) =>
  groupsOf(bytes.map(picture)).map((group) => group.map(({ place }) => place.bytes));

test('small pictures are taken four at once, and large ones alone', () => {
  expect(groups(1, 2, 3, 4, 5)).toEqual([[1, 2, 3, 4], [5]]);
  const mb = 2 ** 20;
  expect(groups(mb, mb, 1, 9 * mb, 1, 2 * mb)).toEqual([[mb, mb], [1], [9 * mb], [1], [2 * mb]]);
  expect(groups()).toEqual([]);
});
