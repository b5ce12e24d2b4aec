import type { CheckedPicture } from '@draftshelf/sources/image-checker';
import { expect, test } from 'vitest';
import { createImageCheckTask } from './check-images.ts';

const size = { width: 10, height: 10, bytes: 500 };
const pictureAt = (url: string): CheckedPicture => ({ url, state: 'ok', reason: null, ...size });
const [first, second] = ['https://images.example/1.jpg', 'https://images.example/2.jpg'];
const part = { rows: [], at: 7, isEnd: true, urls: [first, second] };

test('pictures that were checked before a stop are kept, and the part is not whole', async () => {
  const stopping = new AbortController();
  const task = createImageCheckTask({
    async check(url) {
      if (url === second) {
        // The other check has ended by then.
        await new Promise((resolve) => setImmediate(resolve));
        stopping.abort();
      }
      return pictureAt(url);
    },
  });
  expect(await task.call(part, stopping.signal)).toEqual({
    part,
    checked: [pictureAt(first)],
    isWhole: false,
  });
});

test('a stop before the first result leaves nothing to store; without a stop the part is whole', async () => {
  const stopping = new AbortController();
  const task = createImageCheckTask({
    async check(url) {
      stopping.abort();
      return pictureAt(url);
    },
  });
  await expect(task.call(part, stopping.signal)).rejects.toThrow();
  expect(await task.call(part, new AbortController().signal)).toMatchObject({
    checked: [pictureAt(first), pictureAt(second)],
    isWhole: true,
  });
});
