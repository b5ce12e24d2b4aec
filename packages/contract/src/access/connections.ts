import { z } from 'zod';
import { route } from '../route.ts';
import { EnteredText, Secret } from '../secret.ts';

export const connectionServices = ['shopify', 'onedrive', 'upc_services'] as const;

/** Why the store can or cannot be used. */
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

/** What is known of the store's credentials. The secrets themselves are never sent. */
const CredentialsInfo = z.object({
  /** server: from the server's environment, which always applies; saved: entered in Settings. */
  source: z.enum(['server', 'saved', 'none']),
  kind: z.enum(['token', 'app']).nullable(),
  storeUrl: z.string().nullable(),
  savedAt: z.iso.datetime().nullable(),
  /** The store is the simulated one that `npm start` runs. */
  isDemo: z.boolean(),
  /** Why they cannot be changed in Settings; null if they can. */
  lockedBecause: z.string().nullable(),
});

export const Connection = z.object({
  id: z.string(),
  service: z.enum(connectionServices),
  /** 'connected', 'disconnected' or another word, shown as given. */
  status: z.string(),
  details: z.object({
    shopDomain: z.string().optional(),
    /** URL of the store's admin, for View links. */
    adminUrl: z.string().optional(),
    message: z.string().optional(),
    state: StoreState.optional(),
    /** The technical cause of the state. */
    cause: z.string().optional(),
    credentials: CredentialsInfo.optional(),
    services: z.array(z.object({ name: z.string(), active: z.boolean() })).optional(),
    /** onedrive: who is signed in, the watched folder, and its last and next look. */
    account: z.string().optional(),
    folder: z.string().optional(),
    lastLook: z.iso.datetime().optional(),
    nextLook: z.iso.datetime().optional(),
  }),
});
export type Connection = z.infer<typeof Connection>;

export const listConnections = route('listConnections', {
  reply: z.array(Connection),
});

const TestReply = z.object({
  success: z.boolean(),
  message: z.string(),
  /** shopify only. */
  state: StoreState.optional(),
  /** The technical cause of a failure. */
  cause: z.string().optional(),
});

export const testConnection = route('testConnection', {
  params: z.object({ service: z.string() }),
  reply: TestReply,
});

/** A store with an access token, or with an app's client id and secret. */
const EnteredCredentials = z
  .strictObject({
    /** 'my-store', 'my-store.myshopify.com', or the address of its admin. */
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
 * Tests credentials and, if the store accepts them, seals and saves them. It replies 200 also if the store does not:
 * `success` has the result. 409 if the server's environment sets the store, or if no key to seal with is set.
 */
export const saveCredentials = route('saveCredentials', {
  body: EnteredCredentials,
  reply: TestReply,
});

/** Removes the saved credentials of the store. Running pushes fail with this cause. */
export const removeCredentials = route('removeCredentials', {
  reply: z.object({ success: z.literal(true), message: z.string() }),
});
