import { expect, test } from 'vitest';
import { keptNotices, type Notice, noticesMax } from './notices.ts';

const at = '2026-03-01T12:00:00.000Z';

test('the newest twenty notifications are kept, with their links and without their buttons', () => {
  const all = Array.from({ length: noticesMax + 3 }, (_, id) => id).reduce<readonly Notice[]>(
    (known, id) => keptNotices(known, { title: `Notice ${id}`, text: '' }, { id, at }),
    [],
  );
  expect(all.map(({ id }) => id)).toEqual(
    Array.from({ length: noticesMax }, (_, back) => noticesMax + 2 - back),
  );
  const [notice] = keptNotices(
    [],
    {
      ...{ title: 'Push Completed', text: ['a.csv: 3 created.'], waits: true },
      ...{ link: { to: '/queue', words: 'View' }, action: { words: 'Undo', run: () => {} } },
    },
    { id: 1, at },
  );
  expect(notice).toEqual({
    ...{ id: 1, at, title: 'Push Completed', text: ['a.csv: 3 created.'], isNews: true },
    link: { to: '/queue', words: 'View' },
  });
  const isNews = (set: object) =>
    keptNotices([], { title: '', text: '', ...set }, { id: 1, at }).map((one) => one.isNews);
  expect([isNews({}), isNews({ waits: true, isKeptOnly: true })]).toEqual([[false], [false]]);
});
