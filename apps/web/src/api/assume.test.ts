import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { showChange, showChanges } from './assume.ts';

type Page = { names: string[]; total: number };
const pages = { queryKey: ['things'] };
const without = (name: string) => (page: Page) => ({
  names: page.names.filter((other) => other !== name),
  total: page.total - 1,
});

/** A cache with two pages of a list, and something else. */
function cache() {
  const client = new QueryClient();
  client.setQueryData(['things', 1], { names: ['a', 'b'], total: 3 });
  client.setQueryData(['things', 2], { names: ['c'], total: 3 });
  client.setQueryData(['others'], { names: ['a'], total: 1 });
  return client;
}

test('a change is shown in all matching reads at once, and taken back', async () => {
  const client = cache();
  const takeBack = await showChange(client, pages, without('a'));
  expect(client.getQueryData(['things', 1])).toEqual({ names: ['b'], total: 2 });
  expect(client.getQueryData(['things', 2])).toEqual({ names: ['c'], total: 2 });
  expect(client.getQueryData(['others'])).toEqual({ names: ['a'], total: 1 });
  takeBack();
  expect(client.getQueryData(['things', 1])).toEqual({ names: ['a', 'b'], total: 3 });
  expect(client.getQueryData(['things', 2])).toEqual({ names: ['c'], total: 3 });
});

test('a read with a change is as old as it was, before and after it is taken back', async () => {
  const client = new QueryClient();
  client.setQueryData(['things', 1], { names: ['a'], total: 1 }, { updatedAt: 5 });
  const takeBack = await showChange(client, pages, without('a'));
  expect(client.getQueryState(['things', 1])?.dataUpdatedAt).toBe(5);
  takeBack();
  expect(client.getQueryState(['things', 1])?.dataUpdatedAt).toBe(5);
});

test('one of two changes is taken back, in whichever order they are refused', async () => {
  for (const order of [
    [0, 1],
    [1, 0],
  ] as const) {
    const client = cache();
    const takeBack = [
      await showChange(client, pages, without('a')),
      await showChange(client, pages, without('b')),
    ] as const;
    expect(client.getQueryData(['things', 1])).toEqual({ names: [], total: 1 });
    takeBack[order[0]]();
    expect(client.getQueryData(['things', 1])).toEqual({ names: [order[0] === 0 ? 'a' : 'b'], total: 2 });
    takeBack[order[1]]();
    expect(client.getQueryData(['things', 1])).toEqual({ names: ['a', 'b'], total: 3 });
  }
});

test('after a refusal the reads are stale, so that they are read again', async () => {
  const client = cache();
  const takeBack = await showChange(client, pages, without('a'));
  takeBack();
  expect(client.getQueryState(['things', 1])?.isInvalidated).toBe(true);
  expect(client.getQueryState(['others'])?.isInvalidated).toBe(false);
});

test('what was read after the change stays when the change is taken back', async () => {
  const client = cache();
  const takeBack = await showChanges([showChange(client, pages, without('a'))]);
  client.setQueryData(['things', 1], { names: ['b', 'd'], total: 3 });
  takeBack();
  expect(client.getQueryData(['things', 1])).toEqual({ names: ['b', 'd'], total: 3 });
  expect(client.getQueryData(['things', 2])).toEqual({ names: ['c'], total: 3 });
});

test('a read that is under way does not show the state before', async () => {
  const client = cache();
  let answer = (_page: Page) => {};
  const reading = client
    .fetchQuery({ queryKey: ['things', 1], queryFn: () => new Promise<Page>((done) => (answer = done)) })
    .catch(() => {});
  await showChange(client, pages, without('a'));
  answer({ names: ['a', 'b'], total: 3 });
  await reading;
  expect(client.getQueryData(['things', 1])).toEqual({ names: ['b'], total: 2 });
});
