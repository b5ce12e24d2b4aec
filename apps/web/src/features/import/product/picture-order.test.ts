import { picturesOf } from '@draftshelf/domain/products/images';
import { expect, test } from 'vitest';
import { moveItem, toPictureValues } from './picture-order.ts';

test('an item is moved to its place, and back', () => {
  const list = [1, 2, 3, 4];
  expect(moveItem(list, 0, 2)).toEqual([2, 3, 1, 4]);
  expect(moveItem(list, 3, 0)).toEqual([4, 1, 2, 3]);
  for (const from of list.keys()) {
    for (const to of list.keys()) expect(moveItem(moveItem(list, from, to), to, from)).toEqual(list);
  }
});

test.each([
  '',
  'lamp.jpg',
  'https://a.example/w_1,h_2/1.jpg,https://a.example/2.jpg|https://a.example/3.jpg;HTTP://b.example/4',
  'https://a.example/my vase.jpg, front https://a.example/1.jpg https://a.example/1.jpg',
  'https://a.example/a,;|b.jpg\thttps://a.example/\u00a0x\r\nhttps://a.example/灯.jpg?u=https://c.example/5,6',
  `/api/photos/${'1'.repeat(8)}-0000-4000-8000-${'1'.repeat(12)} https://a.example/1.jpg,`,
])('the pictures of %j are the same in cells of their own, in any order', (cell) => {
  const srcs = picturesOf({ image: 'https://first.example/0', moreImages: cell }).map(({ src }) => src);
  for (const order of [srcs, srcs.toReversed(), srcs.toSorted(), srcs.slice(1)]) {
    expect(picturesOf(toPictureValues(order)).map(({ src }) => src)).toEqual(order);
  }
});
