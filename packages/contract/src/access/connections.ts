import { folderBadges } from '@draftshelf/domain/folders/folder-state';
import { z } from 'zod';
import { route } from '../route.ts';
import { EnteredText, Secret } from '../secret.ts';
import { SuccessReply } from '../values.ts';

export const connectionServices = ['shopify', 'onedrive', 'upc_services'] as const;

export const storeStates = [
  'connected',
  'not-configured',
  'wrong-token',
  'missing-scope',
  'unknown-shop',
  'locked',
  'network',
  'refused',
] as const;
const StoreState = z.enum(storeStates);

/** Where the store's credentials come from. The secrets are never sent. */
const CredentialsInfo = z.object({
  /** `server`: the server's environment, which takes precedence. `saved`: entered in Settings. */
  source: z.enum(['server', 'saved', 'none']),
  kind: z.enum(['token', 'app']).nullable(),
  storeUrl: z.string().nullable(),
  savedAt: z.iso.datetime().nullable(),
  isDemo: z.boolean(),
  lockedBecause: z.string().nullable(),
});

export const Connection = z.object({
  id: z.string(),
  service: z.enum(connectionServices),
  status: z.string(),
  details: z.object({
    shopDomain: z.string().optional(),
    adminUrl: z.string().optional(),
    message: z.string().optional(),
    state: StoreState.optional(),
    cause: z.string().optional(),
    credentials: CredentialsInfo.optional(),
    services: z.array(z.object({ name: z.string(), active: z.boolean() })).optional(),
    account: z.string().optional(),
    folder: z.string().optional(),
    badge: z.enum(folderBadges).optional(),
    lastLook: z.iso.datetime().optional(),
    nextLook: z.iso.datetime().optional(),
  }),
});
export type Connection = z.infer<typeof Connection>;

export const listConnections = route('listConnections', { reply: z.array(Connection) });

const TestReply = z.object({
  success: z.boolean(),
  message: z.string(),
  state: StoreState.optional(),
  cause: z.string().optional(),
});

export const testConnection = route('testConnection', { reply: TestReply });

const EnteredCredentials = z
  .strictObject({
    /** 'my-store', 'my-store.myshopify.com', or the URL of the store's admin. */
    storeUrl: EnteredText,
    accessToken: Secret.optional(),
    clientId: Secret.optional(),
    clientSecret: Secret.optional(),
  })
  .refine(
    ({ accessToken, clientId, clientSecret }) =>
      accessToken === undefined
        ? clientId !== undefined && clientSecret !== undefined
        : clientId === undefined,
    'Enter an access token, or a client ID and secret.',
  );
export type EnteredCredentials = z.input<typeof EnteredCredentials>;

/**
 * Tests credentials and saves them if the store accepts them. Replies 200 even if the store rejects the credentials;
 * `success` is then false. 409 if the environment sets the store, or if the server has no sealing key.
 */
export const saveCredentials = route('saveCredentials', { body: EnteredCredentials, reply: TestReply });

/** Removes the store's saved credentials. Running pushes then fail. */
export const removeCredentials = route('removeCredentials', { reply: SuccessReply });
