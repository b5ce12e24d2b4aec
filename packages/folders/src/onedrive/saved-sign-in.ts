import type * as domain from '@draftshelf/domain/folders/folders';
import { z } from 'zod';
import { clouds } from './clouds.ts';

/** Whose drive an app registration reads. */
export const AppDrive = z.union([z.strictObject({ user: z.string() }), z.strictObject({ site: z.string() })]);

/** An app registration as it was entered, before it is tested. */
export const EnteredApp: z.ZodType<domain.EnteredApp> = z.strictObject({
  tenant: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  drive: AppDrive,
});

const common = {
  /** Whether it is a sign-in to the simulator: it is never sent to Microsoft, and the other way round. */
  simulated: z.boolean(),
  cloud: z.enum(clouds),
  tenant: z.string(),
  clientId: z.string(),
};

/** A sign-in as it is sealed. */
export const SavedSignIn = z.discriminatedUnion('way', [
  z.strictObject({
    way: z.literal('code'),
    ...common,
    account: z.string(),
    scopes: z.array(z.string()),
    /** The library's tokens, in its own form. */
    cache: z.string(),
  }),
  z.strictObject({ way: z.literal('app'), ...common, clientSecret: z.string(), drive: AppDrive }),
]);
export type SavedSignIn = z.infer<typeof SavedSignIn>;
export type SavedCodeSignIn = Extract<SavedSignIn, { way: 'code' }>;
export type SavedAppSignIn = Extract<SavedSignIn, { way: 'app' }>;

/** Who is signed in, for people: an account, or the drive that an app registration reads. */
export function accountOf(signIn: SavedSignIn): string {
  if (signIn.way === 'code') return signIn.account;
  return 'user' in signIn.drive ? signIn.drive.user : signIn.drive.site;
}

/** The sentence on a sign-in that has succeeded. An app registration is not a person: it is connected to a drive. */
export function signedInSentence(signIn: SavedSignIn): string {
  if (signIn.way === 'code') return `Signed in as ${signIn.account}.`;
  const { drive } = signIn;
  if ('user' in drive) return `Connected to the OneDrive of ${drive.user}.`;
  const site = drive.site.replace(/^https:\/\//, '').replace(/\/$/, '');
  return `Connected to the site ${site}.`;
}

const writing = 'Files.ReadWrite';

/** The permission that a sign-in with a code asks for, in the words of a cloud. */
export function scopesFor(cloud: SavedSignIn['cloud'], resource: string, canWrite: boolean): string[] {
  const scope = canWrite ? writing : 'Files.Read';
  return [cloud === 'global' ? scope : `${resource}/${scope}`];
}

/** Whether a sign-in allows moving and deleting files. What an administrator allowed an app is not known here. */
export function canWrite(signIn: SavedSignIn): boolean {
  return signIn.way === 'app' || signIn.scopes.some((scope) => scope.endsWith(writing));
}
