import { readCredential } from '@draftshelf/core/access/credentials';
import type { SealingKeys } from '@draftshelf/core/access/sealing';
import { readSettings } from '@draftshelf/core/access/settings';
import type { OpenDatabase } from '@draftshelf/core/connection/database';
import {
  beginSignIn,
  type ClaimedSignIn,
  completeSignIn,
  failLostSignIns,
  failSignIn,
  interruptedSentence,
  storeSignInCode,
  untestedAppService,
} from '@draftshelf/core/folders/sign-ins';
import { FolderUnreadable } from '@draftshelf/folders/file-source';
import { SignInFailed } from '@draftshelf/folders/onedrive/microsoft-login';
import { type DriveEnv, signInWithApp, signInWithCode } from '@draftshelf/folders/onedrive/open-drive';
import {
  EnteredApp,
  type SavedSignIn,
  signedInSentence,
  toShownAccount,
} from '@draftshelf/folders/onedrive/saved-sign-in';
import type { TaskHandler } from '@draftshelf/queues/run-task';
import type { Logger } from '@draftshelf/runtime/logger';

type Deps = { db: OpenDatabase['db']; keys: SealingKeys | null; env: DriveEnv; logger: Logger };

const noKey =
  'The sign-in can’t be saved here, because the folder worker has no key to seal it with. Set its SEALING_KEY and restart: docs/OPERATIONS.md, “Sealing keys”.';
const failed = 'The sign-in failed. Start again.';

/** Returns the task of sign-ins. The folder worker runs it, because only this worker connects to Microsoft. */
export function createSignInTask(deps: Deps): TaskHandler {
  return {
    async run({ task, signal }) {
      await failLostSignIns(deps.db);
      const signIn = await beginSignIn(deps.db, task);
      if (signIn) await signInOnce(deps, signIn, signal);
      return 'done';
    },
  };
}

/** Signs in. If the process stops, the sign-in fails, because Microsoft's answer is then lost. */
async function signInOnce(deps: Deps, signIn: ClaimedSignIn, signal: AbortSignal): Promise<void> {
  const { db, keys, logger } = deps;
  try {
    if (keys === null) throw new SignInFailed(noKey);
    const value = await (signIn.way === 'code'
      ? withCode(deps, signIn, signal)
      : withApp(deps, keys, signal));
    signal.throwIfAborted();
    const words = { account: toShownAccount(value), message: signedInSentence(value) };
    const result = { value, ...words, simulated: value.simulated };
    const isDone = await db.transaction().execute((trx) => completeSignIn(trx, keys, signIn, result));
    logger.info({ way: signIn.way, isDone }, 'signed in to OneDrive');
  } catch (error) {
    const sentence = signal.aborted ? interruptedSentence : sentenceOf(error);
    const cause = isExpected(error) ? {} : { err: error };
    if (!signal.aborted) logger.warn({ way: signIn.way, sentence, ...cause }, 'A sign-in to OneDrive failed');
    await db.transaction().execute((trx) => failSignIn(trx, signIn, sentence));
  }
}

async function withCode(deps: Deps, signIn: ClaimedSignIn, signal: AbortSignal): Promise<SavedSignIn> {
  const { db, env } = deps;
  const settings = await readSettings(db);
  let shown: Promise<boolean> | undefined;
  const value = await signInWithCode(env, {
    canWrite: settings.deleteAfterProcess || settings.moveToArchive,
    onCode(code) {
      shown = storeSignInCode(db, signIn, code);
      // The promise is awaited below. Until then, a rejection must not end the process.
      shown.catch(() => {});
    },
    signal,
  });
  await shown;
  return value;
}

async function withApp({ db, env }: Deps, keys: SealingKeys, signal: AbortSignal): Promise<SavedSignIn> {
  const entered = await readCredential(db, keys, untestedAppService);
  if (!entered) throw new SignInFailed('The app registration can’t be read. Enter it again.');
  return signInWithApp(env, EnteredApp.parse(entered.value), signal);
}

/** Returns whether an error's message may be shown. Messages and causes of library errors may quote sent data. */
const isExpected = (error: unknown): boolean =>
  error instanceof SignInFailed || error instanceof FolderUnreadable;

function sentenceOf(error: unknown): string {
  if (error instanceof SignInFailed) return error.message;
  if (!(error instanceof FolderUnreadable)) return failed;
  if (error.kind !== 'sign in') return error.message;
  const told = error.detail === null ? '' : ` ${error.detail}`;
  return `Microsoft doesn’t accept this app registration.${told}`;
}
