import { Settings } from '@draftshelf/domain/access/settings';
import { route } from '../route.ts';

export const getSettings = route({ method: 'GET', path: '/api/settings', reply: Settings });

export const saveSettings = route({
  method: 'POST',
  path: '/api/settings',
  body: Settings.partial().strict(),
  reply: Settings,
});
