import { retentionNames } from '@draftshelf/domain/access/preferences';
import { Preferences } from '@draftshelf/domain/access/preferences-schema';
import { Settings } from '@draftshelf/domain/access/settings-schema';
import { z } from 'zod';
import { route } from '../route.ts';

export const getSettings = route('getSettings', { reply: Settings });

export const saveSettings = route('saveSettings', { body: Settings.partial().strict(), reply: Settings });

export const getPreferences = route('getPreferences', { reply: Preferences });

export const savePreferences = route('savePreferences', {
  body: Preferences.partial().strict(),
  reply: Preferences,
});

/** `days`: how long the data is kept, or null if for ever. `isFixed`: whether the environment sets `days`. */
const Kept = z.object({ days: z.number().int().nullable(), isFixed: z.boolean() });

export const getRetention = route('getRetention', { reply: z.record(z.enum(retentionNames), Kept) });
