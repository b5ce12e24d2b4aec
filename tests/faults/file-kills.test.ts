import type { AppName } from '@draftshelf/infra/app-mains';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type ApiClient, browserOf } from '../support/api-client.ts';
import { until } from '../support/fixture.ts';
import { beginWatching } from '../support/folder-steps.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { type FileStory, playFile, type StoryPart } from './file-story.ts';
import { type HoldingStorage, type StorageStep, startHoldingStorage } from './holding-storage.ts';
import { installHolds } from './holds.ts';
import { kill } from './inject.ts';

/** Where a process is killed: at a statement, whose transaction is then undone, or at a request of storage. */
type Place = { app: AppName; during: StoryPart; at: string | StorageStep };

const by = (name: 'api-intake' | 'folder' | 'parse') =>
  `for each statement when (current_setting('application_name') = 'draftshelf-${name}')`;
const toStorage = (
  method: StorageStep['method'],
  object: 'file' | 'text' | 'photo',
  when: StorageStep['when'],
): StorageStep => {
  const keys = { file: /^files\/[^.]*\.csv$/, text: /^files\/[^.]*\.csv\.t\d+v\d+$/, photo: /^photos\// };
  return { method, key: keys[object], when };
};
const of =
  (app: AppName, during: StoryPart) =>
  (at: Place['at']): Place => ({ app, during, at });
const [api, folder, taking, matching] = [
  ...[of('api', 'take'), of('folder-worker', 'take')],
  ...[of('parse-worker', 'take'), of('enrich-worker', 'take')],
] as const;
const rereading = of('parse-worker', 'another sheet');

const places = {
  'the upload is recorded': api(`insert on uploads ${by('api-intake')}`),
  'the file is to be stored': api(toStorage('PUT', 'file', 'before')),
  'the file is stored': api(toStorage('PUT', 'file', 'after')),
  'the file is opened to choose a table': api(toStorage('GET', 'file', 'before')),
  'the text is to be stored': api(toStorage('PUT', 'text', 'before')),
  'the text is stored': api(toStorage('PUT', 'text', 'after')),
  'the upload ends': api(`delete on uploads ${by('api-intake')}`),
  'the import is inserted': api('insert on imports'),
  'the tables are kept': api('insert on file_tables'),
  'the pictures are listed': api('insert on file_pictures'),
  'the chunks are inserted': api(`insert on chunks ${by('api-intake')}`),
  'the file of a folder is stored': folder(toStorage('PUT', 'file', 'after')),
  'the text of a folder’s file is stored': folder(toStorage('PUT', 'text', 'after')),
  'the upload of a folder’s file ends': folder(`delete on uploads ${by('folder')}`),
  'the import of a folder’s file is inserted': folder('insert on imports'),
  'a photo is recorded': taking(`insert on uploads ${by('parse')}`),
  'a photo is to be stored': taking(toStorage('PUT', 'photo', 'before')),
  'a photo is stored': taking(toStorage('PUT', 'photo', 'after')),
  'photos get their names': taking(`delete on uploads ${by('parse')}`),
  'pictures are taken': taking('update on file_pictures'),
  'pictures are given': matching('insert on found_values'),
  'matches are stored': matching('insert on picture_matches'),
  'a re-read begins': of('api', 'another sheet')('insert on runs'),
  'another text is recorded': rereading(`insert on uploads ${by('parse')}`),
  'another text is to be stored': rereading(toStorage('PUT', 'text', 'before')),
  'another text is stored': rereading(toStorage('PUT', 'text', 'after')),
  'another upload ends': rereading(`delete on uploads ${by('parse')}`),
  'another table is kept': rereading('insert or update on file_tables'),
  'another run is split': rereading(`insert on chunks ${by('parse')}`),
  'other matches are stored': of('enrich-worker', 'another sheet')('insert on picture_matches'),
  'the first text is read again': of('parse-worker', 'back')(toStorage('GET', 'text', 'before')),
  'pictures are given back': of('enrich-worker', 'back')('insert on found_values'),
} satisfies Record<string, Place>;
type PlaceName = keyof typeof places;
const names = Object.keys(places) as PlaceName[];

const wayOf = (name: PlaceName): FileStory['way'] =>
  places[name].app === 'folder-worker' ? 'folder' : 'upload';

let stack: Stack;
let proxy: HoldingStorage;
let client: ApiClient;
let hold: Awaited<ReturnType<typeof installHolds<PlaceName>>>;
const expected = new Map<FileStory['way'], string[]>();
beforeAll(async () => {
  proxy = await startHoldingStorage(inject('services').s3.endpoint);
  stack = await startStack({
    names: ['api', 'parse-worker', 'enrich-worker', 'folder-worker'],
    env: { S3_ENDPOINT: proxy.endpoint, FOLDER_SETTLE_MS: '200' },
  });
  await beginWatching(stack);
  client = browserOf(stack.apiUrl);
  await client.login();
  for (const way of new Set(names.map(wayOf)))
    expected.set(way, await playFile(stack, client, { label: `WHOLE-${way}`, way }));
  const statements = Object.entries<Place>(places).flatMap(([name, { at }]) =>
    typeof at === 'string' ? [[name, at]] : [],
  );
  hold = await installHolds(stack, Object.fromEntries(statements));
});
afterAll(async () => {
  await stack?.close();
  await proxy?.close();
});

it('the story has what it is to protect', () => {
  const lines = expected.get('upload')?.join('\n');
  expect(lines).toMatch(/\["price","99"\].*\["price","edit"\]/);
  for (const part of [/^picture .*"stored"/m, /^match \[\d,\d,null\]/m, /The picture is on another sheet/])
    expect(lines).toMatch(part);
  expect(lines?.split('deleted')[0]).toMatch(/\.csv\n.*\.csv\.t0v\d+\n.*\.csv\.t1v\d+\nphotos\//);
  expect(lines).toMatch(/deleted$/);
});

it.each(names)('a process is killed when %s, and all is as without that', async (name) => {
  const { app, during, at }: Place = places[name];
  const interfere = async (part: StoryPart) => {
    if (during !== part) return;
    const { isWaiting, release } = typeof at === 'string' ? await hold(name) : proxy.hold(at);
    try {
      await until(name, isWaiting);
      await kill(stack, app);
    } finally {
      await release();
    }
  };
  const label = `K${names.indexOf(name)}Q`;
  const way = wayOf(name);
  expect(await playFile(stack, client, { label, way, interfere })).toEqual(expected.get(way));
});
