import { expect, test } from 'vitest';
import { limitByHost } from './image-checker.ts';

test('of one host two are checked at once, whatever the others do', async () => {
  const limit = limitByHost(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const check = (url: string) =>
    limit(url, () => {
      begun.push(url);
      return new Promise<void>((resolve) => void ends.push(resolve));
    });
  const urls = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3', 'https://b.example/1'];
  const all = urls.map(check);
  await expect.poll(() => begun).toEqual([urls[0], urls[1], urls[3]]);
  ends[0]?.();
  await expect.poll(() => begun.at(-1)).toBe(urls[2]);
  for (const end of ends) end();
  await Promise.all(all);
});
