import { Settings } from '@draftshelf/domain/access/settings-schema';
import { route } from '../route.ts';

export const getSettings = route('getSettings', { reply: Settings });

export const saveSettings = route('saveSettings', {
  body: Settings.partial().strict(),
  reply: Settings,
});
