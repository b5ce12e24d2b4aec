import * as folders from '@draftshelf/contract/folders/folders';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import type { Db } from '@draftshelf/core/connection/database';
import type { WatchedFileRecord } from '@draftshelf/core/connection/schema';
import { decideHeldFiles, listFolderFiles, queueFile } from '@draftshelf/core/folders/shown-files';
import * as signIns from '@draftshelf/core/folders/sign-ins';
import { requestLook } from '@draftshelf/core/folders/sources';
import { isImportable, waitSentenceOf, watchedFileSentenceOf } from '@draftshelf/domain/folders/folder-state';
import type { FolderKind, WatchedFileState } from '@draftshelf/domain/folders/folders';
import { conflict, notFound, Refusal } from '../http/refusal.ts';
import { type Api, serve } from '../http/serve.ts';
import { createWireMapper } from '../http/wire-fields.ts';
import { findShownFolder, listShownFolders } from './folder-list.ts';

type Deps = { sealingKeys: SealingKeys | null };

/** Serves the watched folders from tables only: the folder worker reads the folders and calls Microsoft. */
export function serveFolders(api: Api, deps: Deps): void {
  const { db, changes } = api;
  serve(api, folders.listFolders, () => listShownFolders(db));
  serve(api, folders.listWatchedFiles, async ({ params: { source }, query }) => {
    const page = { ...query, limit: folders.watchedFilesMax };
    const { files, next } = await listFolderFiles(db, source, page);
    const folder = await findShownFolder(db, source);
    return { files: files.map((file) => toWatchedFile(file, folder)), next };
  });
  serve(api, folders.lookNow, async ({ params: { source }, reply }) => {
    await requireWatched(db, source);
    const asked = await requestLook(changes.db, source, lookEveryMs);
    if (asked.is === 'unknown') throw notFound(notWatched);
    if (asked.is === 'blocked')
      throw conflict('The folder can’t be checked yet: Microsoft is limiting requests.');
    if (asked.is === 'too soon') {
      const message = 'A check was requested a moment ago. Try again in 10 seconds.';
      throw new Refusal(429, { code: 'busy', message }, lookEveryMs / 1000);
    }
    reply.code(202);
    return { success: true as const, message: 'Checking now.' };
  });
  serve(api, folders.takeWatchedFile, async ({ params: { source, id }, reply }) => {
    const state = await changes.db.transaction().execute(async (trx) => {
      const result = await queueFile(trx, source, id);
      // If the folder is not set up, the refusal thrown below rolls the change back.
      const folder = result === 'asked' ? await findShownFolder(trx, source) : undefined;
      if (folder?.state === 'setup') throw conflict(folder.sentence);
      return result;
    });
    if (state === undefined) throw notFound('File not found.');
    if (state === 'gone')
      throw new Refusal(410, { code: 'gone', message: 'This file is no longer in the folder.' });
    if (state !== 'asked') throw conflict(refusals[state] ?? 'This file is imported already.');
    reply.code(202);
    return { success: true as const, message: 'This file is read next.' };
  });
  serve(api, folders.answerExistingFiles, async ({ params: { source }, body: { action } }) => {
    const files = await changes.db.transaction().execute((trx) => decideHeldFiles(trx, source, action));
    return { success: true as const, files };
  });
  serveSignIns(api, deps);
}

function serveSignIns(api: Api, { sealingKeys }: Deps): void {
  const { db, changes } = api;
  serve(api, folders.beginSignIn, async ({ body, reply, logSecurity }) => {
    if (sealingKeys === null) throw conflict(noKey);
    const { way, ...app } = body;
    const asked = way === 'code' ? { way } : { way, keys: sealingKeys, app };
    const id = await changes.db.transaction().execute((trx) => signIns.requestSignIn(trx, asked));
    const kind = way === 'app' ? 'credentials-saved' : 'connection-begun';
    logSecurity(kind, { detail: 'OneDrive' });
    reply.code(202);
    return { id };
  });
  serve(api, folders.getLatestSignIn, async () => {
    const latest = await signIns.readSignIn(changes.db);
    return { signIn: latest === undefined ? null : signInFields(latest) };
  });
  serve(api, folders.getSignIn, async ({ params: { id } }) => {
    const signIn = await signIns.readSignIn(changes.db, id);
    if (signIn === undefined) throw notFound(noSignIn);
    return signInFields(signIn);
  });
  serve(api, folders.cancelSignIn, async ({ params: { id } }) => {
    const cancelled = await changes.db.transaction().execute((trx) => signIns.cancelSignIn(trx, id));
    if (cancelled) return { success: true as const, message: 'The sign-in was cancelled.' };
    const ended = await signIns.readSignIn(db, id);
    if (ended === undefined) throw notFound(noSignIn);
    if (ended.state === 'done') throw conflict('OneDrive is connected already.');
    return { success: true as const, message: 'The sign-in has ended already.' };
  });
  serve(api, folders.disconnectOneDrive, async ({ logSecurity }) => {
    const was = await changes.db.transaction().execute((trx) => signIns.disconnectOneDrive(trx));
    if (!was) throw notFound('OneDrive isn’t connected.');
    logSecurity('credentials-removed', { detail: 'OneDrive' });
    return { success: true as const, message: 'OneDrive is disconnected.' };
  });
}

async function requireWatched(db: Db, kind: FolderKind): Promise<void> {
  const folder = await findShownFolder(db, kind);
  if (folder === undefined) throw notFound(notWatched);
  const { isSignedIn, state, sentence, workers } = folder;
  if (!isSignedIn) throw conflict('OneDrive isn’t connected.');
  if (state === 'setup' || state === 'off' || workers === 0) throw conflict(sentence);
}

/** Shortest time between requested looks. */
const lookEveryMs = 10_000;

const notWatched = 'This folder isn’t watched.';
const noSignIn = 'Sign-in not found.';
const noKey =
  'OneDrive can’t be connected here, because the server has no key to seal the sign-in with. Set CREDENTIALS_KEY and restart.';

const refusals: Partial<Record<WatchedFileState, string>> = {
  taking: 'This file is being read.',
  waiting: 'This file is read next.',
  settling: 'This file is still changing. It’s read when the changes stop.',
};

const fileFields = createWireMapper(folders.WatchedFile);

function toWatchedFile(file: WatchedFileRecord, folder: folders.Folder | undefined): folders.WatchedFile {
  // The operator has not decided yet about files of the first look, so these files are shown as held.
  const isAsked = folder?.existing != null && file.state === 'ignored' && file.reason === null;
  return {
    ...fileFields(file),
    sentence:
      (folder && waitSentenceOf(file, folder)) ??
      watchedFileSentenceOf(isAsked ? { ...file, state: 'held' } : file),
    at: file.changed_at.toISOString(),
    option: file.option === 'due' ? null : file.option,
    canTake: isImportable(file),
  };
}

const signInFields = createWireMapper(folders.SignIn);
