import { expect, it } from 'vitest';
import { imageUrls, isAllowedHost } from './images.ts';

it.each([
  ['https://a.example/1.jpg', ['https://a.example/1.jpg']],
  [
    'https://a.example/1.jpg, https://a.example/2.jpg',
    ['https://a.example/1.jpg', 'https://a.example/2.jpg'],
  ],
  ['https://a.example/1.jpg|HTTP://a.example/2.jpg;', ['https://a.example/1.jpg', 'HTTP://a.example/2.jpg']],
  ['https://a.example/1.jpg https://a.example/1.jpg', ['https://a.example/1.jpg']],
  ['https://a.example/w_1,h_2/1.jpg', ['https://a.example/w_1,h_2/1.jpg']],
  ['https://a.example/my vase.jpg', ['https://a.example/my%20vase.jpg']],
  ['https://a.example/1.jpg, 2.webp', ['https://a.example/1.jpg']],
  ['6.webp,7.webp', []],
  ['/images/vase.jpg', []],
  ['ftp://a.example/1.jpg', []],
  ['http://', []],
])('finds in %j %j', (image, urls) => {
  expect(imageUrls({ image })).toEqual(urls);
});

it('puts the main image first, then the additional ones', () => {
  expect(imageUrls({ image: 'http://x/1', moreImages: 'http://x/2\nhttp://x/1\nhttp://x/3' })).toEqual([
    'http://x/1',
    'http://x/2',
    'http://x/3',
  ]);
  expect(imageUrls({})).toEqual([]);
});

it.each([
  ['https://a.example/1.jpg', [], true],
  ['https://a.example/1.jpg', ['b.example', 'A.example'], true],
  ['https://img.a.example:8080/1.jpg', ['a.example'], true],
  ['https://nota.example/1.jpg', ['a.example'], false],
  ['https://b.example/a.example/1.jpg', ['a.example'], false],
])('whether a picture at %s may be on a host of %j: %s', (url, hosts, allowed) => {
  expect(isAllowedHost(url, hosts)).toBe(allowed);
});
