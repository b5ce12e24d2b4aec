import {
  fetchFailures,
  isTimeZone,
  previewColumnsMax,
  previewRecordsMax,
} from '@draftshelf/domain/suppliers/fetched-list';
import {
  listAddressCharsMax,
  listSignInKinds,
  signInCharsMax,
} from '@draftshelf/domain/suppliers/list-address';
import { z } from 'zod';
import { route } from '../route.ts';
import { count, FieldName, Timestamp } from '../values.ts';
import { EnteredSupplierName, SupplierParams } from './suppliers.ts';

const Done = z.object({ success: z.literal(true) });
const FeedParams = z.object({ id: z.uuid() });

const Schedule = z.union([
  z.strictObject({ every: z.literal('hour') }),
  z.strictObject({
    every: z.enum(['day', 'weekday']),
    at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected a time like 07:30'),
  }),
]);

/** When a list is fetched: only on request if `schedule` is null. `zone`: the operator's time zone. */
const Timing = z.strictObject({
  schedule: Schedule.nullable(),
  zone: z.string().max(100).refine(isTimeZone, 'expected a time zone like Europe/Berlin'),
});

const Secret = z.string().min(1).max(signInCharsMax);

/** The sign-in at the server of a feed. `saved` keeps the saved sign-in, for the same server only. */
const SignIn = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('saved') }),
  z.strictObject({ kind: z.literal('password'), user: Secret, password: Secret }),
  z.strictObject({ kind: z.literal('header'), name: Secret, value: Secret }),
  z.strictObject({
    kind: z.literal('key'),
    user: Secret,
    privateKey: Secret,
    passphrase: z.string().max(signInCharsMax),
  }),
]);
export type FeedSignIn = z.infer<typeof SignIn>;

/**
 * Begins to test an address: fetches its list, reads the list and compares it with the supplier's last list, without
 * an import. `hostKey`: the sftp server's new key, which the operator has confirmed.
 */
export const testFeed = route('testFeed', {
  body: z.strictObject({
    address: z.string().min(1).max(listAddressCharsMax),
    signIn: SignIn,
    supplier: SupplierParams.shape.id.nullable(),
    hostKey: z.string().max(200).nullable(),
  }),
  reply: z.object({ id: z.uuid() }),
});

/** Why a list was not fetched: a sentence and the technical cause. `since`: when the trouble began. */
const Trouble = z.object({
  kind: z.enum(fetchFailures),
  sentence: z.string(),
  cause: z.string().nullable(),
  since: Timestamp,
});

/** Returns a running test of an address, or the test's result. */
export const getFeedTest = route('getFeedTest', {
  params: FeedParams,
  reply: z.object({
    isRunning: z.boolean(),
    preview: z
      .object({
        filename: z.string(),
        rows: count,
        products: count,
        columns: z.array(z.object({ header: z.string(), field: FieldName })).max(previewColumnsMax),
        records: z.array(z.array(z.string())).max(previewRecordsMax),
        compared: z.object({ new: count, dearer: count, cheaper: count, missing: count }).nullable(),
        hostKey: z.string().nullable(),
      })
      .nullable(),
    trouble: Trouble.nullable(),
  }),
});
export type FeedTest = z.infer<typeof getFeedTest.reply>;

/** Returns a supplier's feed and its last fetches, without secrets. `feed` is null if the supplier has none. */
export const getFeed = route('getFeed', {
  params: SupplierParams,
  reply: z.object({
    feed: z
      .object({
        address: z.string(),
        signIn: z.enum(listSignInKinds),
        ...Timing.shape,
        isFetching: z.boolean(),
        /** When the list was last fetched, and when a fetch last brought a new list. */
        fetchedAt: Timestamp.nullable(),
        foundAt: Timestamp.nullable(),
        nextAt: Timestamp.nullable(),
        trouble: Trouble.nullable(),
        runsItself: z.boolean(),
        /** Number of lists in a row that were pushed as planned, and whether they suffice to offer full auto. */
        agreed: count,
        mayRunItself: z.boolean(),
        /** Why full auto has ended for this feed, as a sentence. Null if full auto has not ended. */
        itselfEnded: z.string().nullable(),
        fetches: z.array(
          z.object({
            id: count,
            at: Timestamp,
            result: z.enum(['taken', 'same', 'failed']),
            importId: z.uuid().nullable(),
            filename: z.string().nullable(),
            sentence: z.string().nullable(),
            cause: z.string().nullable(),
            /** Whether a newer list came before the operator worked on this list. */
            replaced: z.boolean(),
            /** Whether the list was pushed as planned. Null if it was not pushed, or not planned. */
            agreed: z.enum(['equal', 'different']).nullable(),
          }),
        ),
      })
      .nullable(),
  }),
});
export type Feed = NonNullable<z.infer<typeof getFeed.reply>['feed']>;

/** Saves a tested address as a supplier's feed and fetches the list. `of`: the supplier's id, or a supplier's name. */
export const keepFeed = route('keepFeed', {
  params: FeedParams,
  body: Timing.extend({ of: z.union([count, EnteredSupplierName]) }),
  reply: z.object({ supplier: count }),
});

/** Changes a feed's schedule, or turns full auto for its lists on (409 until enough pushes went as planned) or off. */
export const changeFeed = route('changeFeed', {
  params: SupplierParams,
  body: z.union([Timing, z.strictObject({ runsItself: z.boolean() })]),
  reply: Done,
});

export const fetchFeed = route('fetchFeed', { params: SupplierParams, reply: Done });

/** Deletes the feed's address and sign-in. Lists that were fetched from it stay. */
export const removeFeed = route('removeFeed', { params: SupplierParams, reply: Done });
