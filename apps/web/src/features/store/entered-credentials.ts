import type { EnteredCredentials } from '@draftshelf/contract/access/connections';

/** The fields of the credentials form. */
export type Entered = {
  storeUrl: string;
  kind: 'token' | 'app';
  accessToken: string;
  clientId: string;
  clientSecret: string;
};

export const noneEntered: Entered = {
  storeUrl: '',
  kind: 'token',
  accessToken: '',
  clientId: '',
  clientSecret: '',
};

type Missing = Partial<Record<keyof Entered, string>>;

const names = {
  storeUrl: 'the address of the store',
  accessToken: 'the access token',
  clientId: 'the client ID',
  clientSecret: 'the client secret',
} as const;

/** The credentials to send, or null and a sentence for each missing field. Fields of the other kind are not sent. */
export function credentialsOf(entered: Entered): {
  credentials: EnteredCredentials | null;
  missing: Missing;
} {
  const needed =
    entered.kind === 'token'
      ? (['storeUrl', 'accessToken'] as const)
      : (['storeUrl', 'clientId', 'clientSecret'] as const);
  const empty = needed.filter((name) => entered[name].trim() === '');
  if (empty.length > 0) {
    return {
      credentials: null,
      missing: Object.fromEntries(empty.map((name) => [name, `Enter ${names[name]}.`])),
    };
  }
  const { storeUrl, accessToken, clientId, clientSecret } = entered;
  const access = entered.kind === 'token' ? { accessToken } : { clientId, clientSecret };
  return { credentials: { storeUrl, ...access }, missing: {} };
}
