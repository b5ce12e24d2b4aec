import { photoBytesMax } from '@draftshelf/domain/scanner/pictures/photo-limits';
import { expect, it } from 'vitest';
import { addFiles, type ChosenPhoto, computeScaledSize, decodeDataUrl, hashFiles } from './photos.ts';

const file = (name: string, bytes = 10, type = 'image/jpeg') => {
  const made = new File(['x'], name, { type, lastModified: 1 });
  Object.defineProperty(made, 'size', { value: bytes });
  return made;
};
/** Files of the same name have the same bytes. */
const hashed = (files: readonly File[]) => files.map((one) => ({ file: one, sha256: one.name }));
const choose = (files: readonly File[], present = 0, photos: readonly ChosenPhoto[] = []) =>
  addFiles(
    photos,
    hashed(files),
    Array.from({ length: present }, () => ({})),
  );
const words = (photos: readonly ChosenPhoto[]) =>
  photos.map(({ file: { name }, state }) => (state.phase === 'refused' ? `${name}: ${state.reason}` : name));

const five = ['1.jpg', '2.jpg', '3.jpg', '4.jpg', '5.jpg'];

it('the sixth photo is refused, and taken once another one is removed', () => {
  const chosen = choose([...five, '6.jpg'].map((name) => file(name)));
  expect(words(chosen)).toEqual([...five, '6.jpg: Upload at most 5 photos at a time.']);
  const removed = chosen.slice(1);
  expect(words(choose([file('7.jpg')], 0, removed)).at(-1)).toBe('7.jpg');
});

it('10,485,760 bytes pass, and one more is refused', () => {
  expect(words(choose([file('a.jpg', photoBytesMax), file('b.jpg', photoBytesMax + 1)]))).toEqual([
    'a.jpg',
    'b.jpg: The photo is larger than 10 MB.',
  ]);
});

it('a file that is in the list already, and one that is no picture, are refused', () => {
  expect(words(choose([file('a.jpg'), file('a.jpg'), file('a.pdf', 10, 'application/pdf')]))).toEqual([
    'a.jpg',
    'a.jpg: This file is already in the list.',
    'a.pdf: Use a JPEG, PNG, WebP or GIF picture.',
  ]);
});

it('a file that the product has from the dialog opened before is refused', () => {
  const present = [{}, { sha256: 'a.jpg' }];
  const files = hashed([file('a.jpg'), file('b.jpg')]);
  expect(words(addFiles([], files, present))).toEqual([
    'a.jpg: The product has this photo already.',
    'b.jpg',
  ]);
});

it('a photo is known by its bytes, not by its name, size or time', async () => {
  const made = (name: string, bytes: string, lastModified: number) =>
    new File([bytes], name, { type: 'image/jpeg', lastModified });
  const files = [made('a.jpg', 'one', 1), made('copy of a.jpg', 'one', 2), made('a.jpg', 'two', 1)];
  const chosen = addFiles([], await hashFiles(files), []);
  expect(words(chosen)).toEqual(['a.jpg', 'copy of a.jpg: This file is already in the list.', 'a.jpg']);
});

it('a product has at most 20 photos, those of the dialog included', () => {
  const chosen = choose([file('1.jpg'), file('2.jpg')], 19);
  expect(words(chosen)).toEqual(['1.jpg', '2.jpg: A product has at most 20 photos.']);
  const sent = chosen.map((photo) =>
    photo.id === 1 ? { ...photo, state: { phase: 'sent' as const } } : photo,
  );
  expect(words(choose([file('3.jpg')], 19, sent)).at(-1)).toBe('3.jpg');
});

it.each([
  [8064, 6048, 2048, 1536],
  [3024, 4032, 1536, 2048],
  [640, 480, 640, 480],
  [20_000, 1, 2048, 1],
])('%i × %i becomes %i × %i', (width, height, toWidth, toHeight) => {
  expect(computeScaledSize({ width, height })).toEqual({ width: toWidth, height: toHeight });
});

it('a data URL has its bytes and its type', async () => {
  const blob = decodeDataUrl('data:image/jpeg;base64,/9j/4A==');
  expect(blob.type).toBe('image/jpeg');
  expect(Array.from(new Uint8Array(await blob.arrayBuffer()))).toEqual([0xff, 0xd8, 0xff, 0xe0]);
});
