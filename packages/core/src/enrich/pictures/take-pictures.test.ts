import { expect, test } from 'vitest';
import { groupPictures } from './take-pictures.ts';

const picture = (bytes: number, n: number) => ({
  n,
  place: { ...{ offset: 0, packed: bytes, method: 0, crc: 0 }, bytes },
});
const groups = (...bytes: number[]) =>
  groupPictures(bytes.map(picture)).map((group) => group.map(({ place }) => place.bytes));

test('small pictures are taken four at once, and large ones alone', () => {
  expect(groups(1, 2, 3, 4, 5)).toEqual([[1, 2, 3, 4], [5]]);
  const mb = 2 ** 20;
  expect(groups(mb, mb, 1, 9 * mb, 1, 2 * mb)).toEqual([[mb, mb], [1], [9 * mb], [1], [2 * mb]]);
  expect(groups()).toEqual([]);
});

test('pictures of two packed workbooks are not taken at once: only one workbook is unpacked at a time', () => {
  const within = (offset: number) => ({ ...{ offset, packed: 9, method: 8, crc: 0 }, bytes: 9 });
  const places = [1, 1, 2, 2].map((offset) => ({ ...picture(1, 0).place, within: within(offset) }));
  const taken = [picture(1, 0), ...places.map((place, n) => ({ n: n + 1, place }))];
  expect(groupPictures(taken).map((group) => group.map(({ n }) => n))).toEqual([[0], [1, 2], [3, 4]]);
});
