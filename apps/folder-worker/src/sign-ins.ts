import { readCredential } from '@draftshelf/database/access/credentials';
import type { SealingKeys } from '@draftshelf/database/access/sealing';
import { readSettings } from '@draftshelf/database/access/settings';
import type { OpenDatabase } from '@draftshelf/database/connection/database';
import {
  type ClaimedSignIn,
  claimSignIn,
  completeSignIn,
  enteredAppService,
  failLostSignIns,
  failSignIn,
  interrupted,
  renewSignIn,
  showCode,
  signInRenewMs,
} from '@draftshelf/database/folders/sign-ins';
import { FolderUnreadable } from '@draftshelf/folders/file-source';
import { SignInFailed } from '@draftshelf/folders/onedrive/microsoft-login';
import { type DriveEnv, signInWithApp, signInWithCode } from '@draftshelf/folders/onedrive/open-drive';
import {
  accountOf,
  EnteredApp,
  type SavedSignIn,
  signedInSentence,
} from '@draftshelf/folders/onedrive/saved-sign-in';
import type { Logger } from '@draftshelf/runtime/logger';

type Deps = {
  db: OpenDatabase['db'];
  keys: SealingKeys | null;
  env: DriveEnv;
  logger: Logger;
};

export type SignIns = {
  /** Begins the sign-in that was requested, if there is one, and ends what nobody tends any more. */
  look(): Promise<void>;
  /** Ends a sign-in under way: nobody would notice Microsoft's answer. */
  stop(): Promise<void>;
};

const noKey =
  'The sign-in can’t be saved here, because the folder worker has no key to seal it with. Set its SEALING_KEY and restart: docs/OPERATIONS.md, “Sealing keys”.';
const failed = 'The sign-in failed. Start again.';

/** Tends sign-ins to OneDrive, one at a time: only this process talks to Microsoft. */
export function tendSignIns(deps: Deps): SignIns {
  const { db, logger } = deps;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  return {
    async look() {
      await failLostSignIns(db);
      if (running || stopping.signal.aborted) return;
      const signIn = await claimSignIn(db);
      if (!signIn) return;
      running = tend(deps, signIn, stopping.signal)
        .catch((err) => logger.warn({ err }, 'A sign-in to OneDrive could not be noted'))
        .finally(() => {
          running = undefined;
        });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Carries one sign-in out and notes how it ended. */
async function tend(deps: Deps, signIn: ClaimedSignIn, stopping: AbortSignal): Promise<void> {
  const { db, keys, logger } = deps;
  const claim = keepClaim(deps, signIn);
  const signal = AbortSignal.any([stopping, claim.lost]);
  try {
    if (keys === null) throw new SignInFailed(noKey);
    const value = await (signIn.way === 'code'
      ? withCode(deps, signIn, signal)
      : withApp(deps, keys, signal));
    signal.throwIfAborted();
    const words = { account: accountOf(value), message: signedInSentence(value) };
    const result = { value, ...words, simulated: value.simulated };
    const isDone = await db.transaction().execute((trx) => completeSignIn(trx, keys, signIn, result));
    logger.info({ way: signIn.way, isDone }, 'signed in to OneDrive');
  } catch (error) {
    const sentence = stopping.aborted ? interrupted : sentenceOf(error);
    const cause = isExpected(error) ? {} : { err: error };
    if (!signal.aborted) logger.warn({ way: signIn.way, sentence, ...cause }, 'A sign-in to OneDrive failed');
    await db.transaction().execute((trx) => failSignIn(trx, signIn, sentence));
  } finally {
    claim.stop();
  }
}

/** Renews a claim until it is lost or stopped. */
function keepClaim({ db, logger }: Deps, signIn: ClaimedSignIn): { lost: AbortSignal; stop(): void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    renewSignIn(db, signIn).then(
      (isOurs) => {
        if (!isOurs) lost.abort();
      },
      (err) => logger.warn({ err }, 'A sign-in to OneDrive could not be renewed; it is tried again'),
    );
  }, signInRenewMs);
  return { lost: lost.signal, stop: () => clearInterval(timer) };
}

async function withCode(deps: Deps, signIn: ClaimedSignIn, signal: AbortSignal): Promise<SavedSignIn> {
  const { db, env } = deps;
  const settings = await readSettings(db);
  let shown: Promise<boolean> | undefined;
  const value = await signInWithCode(env, {
    canWrite: settings.deleteAfterProcess || settings.moveToArchive,
    onCode(code) {
      shown = showCode(db, signIn, code);
      // Awaited below; a failure must not end the process meanwhile.
      shown.catch(() => {});
    },
    signal,
  });
  await shown;
  return value;
}

async function withApp({ db, env }: Deps, keys: SealingKeys, signal: AbortSignal): Promise<SavedSignIn> {
  const entered = await readCredential(db, keys, enteredAppService);
  if (!entered) throw new SignInFailed('The app registration can’t be read. Enter it again.');
  return signInWithApp(env, EnteredApp.parse(entered.value), signal);
}

/** Errors whose message is a sentence. Their causes are the library's, which may quote what was sent. */
const isExpected = (error: unknown): boolean =>
  error instanceof SignInFailed || error instanceof FolderUnreadable;

function sentenceOf(error: unknown): string {
  if (error instanceof SignInFailed) return error.message;
  if (!(error instanceof FolderUnreadable)) return failed;
  if (error.kind !== 'sign in') return error.message;
  const told = error.detail === null ? '' : ` ${error.detail}`;
  return `Microsoft doesn’t accept this app registration.${told}`;
}
