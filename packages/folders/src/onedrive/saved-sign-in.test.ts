import { expect, test } from 'vitest';
import { type SavedSignIn, signedInSentence } from './saved-sign-in.ts';

const common = { simulated: false, cloud: 'global', tenant: 'contoso', clientId: 'an-app' } as const;
const app = (drive: { user: string } | { site: string }): SavedSignIn => ({
  ...{ way: 'app', ...common, clientSecret: 'a-secret' },
  drive,
});
const code: SavedSignIn = { way: 'code', ...common, account: 'ada@example.com', scopes: [], cache: '' };

test.each([
  [code, 'Signed in as ada@example.com.'],
  [app({ user: 'ada@example.com' }), 'Connected to the OneDrive of ada@example.com.'],
  [
    app({ site: 'https://contoso.sharepoint.com/sites/prices/' }),
    'Connected to the site contoso.sharepoint.com/sites/prices.',
  ],
])('a sign-in says what it is connected to: %#', (signIn, sentence) => {
  expect(signedInSentence(signIn)).toBe(sentence);
});
