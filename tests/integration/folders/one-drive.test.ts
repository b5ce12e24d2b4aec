import type { FileSource, FoundFile, KnownFile, LookResult, Place } from '@draftshelf/folders/file-source';
import { FileChanged, FileUnreadable, FolderUnreadable } from '@draftshelf/folders/file-source';
import { openDrive } from '@draftshelf/folders/onedrive/open-drive';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGraph, type TestGraph } from '../../support/graph.ts';

const folder = '/SCD CSV Processing';
const { signal } = new AbortController();

let graph: TestGraph;
let source: FileSource;
let place: Place;
/** Each test has a folder of its own. */
let path: string;
let next = 0;

const open = (of: string) =>
  openDrive(
    { cloud: 'global', tenant: 'common', clientId: null, simulatorUrl: graph.url },
    {
      ...{ way: 'app', simulated: true, cloud: 'global', tenant: 'contoso', clientId: 'an-app' },
      ...{ clientSecret: 'a-secret', drive: { user: 'ada@example.com' } },
    },
    { folder: async () => of, save: async () => true },
  );

beforeAll(async () => {
  graph = await startGraph();
});
afterAll(() => graph?.close());
beforeEach(async () => {
  next += 1;
  path = `${folder}/${next}`;
  await graph.change([{ path, folder: true }]);
  source = open(path);
  place = await source.resolve(null, signal);
  await graph.calls();
});
afterEach(() => graph.behave());

const put = (...names: string[]) =>
  graph.change(names.map((name) => ({ path: `${path}/${name}`, text: `Title,Price\n${name},9.90\n` })));
const look = (cursor: string | null) => source.look(place, cursor, signal);
const fileNamed = async (name: string): Promise<FoundFile> => {
  const found = (await look(null)).files.find((file) => file.name === name);
  if (!found) throw new Error(`${name} is not there`);
  return found;
};
const namesIn = ({ files }: LookResult) => files.map(({ name }) => name).sort();

async function contents(file: KnownFile): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of await source.read(place, file, signal)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** How a promise fails. */
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it did not fail',
    (error) => error,
  );

describe('looks', () => {
  test('an unchanged folder takes one request, a changed one says what changed', async () => {
    await put('a.csv', 'b.csv');
    const first = await look(null);
    expect([namesIn(first), first.isWhole, first.more]).toEqual([['a.csv', 'b.csv'], true, false]);
    await graph.calls();
    const unchanged = await look(first.cursor);
    expect(await graph.calls()).toEqual(['delta']);
    expect(unchanged).toMatchObject({ files: [], gone: [], isWhole: false, more: false });

    await put('b.csv', 'c.csv');
    await graph.change([
      { path: `${path}/c.csv`, renamed: 'd.csv' },
      { path: `${path}/a.csv`, removed: true },
      { path: `${path}/b.csv`, text: 'Title,Price\nOther,1\n' },
    ]);
    const changed = await look(unchanged.cursor);
    expect(namesIn(changed)).toEqual(['b.csv', 'd.csv']);
    const before = first.files.find(({ name }) => name === 'a.csv');
    expect(changed.gone).toEqual([before?.key]);
    const versions = [first, changed].map(({ files }) => files.find(({ name }) => name === 'b.csv')?.version);
    expect(new Set(versions).size).toBe(2);
  });

  test('pages are followed, and a look ends after twenty of them with the place to go on', async () => {
    await put(...Array.from({ length: 50 }, (_, at) => `${at}.csv`));
    await graph.behave({ pageItems: 2 });
    const first = await look(null);
    expect([first.files.length, first.more, first.isWhole]).toEqual([39, true, false]);
    const second = await look(first.cursor);
    expect([second.files.length, second.more]).toEqual([11, false]);
    expect(new Set([...first.files, ...second.files].map(({ key }) => key)).size).toBe(50);
  });

  test('only files that are directly in the folder are files; those still received and shortcuts say so', async () => {
    await put('a.csv', 'Archive/old.csv');
    await graph.change([
      { path: `${path}/uploading.csv`, text: '', pending: true },
      { path: `${path}/shortcut.csv`, text: '', remote: true },
      { path: `${path}/Notes`, text: '', notebook: true },
    ]);
    const { files } = await look(null);
    expect(files.map(({ name, unreadable }) => [name, unreadable?.later ?? null]).sort()).toEqual([
      ['a.csv', null],
      ['shortcut.csv', false],
      ['uploading.csv', true],
    ]);
  });

  test('a drive that has changes of the whole drive only is asked for these', async () => {
    await graph.change([{ path: '/elsewhere.csv', text: 'x' }]);
    await put('a.csv');
    await graph.behave({ folderDelta: 'refused' });
    const first = await look(null);
    expect(namesIn(first)).toEqual(['a.csv']);
    await graph.calls();
    await graph.change([{ path: '/elsewhere.csv', text: 'y' }]);
    const second = await look(first.cursor);
    expect([await graph.calls(), second.files]).toEqual([['delta'], []]);
  });

  test('files without a hash have the size and the time as version', async () => {
    await put('a.csv');
    await graph.behave({ withoutHashes: true });
    const file = await fileNamed('a.csv');
    expect(file.version).toMatch(/^time:\d+:20/);
    expect(await contents(file)).toContain('a.csv');
  });

  test.each([true, false])(
    '410 begins anew with the same versions, with an address: %s',
    async (location) => {
      await put('a.csv', 'b.csv');
      const first = await look(null);
      await graph.behave({ faults: [{ on: 'delta', status: 410, code: 'resyncRequired', location }] });
      const again = await look(first.cursor);
      expect([again.isWhole, again.more]).toEqual([true, false]);
      const versions = ({ files }: LookResult) => files.map(({ key, version }) => `${key} ${version}`).sort();
      expect(versions(again)).toEqual(versions(first));
    },
  );

  test('410 for a new start, and pages that repeat themselves, are trouble that starts over', async () => {
    await put('a.csv');
    await graph.behave({ faults: [{ on: 'delta', status: 410, times: 2 }] });
    expect(await failure(look(null))).toMatchObject({ kind: 'start over' });
    await graph.behave({ repeatsLinks: true });
    await graph.calls();
    expect(await failure(look(null))).toMatchObject({ kind: 'start over' });
    expect((await graph.calls()).length).toBeLessThan(4);
    await graph.behave();
    expect(namesIn(await look(null))).toEqual(['a.csv']);
  });

  test.each([
    ['seconds', 41],
    ['date', 41],
  ] as const)('429 is a wait, as %s', async (as, seconds) => {
    await put('a.csv');
    const { cursor } = await look(null);
    await put('b.csv');
    await graph.behave({ faults: [{ on: 'delta', status: 429, retryAfter: { seconds, as } }] });
    const error = (await failure(look(cursor))) as FolderUnreadable;
    expect([error.kind, Math.round((error.waitMs ?? 0) / 2_000)]).toEqual([
      'throttled',
      Math.round(seconds / 2),
    ]);
    expect(namesIn(await look(cursor))).toEqual(['b.csv']);
  });

  test.each([
    [503, 'throttled'],
    [509, 'throttled'],
    [500, 'network'],
    [504, 'network'],
    [403, 'no permission'],
    [404, 'not found'],
    [423, 'throttled'],
  ])('%i is trouble of the kind %s, without a text of Microsoft', async (status, kind) => {
    await put('a.csv');
    const { cursor } = await look(null);
    await graph.behave({ faults: [{ on: 'delta', status, code: 'aCode' }] });
    const error = (await failure(look(cursor))) as FolderUnreadable;
    expect(error).toBeInstanceOf(FolderUnreadable);
    expect([error.kind, error.detail]).toEqual([kind, `Microsoft Graph answered ${status} (aCode).`]);
    expect(namesIn(await look(null))).toEqual(['a.csv']);
  });

  test('401 renews the sign-in once, then it is trouble', async () => {
    await put('a.csv');
    await graph.account({ revoke: 'access' });
    expect(namesIn(await look(null))).toEqual(['a.csv']);
    expect(await graph.calls()).toEqual(['delta', 'token', 'delta']);
    await graph.behave({ faults: [{ on: 'delta', status: 401, times: 2 }] });
    expect(await failure(look(null))).toMatchObject({ kind: 'sign in' });
  });
});

describe('the folder', () => {
  test('is found by its path and kept by its ids; the same place is not asked for again', async () => {
    await graph.change([{ path, renamed: 'Moved' }]);
    expect(await source.resolve(place, signal)).toEqual(place);
    expect(await graph.calls()).toEqual([]);
    await graph.change([{ path: `${folder}/Moved/a.csv`, text: 'x' }]);
    expect(namesIn(await look(null))).toEqual(['a.csv']);
    expect(await failure(source.resolve(null, signal))).toMatchObject({
      kind: 'not found',
      message: `The folder ${path} wasn’t found in this OneDrive.`,
    });
  });

  test.each([
    ['', 'setup', 'Enter the folder to watch.'],
    ['/', 'setup', 'Enter the folder to watch.'],
    ['/CSV./x', 'not found', 'OneDrive has no folder named “CSV.”: check the spelling.'],
    ['/a:b', 'not found', 'OneDrive has no folder named “a:b”: check the spelling.'],
  ])('%j is refused without a request', async (wrong, kind, message) => {
    expect(await failure(open(wrong).resolve(null, signal))).toMatchObject({ kind, message });
    expect(await graph.calls()).toEqual([]);
  });

  test('a removed folder is trouble', async () => {
    const { cursor } = await look(null);
    await graph.change([{ path, removed: true }]);
    expect(await failure(look(cursor))).toMatchObject({ kind: 'not found' });
  });

  test('special characters of a path are part of it', async () => {
    const special = `${path}/100% & more #1 ?ä`.replace('?', '');
    await graph.change([{ path: special, folder: true }]);
    expect((await open(special).resolve(null, signal)).path).toBe(special);
  });
});

describe('contents', () => {
  test('come from another origin, without the token', async () => {
    await put('a.csv');
    const file = await fileNamed('a.csv');
    await graph.behave({ contentOrigin: graph.url.replace('127.0.0.1', 'localhost') });
    await graph.calls();
    expect(await contents(file)).toBe('Title,Price\na.csv,9.90\n');
    const arrived = await graph.journal();
    expect(arrived.map(({ kind, authorized }) => [kind, authorized])).toEqual([
      ['content', true],
      ['download', false],
    ]);
  });

  test('are not fetched from an address that is not public', async () => {
    await put('a.csv');
    const file = await fileNamed('a.csv');
    await graph.behave({ contentOrigin: 'http://10.0.0.1' });
    const error = (await failure(contents(file))) as Error;
    expect(error).toBeInstanceOf(FileUnreadable);
    expect(error.message).toContain('not on the public internet');
    expect(error.message).not.toContain('tempauth');
  });

  test('an expired address is asked for once more', async () => {
    await put('a.csv');
    const file = await fileNamed('a.csv');
    await graph.behave({ faults: [{ on: 'download', status: 401 }] });
    expect(await contents(file)).toContain('a.csv');
    await graph.behave({ contentMs: 0 });
    expect(await failure(contents(file))).toBeInstanceOf(FileUnreadable);
  });

  test('a download that breaks off, and one with other bytes, is no file', async () => {
    await graph.change([{ path: `${path}/long.csv`, text: 'Title,Price\n'.repeat(5_000) }]);
    const file = await fileNamed('long.csv');
    await graph.behave({ breaksAfterBytes: 8_192, pieceBytes: 4_096 });
    expect(await failure(contents(file))).toMatchObject({
      name: 'FileUnreadable',
      message: expect.stringContaining('broke off'),
    });
    await graph.behave({ pieceBytes: 1_000 });
    expect((await contents(file)).length).toBe(60_000);
    const otherHash = { ...file, version: file.version.replace(/^xor:.{27}/, `xor:${'z'.repeat(27)}`) };
    expect(await failure(contents(otherHash))).toBeInstanceOf(FileChanged);
  });

  test('a file that changed, is gone or is locked since the look says so', async () => {
    await put('a.csv', 'b.csv');
    const [a, b] = [await fileNamed('a.csv'), await fileNamed('b.csv')];
    const { cursor } = await look(null);
    await graph.change([
      { path: `${path}/a.csv`, text: 'Title,Price\nlonger than before,1\n' },
      { path: `${path}/b.csv`, removed: true },
    ]);
    expect(await failure(contents(a))).toBeInstanceOf(FileChanged);
    // That Graph does not find a file may pass, so the next look decides whether it is gone.
    const notFound = { name: 'FileUnreadable', message: 'OneDrive doesn’t find b.csv now.' };
    expect(await failure(contents(b))).toMatchObject(notFound);
    expect(await failure(source.recheck(place, b, signal))).toMatchObject(notFound);
    expect((await look(cursor)).gone).toEqual([b.key]);
    const now = await source.recheck(place, a, signal);
    expect(now?.version).not.toBe(a.version);
    await graph.behave({ faults: [{ on: 'content', status: 423 }] });
    expect(await failure(contents(now as FoundFile))).toBeInstanceOf(FileUnreadable);
    await graph.behave({
      faults: [{ on: 'content', status: 429, retryAfter: { seconds: 7, as: 'seconds' } }],
    });
    expect(await failure(contents(now as FoundFile))).toMatchObject({ kind: 'throttled', waitMs: 7_000 });
  });
});

describe('archive and delete', () => {
  const archive = (file: KnownFile, name = 'a (done).csv') => source.archive(place, file, name, signal);
  const paths = async () =>
    (await graph.files())
      .map((file) => file.path)
      .filter((one) => one.startsWith(`${path}/`))
      .sort();

  test('a file is moved once, also when the move is repeated; its folder is made', async () => {
    await put('a.csv');
    const file = await fileNamed('a.csv');
    const { cursor } = await look(null);
    expect(await archive(file)).toEqual({ is: 'done', newKey: 'a (done).csv' });
    expect(await paths()).toEqual([`${path}/Archive/a (done).csv`]);
    expect(await archive(file)).toEqual({ is: 'done', newKey: 'a (done).csv' });
    expect(await look(cursor)).toMatchObject({ files: [], gone: expect.arrayContaining([file.key]) });
  });

  test('a name that is taken gets a number', async () => {
    await put('a.csv', 'Archive/a (done).csv');
    expect(await archive(await fileNamed('a.csv'))).toEqual({ is: 'done', newKey: 'a (done) 2.csv' });
  });

  test('another version is neither moved nor deleted, a renamed file is', async () => {
    await put('a.csv', 'b.csv');
    const [a, b] = [await fileNamed('a.csv'), await fileNamed('b.csv')];
    await graph.change([
      { path: `${path}/a.csv`, text: 'new' },
      { path: `${path}/b.csv`, renamed: 'c.csv' },
    ]);
    expect(await archive(a)).toEqual({ is: 'changed' });
    expect(await source.remove(place, a, signal)).toEqual({ is: 'changed' });
    expect(await source.remove(place, b, signal)).toEqual({ is: 'done' });
    expect(await source.remove(place, b, signal)).toEqual({ is: 'missing' });
    expect(await archive(b)).toEqual({ is: 'missing' });
    expect(await paths()).toEqual([`${path}/a.csv`]);
  });

  test('412 looks at the file again, and the same version is moved', async () => {
    await put('a.csv');
    const file = await fileNamed('a.csv');
    await graph.behave({ faults: [{ on: 'move', status: 412 }] });
    expect(await archive(file)).toMatchObject({ is: 'done' });
    await put('b.csv');
    await graph.behave({ faults: [{ on: 'delete', status: 412, times: 3 }] });
    expect(await source.remove(place, await fileNamed('b.csv'), signal)).toEqual({ is: 'changed' });
  });

  test('423 is later, 403 and a refused move keep the file', async () => {
    await put('a.csv');
    const file = await fileNamed('a.csv');
    await graph.behave({ faults: [{ on: 'move', status: 423 }] });
    expect(await archive(file)).toMatchObject({ is: 'later', waitMs: 300_000 });
    await graph.behave({ faults: [{ on: 'delete', status: 403 }] });
    expect(await source.remove(place, file, signal)).toMatchObject({ is: 'kept' });
    await graph.behave({ refusesMoves: true });
    expect(await archive(file)).toMatchObject({ is: 'kept' });
    expect((await paths()).length).toBe(1);
  });
});
