import { Preferences } from '@draftshelf/domain/access/preferences';
import { route } from '../route.ts';

export const getPreferences = route({ method: 'GET', path: '/api/preferences', reply: Preferences });

/** Saves some or all preferences and replies with all of them. */
export const savePreferences = route({
  method: 'POST',
  path: '/api/preferences',
  body: Preferences.partial().strict(),
  reply: Preferences,
});
