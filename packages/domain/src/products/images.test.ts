import { expect, it } from 'vitest';
import { findPictureIssue, isAllowedHost, listWebPictures, picturesOf, toPicture } from './images.ts';

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
  ['/api/photos/not-an-id', []],
  ['https://a.example/api/photos/1.jpg', ['https://a.example/api/photos/1.jpg']],
])('finds in %j %j', (image, urls) => {
  expect(picturesOf({ image })).toEqual(urls.map((src) => ({ kind: 'web', src })));
});

it('puts the main image first, then the additional ones', () => {
  expect(listWebPictures({ image: 'http://x/1', moreImages: 'http://x/2\nhttp://x/1\nhttp://x/3' })).toEqual([
    'http://x/1',
    'http://x/2',
    'http://x/3',
  ]);
  expect(picturesOf({})).toEqual([]);
});

it('finds photos of our own between addresses on the web, which alone are fetched', () => {
  const [a, b] = ['1', '2'].map((n) => `${n.repeat(8)}-0000-4000-8000-${n.repeat(12)}`);
  const [own, other] = [`/api/photos/${a}`, `/api/photos/${b}`];
  const values = { image: own, moreImages: `https://a.example/1.jpg, ${other}\n${own}` };
  expect(picturesOf(values)).toEqual([
    { kind: 'own', src: own, id: a },
    { kind: 'web', src: 'https://a.example/1.jpg' },
    { kind: 'own', src: other, id: b },
  ]);
  expect(listWebPictures(values)).toEqual(['https://a.example/1.jpg']);
  expect(isAllowedHost(toPicture(own), ['b.example'])).toBe(true);
});

it.each([
  ['https://a.example/1.jpg', [], true],
  ['https://a.example/1.jpg', ['b.example', 'A.example'], true],
  ['https://img.a.example:8080/1.jpg', ['a.example'], true],
  ['https://nota.example/1.jpg', ['a.example'], false],
  ['https://b.example/a.example/1.jpg', ['a.example'], false],
])('whether a picture at %s may be on a host of %j: %s', (url, hosts, allowed) => {
  expect(isAllowedHost({ kind: 'web', src: url }, hosts)).toBe(allowed);
});

it.each([
  ['https://www.dropbox.com/s/a1/syrup.jpg?dl=0', ['https://www.dropbox.com/s/a1/syrup.jpg?raw=1']],
  [
    'https://www.dropbox.com/scl/fi/b2/tea.png?rlkey=x&dl=0',
    ['https://www.dropbox.com/scl/fi/b2/tea.png?rlkey=x&raw=1'],
  ],
  ['https://dl.dropbox.com/s/a1/syrup.jpg?raw=1', ['https://dl.dropbox.com/s/a1/syrup.jpg?raw=1']],
  ['https://drive.google.com/file/d/1Ab/view?usp=drive_link', []],
  ['https://drive.google.com/open?id=1Zy', []],
  ['https://drive.google.com/uc?export=view&id=1Zy', ['https://drive.google.com/uc?export=view&id=1Zy']],
  ['https://1drv.ms/i/s!AbC', []],
  ['https://example.com/notdropbox.com/a.jpg', ['https://example.com/notdropbox.com/a.jpg']],
  [
    '["https://a.example.com/1.jpg", "https:\\/\\/a.example.com\\/2.jpg"]',
    ['https://a.example.com/1.jpg', 'https://a.example.com/2.jpg'],
  ],
  ["['https://a.example.com/1.jpg']", ['https://a.example.com/1.jpg']],
])('the pictures of %s are %j', (image, pictures) => {
  expect(picturesOf({ image }).map(({ src }) => src)).toEqual(pictures);
  const issue = pictures.length === 0 ? 'image-page' : null;
  expect([findPictureIssue({ image }), findPictureIssue({ moreImages: image })]).toEqual([issue, issue]);
});

it.each([
  ['https://imgur.com/a/b1C2d3', 'image-page', []],
  ['https://www.flickr.com/photos/kiln/5311/', 'image-page', []],
  ['https://ibb.co/8xYz12', 'image-page', []],
  ['https://www.canva.com/design/DAF1/view', 'image-page', []],
  ['https://i.imgur.com/b1C2d3', null, ['https://i.imgur.com/b1C2d3']],
  ['https://imgur.com/b1C2d3.png', null, ['https://imgur.com/b1C2d3.png']],
  ['[]', null, []],
])('%s among pictures: %s', (image, issue, pictures) => {
  expect(findPictureIssue({ image })).toBe(issue);
  expect(picturesOf({ image }).map(({ src }) => src)).toEqual(pictures);
});
