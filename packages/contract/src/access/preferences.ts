import { Preferences } from '@draftshelf/domain/access/preferences-schema';
import { route } from '../route.ts';

export const getPreferences = route('getPreferences', { reply: Preferences });

/** Saves some or all preferences and replies with all of them. */
export const savePreferences = route('savePreferences', {
  body: Preferences.partial().strict(),
  reply: Preferences,
});
