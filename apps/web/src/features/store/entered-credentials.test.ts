import { expect, test } from 'vitest';
import { credentialsOf, noneEntered } from './entered-credentials.ts';

test('what is missing is named, for the chosen kind only', () => {
  expect(credentialsOf(noneEntered)).toEqual({
    credentials: null,
    missing: { storeUrl: 'Enter the address of the store.', accessToken: 'Enter the access token.' },
  });
  expect(credentialsOf({ ...noneEntered, kind: 'app', storeUrl: 's', clientId: ' ' }).missing).toEqual({
    clientId: 'Enter the client ID.',
    clientSecret: 'Enter the client secret.',
  });
});

test('fields of the other kind are not sent', () => {
  const all = { ...noneEntered, storeUrl: 's', accessToken: 't', clientId: 'i', clientSecret: 'c' };
  expect(credentialsOf(all).credentials).toEqual({ storeUrl: 's', accessToken: 't' });
  expect(credentialsOf({ ...all, kind: 'app' }).credentials).toEqual({
    storeUrl: 's',
    clientId: 'i',
    clientSecret: 'c',
  });
});
