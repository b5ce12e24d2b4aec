import { z } from 'zod';
import { clouds } from './clouds.ts';

/** An app registration of Microsoft: directory, app, secret, and the owner of the drive. */
export const EnteredApp = z.strictObject({
  tenant: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  drive: z.union([z.strictObject({ user: z.string() }), z.strictObject({ site: z.string() })]),
});
export type EnteredApp = z.infer<typeof EnteredApp>;

const common = {
  /** Whether the sign-in is for the simulator. Sign-ins for Microsoft and for the simulator are never mixed. */
  simulated: z.boolean(),
  cloud: z.enum(clouds),
  tenant: z.string(),
  clientId: z.string(),
};

export const SavedSignIn = z.discriminatedUnion('way', [
  z.strictObject({
    way: z.literal('code'),
    ...common,
    account: z.string(),
    scopes: z.array(z.string()),
    cache: z.string(),
  }),
  z.strictObject({ way: z.literal('app'), ...common, ...EnteredApp.shape }),
]);
export type SavedSignIn = z.infer<typeof SavedSignIn>;
export type SavedCodeSignIn = Extract<SavedSignIn, { way: 'code' }>;
export type SavedAppSignIn = Extract<SavedSignIn, { way: 'app' }>;

/** Returns the account, or the owner of an app registration's drive, for display. */
export function toShownAccount(signIn: SavedSignIn): string {
  if (signIn.way === 'code') return signIn.account;
  return 'user' in signIn.drive ? signIn.drive.user : signIn.drive.site;
}

/** Returns the sentence after a successful sign-in. For an app registration, it names the drive. */
export function signedInSentence(signIn: SavedSignIn): string {
  if (signIn.way === 'code') return `Signed in as ${signIn.account}.`;
  const { drive } = signIn;
  if ('user' in drive) return `Connected to the OneDrive of ${drive.user}.`;
  const site = drive.site.replace(/^https:\/\//, '').replace(/\/$/, '');
  return `Connected to the site ${site}.`;
}

const writing = 'Files.ReadWrite';

/** Returns the permissions that a sign-in with a code requests, as the cloud spells them. */
export function listScopes(cloud: SavedSignIn['cloud'], resource: string, canWrite: boolean): string[] {
  const scope = canWrite ? writing : 'Files.Read';
  return [cloud === 'global' ? scope : `${resource}/${scope}`];
}

/** Returns whether files may be moved and deleted. True for app registrations, whose grants are unknown here. */
export function canWrite(signIn: SavedSignIn): boolean {
  return signIn.way === 'app' || signIn.scopes.some((scope) => scope.endsWith(writing));
}
