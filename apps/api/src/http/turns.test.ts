import { expect, test } from 'vitest';
import { createTurnQueue } from './turns.ts';

test('at most two works run at once, the others in order, also after one that fails', async () => {
  const inTurn = createTurnQueue({ max: 2, waitMsMax: 60_000 });
  const begun: number[] = [];
  const works = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const ends = works.map(({ promise }, at) =>
    inTurn(() => {
      begun.push(at);
      return promise;
    }),
  );
  const settled = Promise.allSettled(ends);
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  works[1]?.reject(new Error('fails'));
  await ends[1]?.catch(() => {});
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of works) resolve();
  await settled;
  expect(begun).toEqual([0, 1, 2, 3]);
});

test('a work that waits too long is refused as busy, and takes no turn', async () => {
  const inTurn = createTurnQueue({ max: 1, waitMsMax: 1 });
  const first = Promise.withResolvers<void>();
  const running = inTurn(() => first.promise);
  await expect(inTurn(async () => 'never')).rejects.toMatchObject({ status: 409, body: { code: 'busy' } });
  first.resolve();
  await running;
  expect(await inTurn(async () => 'next')).toBe('next');
});

test('a hundred works wait, and the next is refused at once', async () => {
  const inTurn = createTurnQueue({ max: 1, waitMsMax: 60_000 });
  const first = Promise.withResolvers<void>();
  const works = [inTurn(() => first.promise), ...Array.from({ length: 100 }, () => inTurn(async () => {}))];
  await expect(inTurn(async () => {})).rejects.toMatchObject({ status: 409, body: { code: 'busy' } });
  first.resolve();
  await Promise.all(works);
});
