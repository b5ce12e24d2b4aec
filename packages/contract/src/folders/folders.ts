import { folderBadges } from '@draftshelf/domain/folders/folder-state';
import {
  folderKinds,
  folderStates,
  troubleActions,
  watchedFileStates,
} from '@draftshelf/domain/folders/folders';
import { z } from 'zod';
import { route } from '../route.ts';
import { Secret } from '../secret.ts';
import { SuccessReply, Timestamp } from '../values.ts';
import { registrationCharsMax } from '../wire.ts';

const Count = z.number().int().min(0);

export const Folder = z.object({
  source: z.enum(folderKinds),
  state: z.enum(folderStates),
  badge: z.enum(folderBadges),
  sentence: z.string(),
  place: z.string().nullable(),
  /** Always true for a local folder, which needs no sign-in. */
  isSignedIn: z.boolean(),
  account: z.string().nullable(),
  simulated: z.boolean(),
  canWrite: z.boolean().nullable(),
  lastLook: Timestamp.nullable(),
  nextLook: Timestamp.nullable(),
  isLooking: z.boolean(),
  trouble: z
    .object({
      sentence: z.string(),
      cause: z.string().nullable(),
      since: Timestamp,
      action: z.enum(troubleActions).nullable(),
      /** No look takes place before this time. Null if the next look is not delayed. */
      until: Timestamp.nullable(),
    })
    .nullable(),
  files: Count,
  counts: z.object({
    waiting: Count,
    taken: Count,
    same: Count,
    refused: Count,
    failed: Count,
    ignored: Count,
  }),
  /** Files found by the first look, about which the operator has not decided yet. Null if there are none. */
  existing: z.object({ files: Count }).nullable(),
  /** Files that are held back because unusually many arrived at once. Null if there are none. */
  held: z.object({ files: Count }).nullable(),
  workers: Count,
});
export type Folder = z.infer<typeof Folder>;

export const listFolders = route('listFolders', { reply: z.array(Folder) });

const SourceParams = z.object({ source: z.enum(folderKinds) });
const FileParams = SourceParams.extend({ id: z.coerce.number().int().min(1) });

export const watchedFilesMax = 50;

export const WatchedFile = z.object({
  id: z.number().int(),
  name: z.string(),
  bytes: Count,
  modifiedAt: Timestamp.nullable(),
  state: z.enum(watchedFileStates),
  sentence: z.string(),
  importId: z.string().nullable(),
  at: Timestamp,
  option: z.enum(['archived', 'deleted', 'kept', 'left']).nullable(),
  canTake: z.boolean(),
});
export type WatchedFile = z.infer<typeof WatchedFile>;

export const listWatchedFiles = route('listWatchedFiles', {
  params: SourceParams,
  query: z.strictObject({
    state: z.enum(watchedFileStates).optional(),
    after: z
      .string()
      .regex(/^\d{1,16}_\d{1,15}$/)
      .optional(),
  }),
  reply: z.object({ files: z.array(WatchedFile).max(watchedFilesMax), next: z.string().nullable() }),
});

/** Asks the folder worker to look now. 429 if the last request was less than ten seconds ago. */
export const lookNow = route('lookNow', { params: SourceParams, reply: SuccessReply });

/** Imports a file in one of the `importableStates`. 409 while the file is being read, 410 if the file is gone. */
export const takeWatchedFile = route('takeWatchedFile', { params: FileParams, reply: SuccessReply });

export const answerExistingFiles = route('answerExistingFiles', {
  params: SourceParams,
  body: z.strictObject({ action: z.enum(['take', 'ignore']) }),
  reply: z.object({ success: z.literal(true), files: Count }),
});

const Short = z.string().trim().min(1).max(registrationCharsMax);

/** Begins a sign-in to OneDrive: by a code that the operator enters at Microsoft, or with an app registration. */
export const beginSignIn = route('beginSignIn', {
  body: z.discriminatedUnion('way', [
    z.strictObject({ way: z.literal('code') }),
    z.strictObject({
      way: z.literal('app'),
      tenant: Short,
      clientId: Short,
      clientSecret: Secret,
      drive: z.union([z.strictObject({ user: Short }), z.strictObject({ site: Short })]),
    }),
  ]),
  reply: z.object({ id: z.string() }),
});

export const SignIn = z.object({
  id: z.string(),
  way: z.enum(['code', 'app']),
  state: z.enum(['asked', 'code', 'done', 'failed', 'cancelled']),
  userCode: z.string().nullable(),
  verificationUrl: z.string().nullable(),
  expiresAt: Timestamp.nullable(),
  message: z.string().nullable(),
});
export type SignIn = z.infer<typeof SignIn>;

const SignInParams = z.object({ id: z.uuid() });

export const getSignIn = route('getSignIn', { params: SignInParams, reply: SignIn });

export const getLatestSignIn = route('getLatestSignIn', { reply: z.object({ signIn: SignIn.nullable() }) });

export const cancelSignIn = route('cancelSignIn', { params: SignInParams, reply: SuccessReply });

export const disconnectOneDrive = route('disconnectOneDrive', { reply: SuccessReply });
