import { afterEach, expect, test, vi } from 'vitest';
import {
  addNotice,
  type Notice,
  noticesMax,
  reportDurationMs,
  toastDurationMs,
  toastLimit,
  toastReducer,
  toastRemoveDelayMs,
  toastSwipeThresholdPx,
} from './toast-state.ts';

test('the constants are those of the specification', () => {
  expect([toastLimit, toastRemoveDelayMs, toastDurationMs, toastSwipeThresholdPx, reportDurationMs]).toEqual([
    1, 1_000_000, 5000, 50, 10_000,
  ]);
});

test('a new notification replaces the old one', () => {
  const first = toastReducer([], { kind: 'show', id: 1, toast: { title: 'One', text: '' } });
  const second = toastReducer(first, { kind: 'show', id: 2, toast: { title: 'Two', text: '' } });
  expect(second.map((item) => item.title)).toEqual(['Two']);
});

test('dismiss closes a notification and remove deletes it', () => {
  const shown = toastReducer([], { kind: 'show', id: 1, toast: { title: 'One', text: '' } });
  const dismissed = toastReducer(shown, { kind: 'dismiss', id: 1 });
  expect(dismissed.map((item) => item.open)).toEqual([false]);
  expect(toastReducer(dismissed, { kind: 'remove', id: 1 })).toEqual([]);
});

test('a notification that waits is shown when the open one closes, also if that was replaced', () => {
  const show = (id: number, waits = false) => ({
    kind: 'show' as const,
    id,
    toast: { title: `${id}`, text: '', waits },
  });
  const openIds = (items: ReturnType<typeof toastReducer>) =>
    items.filter(({ open }) => open).map(({ id }) => id);
  const actions = [show(1), show(2, true), show(3), { kind: 'dismiss' as const, id: 3 }];
  const states = actions.map((_, at) => actions.slice(0, at + 1).reduce(toastReducer, []));
  expect(states.map(openIds)).toEqual([[1], [1], [3], [2]]);
  expect(openIds(toastReducer([], show(4, true)))).toEqual([4]);
});

const at = '2026-03-01T12:00:00.000Z';
afterEach(() => vi.unstubAllGlobals());

test('the newest twenty notifications are kept, with their links and without their buttons', () => {
  const all = Array.from({ length: noticesMax + 3 }, (_, id) => id).reduce<readonly Notice[]>(
    (known, id) => addNotice(known, { title: `Notice ${id}`, text: '' }, { id, at }),
    [],
  );
  expect(all.map(({ id }) => id)).toEqual(
    Array.from({ length: noticesMax }, (_, back) => noticesMax + 2 - back),
  );
  const [notice] = addNotice(
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
    addNotice([], { title: '', text: '', ...set }, { id: 1, at }).map((one) => one.isNews);
  expect([isNews({}), isNews({ waits: true, isKeptOnly: true })]).toEqual([[false], [false]]);
});

/** The notifications of this tab once it was reloaded. */
async function afterReload() {
  vi.resetModules();
  return (await import('./toast-state.ts')).storedNotices;
}

test('they are read again after a reload; what another version wrote is not', async () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
  const list = await afterReload();
  expect(list.get()).toEqual([]);
  const notices = ['/queue', '/history'].reduce<readonly Notice[]>(
    (known, to, id) =>
      addNotice(
        known,
        { title: 'Push', text: ['a.csv', '3 created.'], tone: 'failure', link: { to, words: 'View' } },
        { id, at },
      ),
    addNotice([], { title: 'Saved', text: '', link: { report: '7', words: 'Open report' } }, { id: 9, at }),
  );
  list.set(notices);
  expect((await afterReload()).get()).toEqual(notices);
  for (const text of ['{', '7', '[{"id":1}]']) {
    for (const key of stored.keys()) stored.set(key, text);
    expect((await afterReload()).get()).toEqual([]);
  }
});

test('without storage they live as long as the page, and nothing fails', async () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse });
  const list = await afterReload();
  const notices = addNotice([], { title: 'Saved', text: '' }, { id: 1, at });
  list.set(notices);
  expect(list.get()).toEqual(notices);
  expect((await afterReload()).get()).toEqual([]);
});
