/** What a browser asks for: the page and its files, the reads of its screen, and the polls that follow. */
export type Screen = { files: readonly string[]; reads: readonly string[]; polls: readonly Poll[] };
type Poll = { path: string; everyMs: number };

/** Whatever the screen, and as the web app polls it (apps/web/src/api). */
const frame = ['/api/auth/status', '/api/connections', '/api/system/conditions'];
const conditions: Poll = { path: '/api/system/conditions', everyMs: 15_000 };
const current: Poll = { path: '/api/dashboard/current', everyMs: 5_000 };

/** Reads and polls of the screens, each with the name of its chunk, and how many of ten browsers show it. */
const screensOf = (id: string) => [
  {
    share: 7,
    chunk: 'dashboard-page',
    once: ['/api/dashboard/first-steps', '/api/dashboard/pushed', '/api/dashboard/undone'],
    polls: [
      { path: '/api/dashboard/stats', everyMs: 5_000 },
      { path: '/api/dashboard/activity', everyMs: 5_000 },
      { path: '/api/dashboard/current', everyMs: 2_000 },
    ],
  },
  { share: 2, chunk: 'queue-page', once: [], polls: [{ path: '/api/queue', everyMs: 2_000 }, current] },
  {
    share: 1,
    chunk: 'import-page',
    once: ['rows?after=0&limit=25', 'mapping', 'plan'].map((part) => `/api/queue/${id}/${part}`),
    polls: [{ path: `/api/queue/${id}?rows=0`, everyMs: 2_000 }, current],
  },
];

/** The screens of ten browsers, with the files that the build has for them. */
export async function loadScreens(url: string, id: string): Promise<Screen[]> {
  const read = async (path: string) => (await fetch(url + path)).text();
  const page = await read('/');
  // Not what it preloads: without a session that is for the login.
  const links = /<(?:script|link rel="(?:icon|stylesheet)")[^>]* (?:src|href)="(\/[^"]+)"/g;
  const ofPage = [...page.matchAll(links)].flatMap(([, path]) => path ?? []);
  const entry = await read(ofPage.find((path) => /^\/assets\/index-.*\.js$/.test(path)) ?? '');
  const built: string[] = JSON.parse(/\bm\.f=(\[[^\]]*\])/.exec(entry)?.[1] ?? '[]');
  const ofChunk = (chunk: string) => {
    const list = new RegExp(`import\\(.\\./${chunk}-.{0,80}?__vite__mapDeps\\(\\[([\\d,]+)\\]`).exec(
      entry,
    )?.[1];
    if (list === undefined) throw new Error(`The build does not say what ${chunk} loads`);
    return list.split(',').map((at) => `/${built[Number(at)]}`);
  };
  return screensOf(id).flatMap(({ share, chunk, once, polls }) => {
    const files = [...new Set(['/', ...ofPage, ...ofChunk('shell'), ...ofChunk(chunk)])];
    const reads = [...frame, ...polls.map(({ path }) => path), ...once];
    return Array<Screen>(share).fill({ files, reads, polls: [...polls, conditions] });
  });
}
