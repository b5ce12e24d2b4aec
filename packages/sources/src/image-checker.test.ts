import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { withGoodPictures } from './good-pictures.ts';
import { imageChecker, limitByHost } from './image-checker.ts';

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

/** A server of pictures; one that is slow never answers. */
async function pictureServer(isSlow: boolean): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (!isSlow) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const checkerOf = (...origins: string[]) =>
  imageChecker(
    { FETCH_ALLOW: origins, FETCH_PUBLIC: false, DEMO_SOURCES_URL: undefined, IMAGE_HOSTS: [] },
    async () => false,
  );

test('checks that wait for a slow host take no place of others, and end with their signal', async () => {
  const [slow, fast] = [await pictureServer(true), await pictureServer(false)];
  const images = checkerOf(slow.origin, fast.origin);
  const stop = new AbortController();
  const waiting = Array.from({ length: 10 }, (_, at) => images.check(`${slow.origin}/${at}`, stop.signal));
  await expect.poll(() => slow.asked).toHaveLength(2);
  expect(await images.check(`${fast.origin}/1`)).toMatchObject({ state: 'bad' });
  stop.abort();
  expect((await Promise.all(waiting)).map((one) => one?.state)).toEqual(waiting.map(() => 'unreachable'));
  // Those that had waited for the host did not ask it.
  expect(slow.asked).toHaveLength(2);
});

test('an answer keeps the pictures whose check was stopped', async () => {
  const [slow, fast] = [await pictureServer(true), await pictureServer(false)];
  const stop = new AbortController();
  const images = [`${fast.origin}/gone`, `${slow.origin}/1`, `${slow.origin}/2`];
  const none = { title: 'Vase', brand: null, description: null, category: null };
  const answer = { ...none, images, attribution: null, picturesNeedCredit: false };
  const checking = withGoodPictures(answer, checkerOf(slow.origin, fast.origin), stop.signal);
  await expect.poll(() => slow.asked).toHaveLength(1);
  stop.abort();
  const kept = await checking;
  expect(kept.answer.images).toEqual(images.slice(1));
  expect(kept.checked.map(({ url }) => url)).toEqual(images.slice(0, 1));
});
