import { retentionNames } from '@draftshelf/domain/access/preferences';
import { Preferences } from '@draftshelf/domain/access/preferences-schema';
import { z } from 'zod';
import { route } from '../route.ts';

export const getPreferences = route('getPreferences', { reply: Preferences });

/** Saves some or all preferences and replies with all of them. */
export const savePreferences = route('savePreferences', {
  body: Preferences.partial().strict(),
  reply: Preferences,
});

/** For how many days something is kept; null: for ever. `isFixed`: the environment says so, not the preferences. */
const Kept = z.object({ days: z.number().int().nullable(), isFixed: z.boolean() });

/** What retention applies now, by the names of the preferences. */
export const getRetention = route('getRetention', {
  reply: z.record(z.enum(retentionNames), Kept),
});
